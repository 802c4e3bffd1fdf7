package page

import (
	"testing"

	"github.com/pawl-dev/pawl/internal/report/data"
)

// What has room goes in, and what is behind it, if it has room.
func TestRawBudget(t *testing.T) {
	files := []data.Raw{{Name: "a", Data: make([]byte, 30)}, {Name: "b", Data: make([]byte, 300)}, {Name: "c", Data: make([]byte, 30)}}
	got := NewRaw(files, 100)
	if got[0].Link == "" || got[1].Link != "" || got[2].Link == "" {
		t.Errorf("links: %+v", got)
	}
}
