package hints

import (
	"fmt"
	"go/ast"
	"go/types"
	"maps"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/read/escape"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// An escaping is a value of the module that is on the heap, with what that
// costs.
type escaping struct {
	note model.Note
	fn   string
	ways ways
}

// ways are what the ways to an allocation cost, by the targets' IDs: a target
// counts once, however many notes it has.
type ways map[string]Heat

// heat sums up by benchmark.
func (w ways) heat() []Heat {
	var out []Heat
	for _, id := range slices.Sorted(maps.Keys(w)) {
		h := w[id]
		i := slices.IndexFunc(out, func(x Heat) bool { return x.Benchmark == h.Benchmark })
		if i < 0 {
			out = append(out, h)
			continue
		}
		out[i].Share = min(1, out[i].Share+h.Share)
		out[i].Ceiling = min(1, out[i].Ceiling+h.Ceiling)
		out[i].CPUShare = min(1, out[i].CPUShare+h.CPUShare)
	}
	return out
}

// coldEscapes drafts the findings on values that escape by a cold path.
func (s *search) coldEscapes() []*draft {
	var out []*draft
	for _, e := range s.escapings() {
		if d := s.escapeDraft(e); d != nil {
			out = append(out, d)
		}
	}
	return out
}

// escapings gathers the escapes at hot allocations, each once.
func (s *search) escapings() []*escaping {
	var out []*escaping
	for _, t := range s.targets() {
		if !t.Leaf.Module || t.Share < s.MinShare {
			continue
		}
		h := Heat{Benchmark: t.Benchmark, Share: t.Share, Ceiling: t.Ceiling, CPUShare: t.CPUShare}
		for _, n := range t.Notes {
			if n.Kind != model.NoteEscape || !inTree(n.At().File) {
				continue
			}
			i := slices.IndexFunc(out, func(e *escaping) bool { return sameNote(e.note, n) })
			if i < 0 {
				i = len(out)
				out = append(out, &escaping{note: n, fn: t.Leaf.Func, ways: make(ways)})
			}
			out[i].ways[t.ID] = h
		}
	}
	return out
}

func sameNote(a, b model.Note) bool {
	return a.Kind == b.Kind && a.Message == b.Message && slices.Equal(a.Chain, b.Chain)
}

func (s *search) escapeDraft(e *escaping) *draft {
	cause, step, ok := s.coldStep(e.note)
	if !ok {
		return nil
	}
	at := e.note.At()
	f := s.tree.file(at.File)
	v := f.escaped(e.note)
	blocks := []block{cause}
	if cause.f == f && v != nil {
		for _, b := range s.coldBlocks(cause.f, cause.fd) {
			if b.node != cause.node && b.uses(v) {
				blocks = append(blocks, b)
			}
		}
	}
	if slices.ContainsFunc(blocks, func(b block) bool { return b.f == f && b.first() <= at.Line && at.Line <= b.last() }) {
		return nil // what is made in the cold block is the cold block's
	}
	d := &draft{in: cause.f, fd: cause.fd, needed: true, ways: e.ways, f: finding{
		Kind: ColdEscape, At: at, Func: e.fn, Resource: model.Allocs,
		Message: e.note.Message, Notes: []model.Note{e.note},
		Text: fmt.Sprintf("the compiler's way to the heap is %s:%d (%s), which runs seldom or never", step.At.File, step.At.Line, strings.TrimPrefix(step.Text, "from ")),
	}}
	d.f.warm(e.ways.heat())
	if a, ok := copied(e.note, v, blocks); ok {
		d.alts = append(d.alts, a)
	}
	d.alts = append(d.alts, removed(e.note, blocks))
	return d
}

// coldStep returns the first step of a flow that stands in a cold block.
func (s *search) coldStep(n model.Note) (block, model.FlowStep, bool) {
	for _, step := range n.Flow {
		if !inTree(step.At.File) || !strings.HasPrefix(step.Text, "from ") {
			continue
		}
		f := s.tree.file(step.At.File)
		fd := f.funcAt(step.At.Line)
		if fd == nil || f.info == nil {
			continue
		}
		for _, b := range s.coldBlocks(f, fd) {
			if b.first() <= step.At.Line && step.At.Line <= b.last() {
				return b, step, true
			}
		}
	}
	return block{}, model.FlowStep{}, false
}

// escaped returns the variable that a note is about: the one that is on the
// heap, or the one that the value on the heap is first assigned to.
func (f *file) escaped(n model.Note) *types.Var {
	if f == nil || f.info == nil {
		return nil
	}
	var found *types.Var
	at := n.At()
	here := func(x ast.Node) bool { return f.Line(x.Pos()) == at.Line && f.Col(x.Pos()) == at.Col }
	for node := range code.All[ast.Node](f.Syntax) {
		switch node := node.(type) {
		case *ast.Ident:
			if v, ok := f.info.Defs[node].(*types.Var); ok && here(node) {
				found = v
			}
		case *ast.AssignStmt:
			for i, r := range node.Rhs {
				if id, ok := node.Lhs[i%len(node.Lhs)].(*ast.Ident); ok && len(node.Lhs) == len(node.Rhs) && allocatesAt(f, r, at) {
					found, _ = f.info.ObjectOf(id).(*types.Var)
				}
			}
		}
		if found != nil {
			break
		}
	}
	return found
}

// allocatesAt reports whether a place is that of the allocation which an
// expression is.
func allocatesAt(f *file, e ast.Expr, at model.Pos) bool {
	from, to := f.Line(e.Pos()), f.Line(e.End())
	if at.Line < from || to < at.Line {
		return false
	}
	switch e := ast.Unparen(e).(type) {
	case *ast.UnaryExpr, *ast.CompositeLit:
		return f.Line(e.Pos()) == at.Line && f.Col(e.Pos()) == at.Col
	case *ast.CallExpr:
		name := escape.CalledName(e.Fun)
		return (name == "make" || name == "new") && f.Line(e.Lparen) == at.Line && f.Col(e.Pos()) <= at.Col && at.Col <= f.Col(e.Lparen)
	}
	return false
}

// copied drafts that the cold blocks begin with a copy of the variable.
func copied(n model.Note, v *types.Var, blocks []block) (alternative, bool) {
	if v == nil || n.Message != v.Name()+" escapes to heap" {
		return alternative{}, false
	}
	a := alternative{
		holds: []string{
			v.Name() + " may be copied: it holds no lock, and is not so large that it matters there",
			"nothing that the block calls changes " + v.Name() + " for code outside the block, or keeps its address to see later changes",
		},
	}
	var where []string
	for _, b := range blocks {
		if !b.uses(v) || b.close < v.Pos() {
			return alternative{}, false
		}
		a.edits = append(a.edits, b.f.Insert(b.open, fmt.Sprintf(" %s := %s;", v.Name(), v.Name())))
		where = append(where, fmt.Sprint(b.first()))
	}
	a.try = fmt.Sprintf("begin the block at line %s with %s := %s: the copy is on the heap, and only when the block runs", strings.Join(where, " and that at line "), v.Name(), v.Name())
	a.check = staysOnStack(n)
	return a, true
}

// removed drafts that the cold blocks do not use the value. It is compiled
// with blocks that are never reached.
func removed(n model.Note, blocks []block) alternative {
	a := alternative{
		try:   fmt.Sprintf("give what line %d calls a copy that is made in the block, or a function of its own that takes the value and not its address", blocks[0].first()),
		holds: []string{"the message or error of that path stays the same, and nothing there changes the value for code outside the block"},
		check: staysOnStack(n),
	}
	for _, b := range blocks {
		end := "}"
		if b.leaves {
			end = "}; panic(0);"
		}
		a.edits = append(a.edits, b.f.Insert(b.open, " if false {"), b.f.Insert(b.close, end))
	}
	return a
}

// staysOnStack checks that the compiler no longer says that the value escapes.
func staysOnStack(n model.Note) func(*escape.Notes) (string, bool) {
	return func(after *escape.Notes) (string, bool) {
		for _, note := range after.At(n.Chain) {
			if note.Kind == model.NoteEscape && note.Message == n.Message {
				return "", false
			}
		}
		return "no “" + n.Message + "” at " + n.At().String(), true
	}
}
