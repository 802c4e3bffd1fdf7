package propose

import (
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/pawl-dev/pawl/internal/change/propose/prove/provetest"
	"github.com/pawl-dev/pawl/internal/model"
)

// The fix of a rule that sizes one loop is left out only where capacity-hint
// has a change for the line.
func TestSizingIsProposedOnce(t *testing.T) {
	ar, err := txtar.ParseFile("sizes/testdata/capacity.txtar")
	if err != nil {
		t.Fatal(err)
	}
	dir := provetest.Extract(t, ar)
	target := provetest.Targets(ar)["capacity/merged"]
	p := load(t, dir)
	src := string(p.engine.Files[target.At.File].Src)
	at := strings.Index(src, "map[string]int{}")
	finding := model.Finding{
		Rule: "mapsize", Class: "A", Pkg: "example.test/m/capacity/merged", At: target.At, First: target.At.Line, Last: target.At.Line,
		Fix: &model.Fix{Title: "Make the map for its length", Edits: []model.Edit{
			{File: target.At.File, Start: at, End: at + len("map[string]int{}"), New: "make(map[string]int, len(a))"},
		}},
	}
	other := finding
	other.Rule = "boxing"
	if changes, refusals := p.Fixes([]model.Finding{finding}, target); len(changes) != 1 {
		t.Errorf("without a change of capacity-hint, %d changes of the rule: %v", len(changes), refusals)
	}
	p.Changes(target)
	changes, _ := p.Fixes([]model.Finding{finding, other}, target)
	if len(changes) != 1 || changes[0].Kind != "boxing" {
		t.Errorf("with a change of capacity-hint, the rules' changes are %v", changes)
	}
}

// The fix of rule sprintf makes a string; where that is only appended, the
// transformation does without. What deadformat moves, dead-format proves.
func TestFixIsSuperseded(t *testing.T) {
	dir := t.TempDir()
	provetest.Write(t, dir, "go.mod", []byte("module example.test/m\n\ngo 1.21\n"))
	provetest.Write(t, dir, "x.go", []byte(`package m

import "fmt"

func add(b []byte, n int) []byte {
	return append(b, fmt.Sprintf("%d", n)...)
}

func text(n int) string {
	return fmt.Sprintf("%d", n)
}

func branch(n int, failed bool) string {
	s := fmt.Sprintf("%d", n)
	if failed {
		return s
	}
	return ""
}

func early(n int, failed bool) string {
	s := fmt.Sprintf("%d", n)
	if failed {
		return ""
	}
	return s
}
`))
	p := load(t, dir)
	for _, tt := range []struct {
		rule       string
		line, want int
	}{{"sprintf", 6, 0}, {"sprintf", 10, 1}, {"deadformat", 14, 0}, {"deadformat", 22, 1}} {
		line, want := tt.line, tt.want
		at := model.Pos{File: "x.go", Line: line}
		f := model.Finding{Rule: tt.rule, Class: "A", Pkg: "example.test/m", At: at, First: line, Last: line,
			Fix: &model.Fix{Title: "Concatenate", Edits: []model.Edit{{File: "x.go", Start: 0, End: 0, New: "// Package m is a test.\n"}}}}
		changes, refusals := p.Fixes([]model.Finding{f}, model.Target{At: at, Resource: model.Allocs})
		if len(changes) != want {
			t.Errorf("line %d: %d fixes, want %d (%v)", line, len(changes), want, refusals)
		}
	}
}
