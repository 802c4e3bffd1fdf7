package sizes

import (
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
	wants := []string{`	n := 0
		n += len(x)
	}
	if n := n - (cap(all) - len(all)); n > 0 {
		all = append(all[:cap(all)], make([]number, n)...)[:len(all)]
	}
	for _, x := range a {
`, `		if n := len(x) - (cap(all) - len(all)); n > 0 {
			all = append(all[:cap(all)], make([]number, n)...)[:len(all)]
		}
`}
	if len(changes) != len(wants) {
		t.Fatalf("%d changes; refused: %v", len(changes), refusals)
	}
	for i, want := range wants {
		got := ""
		for _, e := range changes[i].Edits {
			got += e.New
		}
		if got != want {
			t.Errorf("what is inserted is\n%s, want\n%s", got, want)
		}
	}
}
