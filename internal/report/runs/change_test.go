package runs

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pawl-dev/pawl/internal/model"
)

// A change says why the lines cost that it aimed at, each once.
func TestWhys(t *testing.T) {
	at := model.Pos{File: "a.go", Line: 7}
	grow := model.Reason{Kind: model.ReasonAppend, Text: "append has to grow its slice"}
	got := newWhys([]model.Target{
		{At: at, Resource: model.Allocs, Share: 0.16, Reason: grow}, {At: at, Resource: model.Allocs, Share: 0.12, Reason: grow},
		{At: at, Resource: model.CPU, Share: 0.4}, // not known
	})
	want := []pageWhy{{"a.go:7", "16 % of allocs", grow.Text}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
