package escape

import (
	"cmp"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/pawl-dev/pawl/internal/model"
)

// saying returns the notes of a file whose lines say what the compiler does: the text
// behind "//". One behind "// index" is a bounds check.
func saying(text string) *Notes {
	var notes []model.Note
	for i, line := range strings.Split(text, "\n") {
		_, said, ok := strings.Cut(line, "// ")
		if !ok {
			continue
		}
		n := model.Note{Kind: model.NoteEscape, Message: said, Chain: []model.Pos{{File: "a.go", Line: i + 1, Col: 2}}}
		if said == "index" {
			n.Kind, n.Message = model.NoteBounds, "isInBounds"
		}
		notes = append(notes, n)
	}
	return newNotes(notes, map[string]*source{"a.go": parseSource("a.go", []byte(text))})
}

func TestAdded(t *testing.T) {
	const before = `package a

func F(n int, s []int) any {
	buf := make([]int, n) // make([]int, n) escapes to heap
	keep(buf)
	v := s[n] // index
	return v // v escapes to heap
}
`
	for _, c := range []struct {
		name     string
		old, new string
		want     []Addition
	}{
		{name: "the same"},
		{name: "lines move", old: "func F", new: "/*\nF is told of here.\n*/\n\nfunc F"},
		{
			name: "renamed locals",
			old:  "(n int, s []int) any {\n\tbuf := make([]int, n) // make([]int, n) escapes", new: "(size int, s []int) any {\n\tlist := make([]int, size) // make([]int, size) escapes",
		},
		{name: "a function with another name", old: "func F", new: "func Rest"},
		{
			name: "a function with another name and a new line", old: "func F(n int, s []int) any {\n\tbuf", new: "func Rest(n int, s []int) any {\n\tkeep(&n) // moved to heap: n\n\tbuf",
			want: []Addition{{Kind: NewEscape, At: model.Pos{Line: 4}, Text: "moved to heap: n", Line: "keep(&n) // moved to heap: n", Has: 1, Last: 9, Func: "Rest"}},
		},
		{name: "one is gone", old: " // v escapes to heap"},
		{
			name: "two equal ones, the first new", old: "\tbuf := make", new: "\tkeep(make([]int, n)) // make([]int, n) escapes to heap\n\tbuf := make",
			want: []Addition{{Kind: NewEscape, At: model.Pos{Line: 4}, Text: "make([]int, n) escapes to heap", Line: "keep(make([]int, n)) // make([]int, n) escapes to heap", Had: 1, Has: 2, Last: 9}},
		},
		{
			name: "another type", old: "\tbuf := make([]int, n) // make([]int, n)", new: "\tbuf := make([]any, n) // make([]any, n)",
			want: []Addition{{Kind: NewEscape, At: model.Pos{Line: 4}, Text: "make([]any, n) escapes to heap", Line: "buf := make([]any, n) // make([]any, n) escapes to heap", Has: 1, Last: 8}},
		},
		{
			name: "a bounds check", old: "\treturn v", new: "\tv += s[0] // index\n\treturn v",
			want: []Addition{{Kind: NewBounds, At: model.Pos{Line: 7}, Text: "the index is checked against the bounds", Line: "v += s[0] // index", Had: 1, Has: 2, Last: 9}},
		},
		{name: "before a panic", old: "\treturn v", new: "\tif v < 0 {\n\t\tpanic(n) // n escapes to heap\n\t}\n\treturn v"},
		{name: "a constant", old: "\treturn v", new: "\tkeep(\"x\") // \"x\" escapes to heap\n\treturn v"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if !strings.Contains(before, c.old) {
				t.Fatalf("the program does not contain %q", c.old)
			}
			for i := range c.want {
				a := &c.want[i]
				a.At.File, a.At.Col, a.Func, a.First = "a.go", 2, cmp.Or(a.Func, "F"), 3
				a.Inside = a.At
			}
			got := Added(saying(before), saying(strings.Replace(before, c.old, c.new, 1)))
			if diff := gocmp.Diff(c.want, append([]Addition(nil), got...)); diff != "" {
				t.Errorf("Added (-want +got):\n%s", diff)
			}
		})
	}
}

// What is new in a function is told there, and not where it is inlined too; what a new
// call of an old function brings is told at the call.
func TestAddedInlined(t *testing.T) {
	const text = "package a\n\nfunc g() *int {\n\treturn new(int)\n}\n\nfunc F() *int {\n\treturn g()\n}\n"
	sources := map[string]*source{"a.go": parseSource("a.go", []byte(text))}
	note := func(lines ...int) model.Note {
		n := model.Note{Kind: model.NoteEscape, Message: "new(int) escapes to heap"}
		for _, line := range lines {
			n.Chain = append(n.Chain, model.Pos{File: "a.go", Line: line, Col: 9})
		}
		return n
	}
	both := newNotes([]model.Note{note(4), note(4, 8)}, sources)
	if got := Added(newNotes(nil, sources), both); len(got) != 1 || got[0].Func != "g" {
		t.Errorf("new in g: %+v", got)
	}
	got := Added(newNotes([]model.Note{note(4)}, sources), both)
	if len(got) != 1 || got[0].Func != "F" || got[0].At.Line != 8 || got[0].Inside.Line != 4 {
		t.Errorf("g is called now: %+v", got)
	}
}
