package attempt

import (
	"slices"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/source/edit"
)

// What is taken out of a change is whole declarations, else whole files.
func TestWithout(t *testing.T) {
	const src = "package m\n\ntype T struct {\n\ta int\n}\n\nfunc F() int {\n\tx := 1\n\treturn x\n}\n\nfunc G() int { return 2 }\n"
	change := func(was, now string) model.Edit {
		at := strings.Index(src, was)
		return model.Edit{File: "m.go", Start: at, End: at + len(was), New: now}
	}
	field, first, second, g := change("\ta int\n", "\ta int\n\tb []byte\n"), change("\tx := 1\n", "\tx := 3\n\tx++\n"), change("return x", "return x + 1"), change("return 2", "return 4")
	other := model.Edit{File: "n.go", New: "package m\n"}
	for _, c := range []struct {
		name string
		at   []model.Pos
		left []model.Edit
	}{
		{"a field", []model.Pos{{File: "m.go", Line: 5}}, []model.Edit{first, second, g, other}},
		{"one of two lines of a function", []model.Pos{{File: "m.go", Line: 11}}, []model.Edit{field, g, other}},
		{"a function on one line", []model.Pos{{File: "m.go", Line: 14}}, []model.Edit{field, first, second, other}},
		{"two places", []model.Pos{{File: "m.go", Line: 5}, {File: "n.go", Line: 1}}, []model.Edit{first, second, g}},
		{"no declaration", []model.Pos{{File: "m.go", Line: 1}}, []model.Edit{other}},
		{"another file", []model.Pos{{File: "o.go", Line: 5}}, []model.Edit{field, first, second, g, other}},
	} {
		edits := []model.Edit{field, first, second, g, other}
		a := &edited{
			edits:  edits,
			before: map[string][]byte{"m.go": []byte(src)},
			After:  map[string][]byte{"m.go": edit.Must([]byte(src), edits[:4]), "n.go": []byte("package m\n")},
		}
		if got := a.without(c.at); !slices.Equal(got, c.left) {
			t.Errorf("%s: %v left", c.name, got)
		}
	}
}

// What was seen to differ is left out where something else was compared.
func TestUnlike(t *testing.T) {
	same := model.Driven{Func: "m.F", Pairs: 9}
	idle := model.Driven{Func: "m.H", Skipped: "no test calls it"}
	other := model.Driven{Func: "m.G", At: model.Pos{File: "m.go", Line: 9}, Pairs: 9, Differences: []model.Difference{{Kind: model.DiffResult, Where: "result 1"}}}
	for _, c := range []struct {
		name   string
		driven []model.Driven
		ok     bool // the check
		want   []string
	}{
		{"one of two", []model.Driven{same, other}, false, []string{"m.G"}},
		{"all of what was compared", []model.Driven{idle, other}, false, nil},
		{"allowed", []model.Driven{same, other}, true, nil},
	} {
		a := model.Attempt{Driven: c.driven, Checks: []model.Check{{Name: BehaviourCheck, OK: c.ok}}}
		if at, got := unlike(a, nil); !slices.Equal(got, c.want) || len(at) != len(got) {
			t.Errorf("%s: %q at %v", c.name, got, at)
		}
	}
}
