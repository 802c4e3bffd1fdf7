package propose

import (
	"testing"

	"github.com/pawl-dev/pawl/internal/change/propose/prove/provetest"
	"github.com/pawl-dev/pawl/internal/model"
)

// A function with two fast returns can be split behind either: these are two
// changes, and only the compiler can say which one it inlines.
func TestSplitsAreDifferentChanges(t *testing.T) {
	dir := t.TempDir()
	provetest.Write(t, dir, "go.mod", []byte("module example.test/m\n\ngo 1.21\n"))
	provetest.Write(t, dir, "x.go", []byte(`package x

func f(s string) bool {
	if s == "" {
		return false
	}
	if s[0] == 'x' {
		return true
	}
	n := 0
	for i := range s {
		n += int(s[i])
	}
	return n > 100
}
`))
	changes, refusals := load(t, dir).Changes(model.Target{Resource: model.CPU, At: model.Pos{File: "x.go", Line: 4}})
	if len(changes) != 2 {
		t.Fatalf("%d changes, want 2; refusals: %v", len(changes), refusals)
	}
	for i, want := range []string{"x: keep the 2 fast returns of f inlinable, move the rest to fSlow", "x: keep the fast return of f inlinable, move the rest to fSlow"} {
		if changes[i].Title != want || *changes[i].Inlines != (model.Declared{File: "x.go", Name: "f"}) {
			t.Errorf("change %d: %q, inlines %v; want %q", i, changes[i].Title, changes[i].Inlines, want)
		}
	}
}
