package hints

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/types"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/types/typeutil"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/read/escape"
	"github.com/pawl-dev/pawl/internal/words"
)

// A callee is a function whose calls are hot, with what they cost.
type callee struct {
	f      *file
	fd     *ast.FuncDecl
	symbol string
	own    shares          // in its own code, outside loops, when called by one of calls
	calls  map[line]shares // the lines that call it, with their part of own
}

// near is the part of the budget by which a function may be above it to be
// just above it; far is that for one with a cold path that can be moved out.
const (
	near = 0.25
	far  = 4.0
)

var tooComplex = regexp.MustCompile(`^function too complex: cost (\d+) exceeds budget (\d+)$`)

// budgets drafts the findings on functions above the inlining budget.
func (s *search) budgets() []*draft {
	var out []*draft
	for _, c := range s.callees() {
		if c.own.most() < s.MinShare {
			continue
		}
		note, cost, budget := s.overBudget(c.f, c.fd)
		over := float64(cost-budget) / float64(max(budget, 1))
		if cost == 0 || over > far {
			continue
		}
		d := s.budgetDraft(c, note, cost, budget)
		d.needed = over > near
		out = append(out, d)
	}
	return out
}

// callees gathers the functions of the module that are called as such, by
// calls that could be inlined.
func (s *search) callees() []*callee {
	byDecl := make(map[*ast.FuncDecl]*callee)
	static := make(map[line]map[*ast.FuncDecl]bool)
	for _, c := range s.hot.costs {
		p := physical(c.Stack, 0)
		if p+1 >= len(c.Stack) || !c.Stack[p].Module {
			continue
		}
		f := s.tree.file(c.Stack[p].File)
		fd := f.funcAt(c.Stack[p].Line)
		if fd == nil || words.FuncName(fd) != declared(c.Stack[p].Func) || s.loops(c.Stack[:p+1]) {
			continue
		}
		call := lineOf(c.Stack[p+1])
		if static[call] == nil {
			static[call] = make(map[*ast.FuncDecl]bool)
		}
		is, known := static[call][fd]
		if !known {
			is = s.callsStatically(c.Stack[p+1], f, fd)
			static[call][fd] = is
		}
		if !is {
			continue
		}
		if byDecl[fd] == nil {
			byDecl[fd] = &callee{f, fd, c.Stack[p].Func, make(shares), make(map[line]shares)}
		}
		byDecl[fd].own[c.Benchmark] += c.Share
		add(byDecl[fd].calls, call, c.Benchmark, c.Share)
	}
	return slices.SortedFunc(maps.Values(byDecl), func(a, b *callee) int {
		return cmp.Or(cmp.Compare(a.f.Name, b.f.Name), cmp.Compare(a.fd.Pos(), b.fd.Pos()))
	})
}

// loops reports whether one of the frames of one function's code is in a loop.
func (s *search) loops(code []model.Frame) bool {
	return slices.ContainsFunc(code, func(f model.Frame) bool { return s.tree.inLoop(lineOf(f)) })
}

// callsStatically reports whether the line of a frame calls a function by its
// name, and not by go or defer, which are never inlined.
func (s *search) callsStatically(caller model.Frame, f *file, fd *ast.FuncDecl) bool {
	cf := s.tree.file(caller.File)
	if cf == nil || strings.Contains(caller.Func, ".deferwrap") || strings.Contains(caller.Func, ".gowrap") {
		return false
	}
	for _, call := range cf.callsOn(caller.Line) {
		switch cf.Parent(call).(type) {
		case *ast.GoStmt, *ast.DeferStmt:
			continue
		}
		if cf.info == nil { // a test, which is not type-checked
			if isTest(cf.Name) && escape.CalledName(call.Fun) == fd.Name.Name {
				return true
			}
			continue
		}
		if same(cf.static(call), f.object(fd)) {
			return true
		}
	}
	return false
}

func same(a, b *types.Func) bool {
	return a != nil && b != nil && a.Origin().FullName() == b.Origin().FullName()
}

func (f *file) object(fd *ast.FuncDecl) *types.Func {
	if f.info == nil {
		return nil
	}
	fn, _ := f.info.Defs[fd.Name].(*types.Func)
	return fn
}

// callsOn returns the calls whose parenthesis, by which the compiler places
// them, is on a line.
func (f *file) callsOn(n int) []*ast.CallExpr {
	var out []*ast.CallExpr
	ast.Inspect(f.Syntax, func(node ast.Node) bool {
		if node == nil || f.Line(node.Pos()) > n || f.Line(node.End()) < n {
			return false
		}
		if call, ok := node.(*ast.CallExpr); ok && f.Line(call.Lparen) == n {
			out = append(out, call)
		}
		return true
	})
	return out
}

// static returns the function or method that a call names, or nil when it is
// found at run time, or is none.
func (f *file) static(call *ast.CallExpr) *types.Func { return typeutil.StaticCallee(f.info, call) }

// overBudget returns the compiler's note that a function is above the budget,
// and the two numbers in it; 0 when there is none.
func (s *search) overBudget(f *file, fd *ast.FuncDecl) (note model.Note, cost, budget int) {
	for _, n := range declNotes(s.notes, f, fd) {
		m := tooComplex.FindStringSubmatch(n.Message)
		if n.Kind != model.NoteCannotInline || m == nil {
			continue
		}
		cost, _ = strconv.Atoi(m[1])
		budget, _ = strconv.Atoi(m[2])
		return n, cost, budget
	}
	return model.Note{}, 0, 0
}

// declNotes returns the notes on a function as a whole. The compiler places
// them behind the word func: at the name, or at the receiver's parenthesis.
func declNotes(notes *escape.Notes, f *file, fd *ast.FuncDecl) []model.Note {
	var out []model.Note
	at := fd.Name.Pos()
	if fd.Recv != nil {
		at = fd.Recv.Opening
	}
	for _, n := range notes.OnLine(f.Name, f.Line(at)) {
		if n.At().Col == f.Col(at) && len(n.Chain) == 1 {
			out = append(out, n)
		}
	}
	return out
}

// verdict is what the compiler prints about the inlining of a function with
// -m=2, without the function's text; "" when it did not look.
func verdict(notes *escape.Notes, f *file, fd *ast.FuncDecl) (text string, can bool) {
	for _, n := range declNotes(notes, f, fd) {
		switch n.Kind {
		case model.NoteCanInline:
			return "can inline " + words.FuncName(fd) + " with " + strings.Replace(n.Message, "cost: ", "cost ", 1), true
		case model.NoteCannotInline:
			text = "cannot inline " + words.FuncName(fd) + ": " + n.Message
		}
	}
	return text, false
}

func (s *search) budgetDraft(c *callee, note model.Note, cost, budget int) *draft {
	name := words.FuncName(c.fd)
	ceiling := maps.Clone(c.own)
	for at := range c.calls {
		for bm, share := range s.hot.own[at] {
			if _, ok := ceiling[bm]; ok {
				ceiling[bm] += share
			}
		}
	}
	top := busiest(c.calls)
	d := &draft{in: c.f, fd: c.fd, f: finding{
		Kind: InlineBudget, At: note.At(), Func: c.symbol, Resource: model.CPU,
		Message: "cannot inline " + name + ": " + note.Message, Notes: []model.Note{note},
		Text: fmt.Sprintf("%s is %d above the inlining budget; it is called on %s:%d, and %s of the CPU time is in its own code outside loops",
			name, cost-budget, top.file, top.n, words.Percent(c.own.most())),
	}}
	d.f.warm(heat(c.own, ceiling))
	if a, ok := s.outline(c); ok {
		d.alts = append(d.alts, a)
	}
	d.alts = append(d.alts, s.uninlined(c)...)
	d.alts = append(d.alts, s.slowPaths(c)...)
	d.alts = append(d.alts, alternative{
		try:   fmt.Sprintf("take %d off what %s costs: most calls in it that are not inlined count 57 and their arguments, other nodes of the syntax about 1 each; move what runs seldom to a function of its own", cost-budget, name),
		holds: []string{"what is moved is evaluated in the same order and under the same conditions"},
	})
	return d
}

// outline drafts that the cold blocks are moved out.
func (s *search) outline(c *callee) (alternative, bool) {
	a := alternative{holds: []string{
		"the new function has //go:noinline, or is too complex to be inlined: else its cost counts again",
		"nothing that the moved code calls looks at its caller (runtime.Caller, log with a file and line)",
	}}
	var moves, at []string
	for _, b := range s.coldBlocks(c.f, c.fd) {
		o, ok := s.outlined(b)
		if !ok {
			continue
		}
		a.edits = append(a.edits, o.edits...)
		text := fmt.Sprintf("%s at line %d", o.what, b.first())
		if len(o.args) > 0 {
			text += " (from " + strings.Join(o.args, ", ") + ")"
		}
		moves, at = append(moves, text), append(at, fmt.Sprint(b.first()))
	}
	if len(a.edits) == 0 || isGeneric(c.f, c.fd) {
		return a, false
	}
	a.try = "move " + strings.Join(moves, " and ") + " to a function of its own"
	a.text = "; part of the cost is at line " + strings.Join(at, ", ") + ", which runs seldom or never"
	a.check = c.fits
	return a, true
}

// inlined reports whether the compiler inlines one of the calls. Those in
// packages that were not compiled again are not known, and taken for inlined.
func (c *callee) inlined(n *escape.Notes) bool {
	known := false
	for at := range c.calls {
		names := n.Inlined(model.Pos{File: at.file, Line: at.n})
		if slices.ContainsFunc(names, func(name string) bool { return lastName(name) == c.fd.Name.Name }) {
			return true
		}
		known = known || path(at.file) == path(c.f.Name) && !isTest(at.file)
	}
	return !known
}

func busiest(calls map[line]shares) line {
	return slices.MinFunc(slices.Collect(maps.Keys(calls)), func(a, b line) int {
		return cmp.Or(cmp.Compare(calls[b].most(), calls[a].most()), cmp.Compare(a.file, b.file), cmp.Compare(a.n, b.n))
	})
}

func path(file string) string { return file[:strings.LastIndexByte(file, '/')+1] }
