package sizes

import (
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/internal/change/propose/prove/provetest"
	"github.com/pawl-dev/pawl/internal/model"
)

// Before Go 1.21 there is no package slices: what Grow would do is written out.
func TestNestBeforeSlices(t *testing.T) {
	dir := t.TempDir()
	provetest.Write(t, dir, "go.mod", []byte("module example.test/m\n\ngo 1.18\n"))
	provetest.Write(t, dir, "x.go", []byte(`package m

func Flat(a [][]int) (sum int) {
	type number struct{ v int }
	all := []number{}
	for _, x := range a {
		for _, y := range x {
			all = append(all, number{y})
		}
	}
	return len(all)
}
`))
	p := provetest.Load(t, dir)
	changes, refusals := Capacity.Changes(p, model.Target{At: model.Pos{File: "x.go", Line: 8}})
	if len(changes) != 1 {
		t.Fatalf("%d changes; refused: %v", len(changes), refusals)
	}
	want := `		if n := len(x) - (cap(all) - len(all)); n > 0 {
			all = append(all[:cap(all)], make([]number, n)...)[:len(all)]
		}
`
	if got := changes[0].Edits; len(got) != 1 || got[0].New != want {
		t.Errorf("the edits are %v, want to insert\n%s", got, strings.TrimSpace(want))
	}
}
