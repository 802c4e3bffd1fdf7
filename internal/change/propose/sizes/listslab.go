package sizes

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// ListSlab takes the first memory of the many lists that a loop begins from arrays for several.
var ListSlab = prove.Transformation{
	Name:     "list-slab",
	Doc:      "Lists that a loop begins by append, such as those of a map, and that often hold one element, begin as parts of an array for several of them.",
	Saves:    prove.Allocs,
	Evidence: prove.Evidence(proofs, "list-slab", "BenchmarkParse", "allocs", "one allocation for the values of eight fields", 0),
	// It looks at the appends on the target's line, which growth is attributed to.
	Propose: prove.At(prove.Here, func(s *prove.Site) {
		for a := range prove.On[*ast.AssignStmt](s) {
			if l := listsOf(s.Program, s.Fn, a); l != nil && l.count(s.Target) > 0 {
				ch, why := l.propose(l.count(s.Target))
				s.Add(types.ExprString(l.to)+" begins with an allocation of its own", ch, why)
			}
		}
	}),
}

// For how many lists an array is where nothing is measured, at least and at most, and how many bytes it has at most. Where what
// is allocated is on average longLists times as large as a list's beginning, lists grow: first-room saves more.
const (
	usualLists, leastLists, mostLists = 8, 4, 32
	mostListBytes                     = 1 << 10
	longLists                         = 4
)

// A listsMade is a statement m[k] = append(m[k], v) or its like, which adds to one of many lists.
type listsMade struct {
	*opening
	loop ast.Stmt // the outermost around it
	each int64    // how many elements append makes room for, for the first
}

// listsOf reads a statement; nil for others, and where no loop says that there are many lists.
func listsOf(p *prove.Program, fn *prove.Function, a *ast.AssignStmt) *listsMade {
	info := fn.Info()
	if len(a.Lhs) != 1 || len(a.Rhs) != 1 || code.StmtList(fn.File.Parent(a)) == nil {
		return nil
	}
	call, ok := ast.Unparen(a.Rhs[0]).(*ast.CallExpr)
	if !ok || code.Builtin(info, call) != "append" || len(call.Args) != 2 || call.Ellipsis.IsValid() {
		return nil
	}
	to, typ := ast.Unparen(a.Lhs[0]), info.TypeOf(a.Rhs[0]) // on the left a blank has no type
	slice, ok := code.Core(typ).(*types.Slice)
	if !ok || code.Generic(slice.Elem()) || code.Acts(info, to) || p.Source(fn.File, to) != p.Source(fn.File, ast.Unparen(call.Args[0])) {
		return nil
	}
	// A variable of the function keeps the list until append has come back, as with an entry of a map.
	o := &opening{growing: &growing{counter: counter{p, fn, to}, typ: typ}, stmt: a, call: call, entry: true}
	l := &listsMade{opening: o, loop: outermost(fn, a)}
	size := fn.File.Pkg.TypesSizes.Sizeof(slice.Elem())
	if l.loop == nil || size == 0 || !l.differs(to) {
		return nil
	}
	l.each = max(8/size, 1)
	return l
}

// outermost returns the outermost loop around a statement whose turns its function runs itself.
func outermost(fn *prove.Function, s ast.Stmt) (found ast.Stmt) {
	for n := ast.Node(s); ; {
		body := fn.File.Loop(n)
		if body == nil {
			return found
		}
		loop, _ := fn.File.Parent(body).(ast.Stmt)
		if r, ok := loop.(*ast.RangeStmt); ok && prove.OthersRange(fn.Info(), r) {
			return found
		}
		n, found = loop, loop
	}
}

// differs reports whether a place may be another in another turn of the loop.
func (l *listsMade) differs(to ast.Expr) bool {
	info := l.fn.Info()
	sets := func(v *types.Var) bool {
		return code.Any(l.loop, func(s ast.Stmt) bool {
			return slices.ContainsFunc(code.Assigned(s), func(e ast.Expr) bool { return code.Var(info, e) == v })
		})
	}
	within := func(e ast.Node) bool {
		return code.Any(e, func(id *ast.Ident) bool {
			v := code.Var(info, id)
			return v != nil && !v.IsField() && (code.Declares(l.loop, v) || sets(v))
		})
	}
	switch to := to.(type) {
	case *ast.IndexExpr:
		_, named := ast.Unparen(to.Index).(*ast.Ident)
		return within(to) || !named && info.Types[to.Index].Value == nil
	case *ast.SelectorExpr:
		return info.Selections[to] != nil && within(to)
	}
	return false
}

// count returns for how many lists an array is; 0 where too few are begun, or they are too large, or grow long. What is left of
// the last array is as much as half of the beginnings take, at most.
func (l *listsMade) count(t model.Target) int64 {
	n := int64(usualLists)
	if t.Bytes > 0 {
		if t.PerOp < leastLists || t.Bytes > float64(longLists*l.part())*t.PerOp {
			return 0
		}
		for n = mostLists; n > leastLists && float64(2*n) > t.PerOp; {
			n /= 2
		}
	}
	if n = min(n, mostListBytes/l.part()); n < leastLists {
		return 0
	}
	return n
}

// part is how many bytes of the array a list begins with.
func (l *listsMade) part() int64 {
	return l.each * l.fn.File.Pkg.TypesSizes.Sizeof(l.elem())
}

func (l *listsMade) elem() types.Type { return code.Core(l.typ).(*types.Slice).Elem() }

func (l *listsMade) propose(n int64) (*model.Change, *prove.Reason) {
	f, what := l.fn.File, types.ExprString(l.to)
	switch {
	case code.Jumps(l.fn.Decl.Body):
		return nil, prove.Refuse(l.fn.Obj.Name() + " uses goto")
	case f.Commented(l.stmt):
		return nil, prove.Refuse("there is a comment within the statement")
	case !code.Predeclared(l.fn.Obj.Pkg(), l.stmt.Pos(), "make", "nil", "append", "len"):
		return nil, prove.Refuse("make, nil, append or len means something else there")
	case code.Waits(l.fn.Info(), l.loop):
		return nil, prove.Refuse("the loop waits: lists that it begins one after the other need not live as long")
	}
	if at := l.forgotten(); at != "" {
		return nil, prove.Refuse("lists are deleted one by one at " + at + ": those that were made together need not live as long")
	}
	own, why := l.p.ElementsFree(l.elem())
	if why != nil {
		return nil, why
	}
	edits, why := l.edits(n)
	if why != nil {
		return nil, why
	}
	return l.p.Change(l.fn, edits, model.Change{
		Kind:  "list-slab",
		Title: fmt.Sprintf("%s: begin every %s of %s in an array for %d", f.Pkg.Name, what, l.fn.Obj.Name(), n),
		Obligations: []model.Obligation{
			{Text: "each list has the elements and the room that it had", How: "proven",
				Why: fmt.Sprintf("it is nil before, and its part of the array has room for %d, as append makes for the first; what grows beyond is copied, as before", l.each)},
			{Text: "no two lists have memory in common", How: "proven", Why: "each part is cut off once, with its own capacity, and nothing but a variable of " + l.fn.Obj.Name() + " has the array"},
			own,
			{Text: "lists that were made together live about as long", How: "assumed", Why: "one that is kept keeps its array; measurement and the reader decide"},
		},
		Retains: fmt.Sprintf("%d bytes as long as one of %d lists lives", n*l.part(), n),
	})
}

// forgotten says where the package deletes lists from the map: it holds on to them one by one.
func (l *listsMade) forgotten() string {
	w := l.whose()
	for _, f := range l.fn.File.Pkg.Files {
		for call := range code.All[*ast.CallExpr](f.Syntax) {
			if info := f.Pkg.TypesInfo; w.entry && code.Builtin(info, call) == "delete" && w.names(info, call.Args[0]) {
				return l.p.Pos(call.Pos()).String()
			}
		}
	}
	return ""
}

// edits declare the array in front of the loop, and cut a list off it before the append. What may add to the list in a call
// is evaluated before the list is read.
func (l *listsMade) edits(n int64) ([]model.Edit, *prove.Reason) {
	p, f, pkg := l.p, l.fn.File, l.fn.Obj.Pkg()
	list, room := code.FirstFree(l.fn.Decl, "list", "found", "all"), code.FirstFree(l.fn.Decl, "room", "spare", "slab")
	typ, ok := code.TypeTextIn(l.fn.Info(), pkg, f.Syntax, l.typ, l.loop.Pos())
	inner, same := code.TypeTextIn(l.fn.Info(), pkg, f.Syntax, l.typ, l.stmt.Pos())
	if !ok || !same || typ != inner {
		return nil, prove.Refuse("the type cannot be written in front of the loop")
	}
	start := l.loop
	if label, ok := f.Parent(start).(*ast.LabeledStmt); ok {
		start = label
	}
	if list == "" || room == "" || code.StmtList(f.Parent(start)) == nil {
		return nil, prove.Refuse("there is no place or name for the array")
	}
	before, edits, why := "", []model.Edit(nil), (*prove.Reason)(nil)
	if l.runs(l.call.Args[1]) {
		before, edits, why = l.hoistedFor()
	}
	if why != nil {
		return nil, why
	}
	of := l.call.Args[0]
	return append(edits,
		p.Insert(f, start.Pos(), fmt.Sprintf("var %s %s\n", room, typ)),
		p.Insert(f, l.stmt.Pos(), before+fmt.Sprintf("%[1]s := %[2]s\nif %[1]s == nil {\n\tif len(%[3]s) == 0 {\n\t\t%[3]s = make(%[4]s, %[5]d)\n\t}\n\t%[1]s, %[3]s = %[3]s[:0:%[6]d], %[3]s[%[6]d:]\n}\n",
			list, p.Source(f, of), room, typ, n*l.each, l.each)),
		p.Put(f, of.Pos(), of.End(), list)), nil
}
