package sizes

import (
	"testing"

	"github.com/pawl-dev/pawl/internal/change/propose/prove/provetest"
	"github.com/pawl-dev/pawl/internal/model"
)

func TestLeavingRoom(t *testing.T) {
	dir := t.TempDir()
	provetest.Write(t, dir, "go.mod", []byte("module example.test/m\n\ngo 1.21\n"))
	provetest.Write(t, dir, "m.go", []byte(`package m

func All(next func() int16) []int16 {
	var list []int16
	for n := next(); n > 0; n = next() {
		list = append(list, n)
	}
	return list
}
`))
	p := provetest.Load(t, dir)
	for _, c := range []struct {
		block int64
		want  string
	}{
		{256, ""},
		{384, "\tvar room [256]int16\n\tlist := room[:0]\n"},
		{848, "\tvar room [512]int16\n\tlist := room[:0]\n"},
		{1280, "\tvar room [512]int16\n\tlist := room[:0]\n"},
		{1792, ""},
	} {
		at := model.Frame{File: "m.go", Line: 6, Module: true}
		changes, refusals := StackRoom.Changes(p, model.Target{Resource: model.Allocs, At: at.Pos(), PerOp: 3, Bytes: 3000, Block: c.block, Stack: []model.Frame{at}})
		got := ""
		if len(changes) > 0 {
			got = changes[0].Edits[0].New
		}
		if got != c.want {
			t.Errorf("blocks of %d bytes: %q instead of %q; %v", c.block, got, c.want, refusals)
		}
	}
}
