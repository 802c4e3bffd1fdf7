package escape

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/sorted"
)

// An Addition is one thing that the compiler reports of a build, and did not report
// of the build before.
type Addition struct {
	Kind ChangeKind
	At   model.Pos // in the function that is compiled
	// Inside is where it stands when a call at At was inlined, else At.
	Inside      model.Pos
	Func        string // declaration around At; "" for a package's variables
	First, Last int    // its lines
	Text        string // as in Change
	Line        string // the line of At as it reads
	// How many of this text the function had and has; of calls, 0 and those that
	// were inlined.
	Had, Has int
}

// Added returns what after has and before has not: escapes, bounds checks, and
// calls that are no longer inlined, of the tree's own files. What is on the way
// to an error or a panic is left out.
//
// A call counts as no longer inlined where the compiler says why.
//
// Unlike Diff, which asks whether a change pays, it does not weigh one
// allocation against another. Notes are compared by function and text, by
// number, with the names of local variables taken out. So neither a line that
// moves nor a variable with a new name is an addition. Of equal notes, those
// are new whose line, as it reads, was not there before. A function with another name and
// most of its lines is the one that it was.
func Added(before, after *Notes) []Addition {
	after = renamed(before, after)
	out := addedNotes(before, after)
	for _, c := range lostInlines(before, after, func(model.Pos) bool { return true }) {
		if !strings.Contains(c.Text, notInlined+": ") {
			continue // the call may be in code that is not compiled, such as behind a constant
		}
		a := after.addition(c.Kind, c.At, c.At, c.Text)
		a.Has = c.Count
		out = append(out, a)
	}
	out = slices.DeleteFunc(out, func(a Addition) bool {
		s := after.sources[a.At.File]
		fn := s.funcAt(a.At.Line)
		return s == nil || fn != nil && fn.isCold(a.At.Line)
	})
	sorted.By(out, func(a, b Addition) int {
		return cmp.Or(comparePos(a.At, b.At), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Text, b.Text))
	})
	return out
}

func addedNotes(before, after *Notes) []Addition {
	type group struct {
		kind  ChangeKind
		notes map[escapeKey][]model.Note
	}
	had := []group{{NewEscape, before.escapes((*Notes).shape)}, {NewBounds, before.bounds()}}
	has := []group{{NewEscape, after.escapes((*Notes).shape)}, {NewBounds, after.bounds()}}
	var found []model.Note
	var out []Addition
	known := make(map[string]bool) // the notes that are new, by text and chain
	for i := range has {
		for key, notes := range has[i].notes {
			was := had[i].notes[key]
			for _, n := range unmatched(before, after, was, notes) {
				a := after.addition(has[i].kind, outermost(n), n.At(), describe(n))
				a.Had, a.Has = len(was), len(notes)
				known[noteKey(n, len(n.Chain))] = true
				out, found = append(out, a), append(found, n)
			}
		}
	}
	// One that is new in a function is new wherever that is inlined: it is told once.
	once := out[:0]
	for i, n := range found {
		own := true
		for depth := 1; depth < len(n.Chain); depth++ {
			own = own && !known[noteKey(n, depth)]
		}
		if own {
			once = append(once, out[i])
		}
	}
	return once
}

func noteKey(n model.Note, depth int) string { return fmt.Sprint(n.Kind, n.Message, n.Chain[:depth]) }

// unmatched returns the notes of a group that are more than there were: those
// first whose lines read as none of before.
func unmatched(before, after *Notes, had, has []model.Note) []model.Note {
	more := len(has) - len(had)
	if more <= 0 {
		return nil
	}
	lines := make(map[string]int)
	for _, n := range had {
		lines[before.reads(n)]++
	}
	var fresh, rest []model.Note
	for _, n := range has {
		if text := after.reads(n); lines[text] > 0 {
			lines[text]--
			rest = append(rest, n)
		} else {
			fresh = append(fresh, n)
		}
	}
	return append(fresh, rest...)[:more]
}

// reads returns the source lines of a note's chain.
func (n *Notes) reads(note model.Note) string {
	var b strings.Builder
	for _, at := range note.Chain {
		b.WriteString(n.sources[at.File].line(at.Line))
		b.WriteByte('\n')
	}
	return b.String()
}

func (n *Notes) bounds() map[escapeKey][]model.Note {
	out := make(map[escapeKey][]model.Note)
	for _, note := range n.notes {
		if note.Kind == model.NoteBounds {
			key := escapeKey{n.where(note), note.Message}
			out[key] = append(out[key], note)
		}
	}
	return out
}

var identifier = regexp.MustCompile(`\.?[\pL_][\pL\d_]*`)

// shape is a note's text without the names of the local variables around it.
func (n *Notes) shape(note model.Note) string {
	text := n.text(note)
	fn := n.sources[note.At().File].funcAt(note.At().Line)
	if fn == nil {
		return text
	}
	return identifier.ReplaceAllStringFunc(text, func(name string) string {
		if fn.locals[name] {
			return "_"
		}
		return name
	})
}

func describe(n model.Note) string {
	switch n.Message {
	case "isInBounds", "IsInBounds":
		return "the index is checked against the bounds"
	case "isSliceInBounds", "IsSliceInBounds":
		return "the slice expression is checked against the bounds"
	}
	return autotmp.ReplaceAllString(n.Message, ".autotmp")
}

func (n *Notes) addition(kind ChangeKind, at, inside model.Pos, text string) Addition {
	a := Addition{Kind: kind, At: at, Inside: inside, First: at.Line, Last: at.Line, Text: text, Line: n.sources[at.File].line(at.Line)}
	if fn := n.sources[at.File].funcAt(at.Line); fn != nil {
		a.Func, a.First, a.Last = fn.name, fn.start, fn.end
	}
	return a
}
