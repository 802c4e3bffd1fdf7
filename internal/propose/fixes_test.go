package propose

import (
	"testing"

	"github.com/pawl-dev/pawl/internal/model"
)

// The fix of rule sprintf makes a string; where that is only appended, the
// transformation does without.
func TestFixIsSuperseded(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "go.mod", []byte("module example.test/m\n\ngo 1.21\n"))
	write(t, dir, "x.go", []byte(`package m

import "fmt"

func add(b []byte, n int) []byte {
	return append(b, fmt.Sprintf("%d", n)...)
}

func text(n int) string {
	return fmt.Sprintf("%d", n)
}
`))
	p := load(t, dir)
	for line, want := range map[int]int{6: 0, 10: 1} {
		at := model.Pos{File: "x.go", Line: line}
		f := model.Finding{Rule: "sprintf", Class: "A", Pkg: "example.test/m", At: at, First: line, Last: line,
			Fix: &model.Fix{Title: "Concatenate", Edits: []model.Edit{{File: "x.go", Start: 0, End: 0, New: "// Package m is a test.\n"}}}}
		changes, refusals := p.Fixes([]model.Finding{f}, model.Target{At: at, Resource: model.Allocs})
		if len(changes) != want {
			t.Errorf("line %d: %d fixes, want %d (%v)", line, len(changes), want, refusals)
		}
	}
}
