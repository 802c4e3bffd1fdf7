package growth

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/pawl-dev/pawl/internal/report/sheet"
)

// Many points take half a line.
func TestCurve(t *testing.T) {
	s := sheet.New(sheet.Options{Width: 40})
	var values []float64
	for i := range 100 {
		values = append(values, float64(i))
	}
	if got := curve(s, values); utf8.RuneCountInString(got) > 20 || !strings.HasPrefix(got, "▁") || !strings.HasSuffix(got, "█") {
		t.Errorf("%q", got)
	}
	if got := curve(s, []float64{5, 5}); got != "▁▁" {
		t.Errorf("%q", got)
	}
}
