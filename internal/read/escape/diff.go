package escape

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/sorted"
)

// A ChangeKind is what got worse, or better, between two builds.
type ChangeKind string

const (
	NewEscape  ChangeKind = "new escape"
	LostInline ChangeKind = "lost inline"
	NewBounds  ChangeKind = "new bounds check" // of Added alone
)

// A Change is one difference between the compiler's notes of two builds.
type Change struct {
	Kind ChangeKind
	// At is the place: of the second build for a new escape or a lost inline,
	// of the first for an escape that is gone.
	At    model.Pos
	Func  string // declaration it is in, "(*T).M"; "" outside the tree
	Text  string // "buf escapes to heap"; "call of f is no longer inlined: reason"
	Count int    // how many notes of that text the function has more or fewer
	Again bool   // it had one of that text before
	// Hot says that the profile of the first build knows the place: the line
	// of a call that was inlined; for a new escape, which has no line there,
	// any line of the function, unless the escape is in a block that ends in a
	// panic or an error.
	Hot bool
}

func (c Change) String() string {
	return fmt.Sprintf("%s: %s: %s", c.At, c.Kind, c.Text)
}

// Diff returns what is worse in after than in before: escapes that are new,
// and calls on hot lines that are no longer inlined. hot tells of a place in
// the first build whether it is hot; with nil everything is.
//
// Notes are compared by function and text, not by line, so that code that
// moves within its function, or a function that moves as a whole, is no
// change. What a function allocates that only now is inlined is no new escape of its callers. A function in which as many escapes are gone as are new has traded one
// for the other, such as string(buf) for out + s: only counting shows which costs
// more. A call that is gone altogether is no lost inline.
func Diff(before, after *Notes, hot func(model.Pos) bool) []Change {
	if hot == nil {
		hot = func(model.Pos) bool { return true }
	}
	out := newEscapes(before, after, hot)
	out = append(out, lostInlines(before, after, hot)...)
	sortChanges(out)
	return out
}

func sortChanges(c []Change) {
	sorted.By(c, func(a, b Change) int {
		return cmp.Or(comparePos(a.At, b.At), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Text, b.Text))
	})
}

// An escapeKey identifies an escape over builds: the functions it was inlined
// through, and the text.
type escapeKey struct{ where, text string }

func newEscapes(before, after *Notes, hot func(model.Pos) bool) []Change {
	had, has := before.escapes((*Notes).text), after.escapes((*Notes).text)
	traded, grown := gone(before, had, has), appended(had)
	var out []Change
	for _, key := range sorted.Of(maps.Keys(has), func(a, b escapeKey) int { return cmp.Or(cmp.Compare(a.where, b.where), cmp.Compare(a.text, b.text)) }) {
		notes := has[key]
		more := len(notes) - len(had[key])
		if more <= 0 || inlinedNow(before, after, has, notes[0], key.text) {
			continue
		}
		if by := after.symbol(outermost(notes[0])); traded[by] >= more {
			traded[by] -= more
			continue
		}
		if isSlice(key.text) && grown[key.where] >= more {
			grown[key.where] -= more
			continue
		}
		n := added(had[key], notes)
		c := Change{Kind: NewEscape, At: n.At(), Text: key.text, Count: more, Again: len(had[key]) > 0}
		outer := outermost(n)
		if fn := after.sources[outer.File].funcAt(outer.Line); fn != nil {
			c.Func = fn.name
			c.Hot = !fn.isCold(outer.Line) && before.isHot(path.Dir(outer.File), fn.name, hot)
		}
		out = append(out, c)
	}
	return out
}

// inlinedNow reports whether an escape is that of a function by itself, which the compiler could not inline before: it
// was made by the same call then, without a note at the caller.
func inlinedNow(before, after *Notes, has map[escapeKey][]model.Note, note model.Note, text string) bool {
	for i, at := range note.Chain[:len(note.Chain)-1] {
		fn := after.sources[at.File].funcAt(at.Line)
		alone := model.Note{Chain: note.Chain[:i+1]}
		if fn == nil || len(has[escapeKey{after.where(alone), text}]) == 0 {
			continue
		}
		if why, could := before.CanInline(model.Declared{File: at.File, Name: fn.name}); why != "" && !could {
			return true
		}
	}
	return false
}

// gone counts, by the function that compiles them, the escapes that are no more.
func gone(before *Notes, had, has map[escapeKey][]model.Note) map[string]int {
	out := make(map[string]int)
	for key, notes := range had {
		out[before.symbol(outermost(notes[0]))] += max(0, len(notes)-len(has[key]))
	}
	return out
}

// appended counts, by function, the places where append made a slice on the heap. One
// that is made for its size from the start is no new one.
func appended(had map[escapeKey][]model.Note) map[string]int {
	out := make(map[string]int)
	for key, notes := range had {
		if strings.HasPrefix(key.text, "append(") {
			out[key.where] += len(notes)
		}
	}
	return out
}

// isSlice reports whether an escape is that of a slice that make or an empty literal makes. A type with a name is one
// if it is made with a capacity.
func isSlice(text string) bool {
	expr, _, _ := strings.Cut(text, " escapes")
	made, isMake := strings.CutPrefix(expr, "make(")
	if isMake && strings.Count(made, ", ") >= 2 {
		return true
	}
	return strings.HasPrefix(made, "[]") && (isMake || strings.HasSuffix(expr, "{}"))
}

// outermost is the place in the function that is compiled.
func outermost(n model.Note) model.Pos { return n.Chain[len(n.Chain)-1] }

// added picks the note of a group that is most likely the new one: one whose
// line no note of the first build had, else the last.
func added(had, notes []model.Note) model.Note {
	for _, n := range notes {
		same := func(o model.Note) bool { return o.At().File == n.At().File && o.At().Line == n.At().Line }
		if !slices.ContainsFunc(had, same) {
			return n
		}
	}
	return notes[len(notes)-1]
}

func (n *Notes) escapes(text func(*Notes, model.Note) string) map[escapeKey][]model.Note {
	out := make(map[escapeKey][]model.Note)
	for _, note := range n.notes {
		if note.Kind != model.NoteEscape || strings.HasPrefix(note.Message, `"`) {
			continue // a constant string in an interface is not allocated
		}
		key := escapeKey{n.where(note), text(n, note)}
		out[key] = append(out[key], note)
	}
	return out
}

// where names the functions that a note was inlined through.
func (n *Notes) where(note model.Note) string {
	var where strings.Builder
	for _, at := range note.Chain {
		where.WriteString(n.symbol(at))
		where.WriteByte('\n')
	}
	return where.String()
}

// symbol names the function around a place in a way that survives edits in
// front of it: by directory and name within the tree, by place outside, where
// nothing is edited.
func (n *Notes) symbol(at model.Pos) string {
	if fn := n.sources[at.File].funcAt(at.Line); fn != nil {
		name := path.Dir(at.File) + "." + fn.name
		return cmp.Or(n.was[name], name)
	}
	if n.sources[at.File] != nil {
		return path.Dir(at.File) + "." // a package-level declaration
	}
	return at.String()
}

var autotmp = regexp.MustCompile(`\.autotmp_\d+`)

// text is a note's message without the compiler's running numbers.
func (n *Notes) text(note model.Note) string {
	return autotmp.ReplaceAllString(note.Message, ".autotmp")
}

// isHot reports whether any line of a function is hot.
func (n *Notes) isHot(dir, name string, hot func(model.Pos) bool) bool {
	for file, s := range n.sources {
		if s == nil || path.Dir(file) != dir {
			continue
		}
		for _, fn := range s.funcs {
			if fn.name != name {
				continue
			}
			for line := fn.start; line <= fn.end; line++ {
				if hot(model.Pos{File: file, Line: line}) {
					return true
				}
			}
		}
	}
	return false
}

// A callGroup is the calls of one name in one function.
type callGroup struct {
	inlined, other []model.Pos
}

type callKey struct{ dir, fn, name string }

const notInlined = " is no longer inlined"

func lostInlines(before, after *Notes, hot func(model.Pos) bool) []Change {
	now := after.calls()
	var out []Change
	for key, was := range before.calls() {
		is, ok := now[key]
		lost := min(len(was.inlined)-len(is.inlined), len(is.other)-len(was.other))
		if !ok || lost <= 0 || !slices.ContainsFunc(was.inlined, hot) {
			continue
		}
		out = append(out, Change{
			Kind: LostInline, At: is.other[0], Func: key.fn, Count: lost, Hot: true,
			Text: "call of " + key.name + notInlined + after.whyNot(is.other[0], key.name),
		})
	}
	return out
}

// calls groups the calls that stand in the tree's files. A call that came in
// by inlining another is left out: it is counted where it stands.
func (n *Notes) calls() map[callKey]callGroup {
	inlined := make(map[model.Pos][]string)
	compiled := make(map[string]bool) // files that notes were taken of
	for _, note := range n.notes {
		if note.Kind == model.NoteInlined {
			inlined[note.At()] = append(inlined[note.At()], lastName(callee(note)))
		}
		compiled[note.Chain[len(note.Chain)-1].File] = true
	}
	out := make(map[callKey]callGroup)
	for file, s := range n.sources {
		if s == nil || !compiled[file] {
			continue
		}
		for _, fn := range s.funcs {
			for _, c := range fn.calls {
				key := callKey{path.Dir(file), fn.name, c.name}
				g := out[key]
				if slices.Contains(inlined[c.at], c.name) {
					g.inlined = append(g.inlined, c.at)
				} else {
					g.other = append(g.other, c.at)
				}
				out[key] = g
			}
		}
	}
	for _, g := range out { // a function of one name can stand in several files
		sorted.By(g.inlined, comparePos)
		sorted.By(g.other, comparePos)
	}
	return out
}

// lastName returns M of "(*T).M", "pkg.M" or "pkg.M[go.shape.int]".
func lastName(callee string) string {
	depth, end := 0, len(callee)
	for i := len(callee) - 1; i >= 0; i-- {
		switch callee[i] {
		case ']':
			if depth++; depth == 1 && end == i+1 {
				end = -1 // a type argument list at the end
			}
		case '[':
			if depth--; depth == 0 && end == -1 {
				end = i
			}
		case '.':
			if depth == 0 && end > i {
				return callee[i+1 : end]
			}
		}
	}
	return callee[:max(end, 0)]
}

// whyNot returns ": reason" when the compiler gave one for a call, or for a
// function of that name in the same directory.
func (n *Notes) whyNot(at model.Pos, name string) string {
	for _, note := range n.OnLine(at.File, at.Line) {
		if note.Kind == model.NoteCannotInline && note.At().Col == at.Col {
			return ": " + note.Message
		}
	}
	for _, note := range n.notes {
		if note.Kind != model.NoteCannotInline || path.Dir(note.At().File) != path.Dir(at.File) {
			continue
		}
		fn := n.sources[note.At().File].funcAt(note.At().Line)
		if fn != nil && fn.start == note.At().Line && lastName(fn.name) == name {
			return ": " + note.Message
		}
	}
	return ""
}
