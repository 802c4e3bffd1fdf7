package storage

import (
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/pawl-dev/pawl/internal/change/propose/prove/provetest"
)

// What a field keeps is told as a figure, from the size of what the profile
// says is made without the change, and a pool is offered where that is much.
func TestReuseTellsWhatIsKept(t *testing.T) {
	ar, err := txtar.ParseFile("testdata/reuse.txtar")
	if err != nil {
		t.Fatal(err)
	}
	p := provetest.Load(t, provetest.Extract(t, ar))
	for _, c := range []struct {
		perOp, bytes float64
		want         string
		offered      bool
	}{
		{perOp: 1},
		{perOp: 2, bytes: 128, want: "64 bytes per "},
		{perOp: 1, bytes: 73728, want: "73728 bytes per ", offered: true},
	} {
		target := provetest.Targets(ar)["reuse/sum"]
		target.PerOp, target.Bytes = c.perOp, c.bytes
		changes, refusals := Reuse.Changes(p, target)
		if len(changes) != 1 {
			t.Fatalf("%d changes, refusals %v", len(changes), refusals)
		}
		got := changes[0].Retains
		if !strings.Contains(got, c.want) || c.offered != strings.Contains(got, "a sync.Pool would hold that per processor") {
			t.Errorf("%v per op of %v bytes: %q", c.perOp, c.bytes, got)
		}
	}
}
