package score

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/tree"
)

func TestRank(t *testing.T) {
	dir := t.TempDir()
	src := "package p\n\nfunc f(x map[int]int) int {\n\tm := make(map[int]int)\n\tfor k := range x {\n\t\tm[k] = k\n\t}\n\treturn len(m)\n}\n\nfunc g() {}\n"
	if err := os.WriteFile(filepath.Join(dir, "p.go"), []byte(src), 0o600); err != nil {
		t.Fatal(err)
	}
	c := &checkout{dir: dir, replaced: []tree.Span{{File: "p.go", From: 4, To: 4}}}
	at := func(id string, rank, line int, fn string, notes ...model.Note) model.Target {
		return model.Target{ID: id, Rank: rank, At: model.Pos{File: "p.go", Line: line}, Func: fn, Notes: notes}
	}
	flow := model.Note{Kind: model.NoteEscape, Flow: []model.FlowStep{{At: model.Pos{File: "p.go", Line: 4}}}}
	makes := len("package p\n\nfunc f(x map[int]int) int {\n")
	change := model.Change{Edits: []model.Edit{{File: "p.go", Start: makes, End: makes + len("\tm := make(map[int]int)\n")}}, Targets: []model.Target{{ID: "T2"}}}
	for _, tt := range []struct {
		name         string
		targets      []model.Target
		changes      []model.Change
		rank, inFunc int
	}{
		{"its own line", []model.Target{at("T1", 1, 11, "m.g"), at("T2", 2, 4, "m.f")}, nil, 2, 2},
		{"its function", []model.Target{at("T1", 1, 6, "m.f"), at("T2", 2, 11, "m.g")}, nil, 0, 1},
		{"a flow", []model.Target{at("T1", 1, 11, "m.g", flow)}, nil, 1, 0},
		{"a change for its sake", []model.Target{at("T1", 1, 11, "m.g"), at("T2", 2, 6, "m.f")}, []model.Change{change}, 2, 2},
		{"further claims on one statement", []model.Target{at("T1", 1, 11, "m.g"), at("T2", 2, 4, "m.f"), at("T3", 1, 4, "m.f")}, nil, 1, 1},
		{"none", []model.Target{at("T1", 1, 11, "m.g")}, nil, 0, 0},
	} {
		var out model.Scored
		c.rank(tt.targets, tt.changes, &out)
		if out.Rank != tt.rank || out.InFunc != tt.inFunc || (out.Right == nil) != (tt.rank+tt.inFunc == 0) {
			t.Errorf("%s: rank %d, in the function %d, right %v", tt.name, out.Rank, out.InFunc, out.Right)
		}
	}
}
