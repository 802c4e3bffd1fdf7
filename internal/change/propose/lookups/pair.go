package lookups

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// A pair is a look-up and the reads of the same entry that it can serve.
type pair struct {
	p     *prove.Program
	fn    *prove.Function
	first *ast.IndexExpr  // made up where the first look-up is the loop's
	at    ast.Stmt        // that has the first look-up: an if statement, v, ok := m[k], or a loop over the map
	def   *ast.AssignStmt // v, ok := m[k], if it is one; else the look-up is a part of the condition
	after bool            // the value is wanted behind the if statement, too
	names []types.Object  // variables and fields that name the map and the key
	held  []types.Type    // of elements of lists that do so, too
	nan   bool            // a key may differ from itself
	reads []*ast.IndexExpr
}

// pairsIn returns the pairs of a function.
func pairsIn(p *prove.Program, fn *prove.Function) []*pair {
	var found []*pair
	for s := range code.All[ast.Stmt](fn.Decl.Body) {
		l := &pair{p: p, fn: fn}
		switch s := s.(type) {
		case *ast.IfStmt:
			l.ofIf(s)
		case *ast.RangeStmt:
			l.ofRange(s)
		case *ast.AssignStmt:
			if slices.Contains(code.StmtList(fn.File.Parent(s)), ast.Stmt(s)) && l.defines(s) {
				l.at = s
				l.follow(l.behind(s)...)
			}
		}
		if len(l.reads) > 0 {
			found = append(found, l)
		}
	}
	return found
}

// ofIf reads if v, ok := m[k]; … and if … m[k] …, where that comes first.
func (l *pair) ofIf(s *ast.IfStmt) {
	l.at = s
	if def, ok := s.Init.(*ast.AssignStmt); ok && l.defines(def) {
		if !l.branches(s) {
			return
		}
		// Behind the statement the map has the entry, or has it not, as in the head.
		if len(l.reads) == 0 && code.Departs(s.Body) && s.Else == nil && slices.Contains(code.StmtList(l.fn.File.Parent(s)), ast.Stmt(s)) {
			l.after = true
			l.follow(l.behind(s)...)
		}
		return
	}
	if first := l.leftmost(s.Cond); s.Init == nil && first != nil && l.named(first) {
		l.first = first
		if !l.branches(s) && l.changedIn(operand(s.Cond)) {
			l.reads = nil // which of the two comes first is open
		}
	}
}

// operand returns the part of a condition that is evaluated first, and in an order that is open.
func operand(cond ast.Expr) ast.Expr {
	for {
		both, ok := ast.Unparen(cond).(*ast.BinaryExpr)
		if !ok || both.Op != token.LAND && both.Op != token.LOR {
			return cond
		}
		cond = both.X
	}
}

// branches looks for reads in the condition and in both branches; it is false
// if the condition itself may change the entry.
func (l *pair) branches(s *ast.IfStmt) bool {
	if !l.follow(&ast.ExprStmt{X: s.Cond}) {
		return false
	}
	l.follow(s.Body)
	if s.Else != nil {
		l.follow(s.Else)
	}
	return true
}

// behind returns the statements that follow in the same list.
func (l *pair) behind(s ast.Stmt) []ast.Stmt {
	list := code.StmtList(l.fn.File.Parent(s))
	return list[slices.Index(list, s)+1:]
}

// defines reads v, ok := m[k]. What v is is not written later.
func (l *pair) defines(s *ast.AssignStmt) bool {
	if s.Tok != token.DEFINE || len(s.Lhs) != 2 || len(s.Rhs) != 1 {
		return false
	}
	first, ok := ast.Unparen(s.Rhs[0]).(*ast.IndexExpr)
	if !ok || !l.named(first) {
		return false
	}
	id := s.Lhs[0].(*ast.Ident)
	if v := l.fn.Info().ObjectOf(id); v != nil && (l.fn.Info().Defs[id] == nil || code.WrittenIn(l.fn.Info(), l.fn.Decl.Body, v)) {
		return false
	}
	l.first, l.def = first, s
	return true
}

// leftmost returns the map element that a condition begins with; nil where Go knows the condition's value without it.
func (l *pair) leftmost(e ast.Expr) *ast.IndexExpr {
	if l.fn.Info().Types[e].Value != nil {
		return nil // the length of an array: a key that cannot be hashed does not panic
	}
	switch e := e.(type) {
	case *ast.IndexExpr:
		if l.isMap(e) {
			return e
		}
		return l.leftmost(e.X)
	case *ast.ParenExpr:
		return l.leftmost(e.X)
	case *ast.UnaryExpr:
		return l.leftmost(e.X)
	case *ast.BinaryExpr:
		return l.leftmost(e.X)
	case *ast.SelectorExpr:
		return l.leftmost(e.X)
	case *ast.CallExpr:
		if len(e.Args) == 1 && (code.Builtin(l.fn.Info(), e) == "len" || l.fn.Info().Types[e.Fun].IsType()) {
			return l.leftmost(e.Args[0])
		}
	}
	return nil
}

func (l *pair) isMap(e *ast.IndexExpr) bool { return mapOf(l.fn.Info(), e) != nil }

// mapOf returns the type of the map that e is an element of, nil for others.
func mapOf(info *types.Info, e *ast.IndexExpr) *types.Map {
	m, _ := code.Core(info.TypeOf(e.X)).(*types.Map)
	return m
}

// named reads what names the map and the key; it is false where that is more
// than variables, their fields, elements of lists and constants.
func (l *pair) named(e *ast.IndexExpr) bool {
	l.names, l.held = nil, nil
	return l.isMap(e) && l.place(e.X) && l.name(e.Index)
}

// place is name for a map, which an element of a list may be, too.
func (l *pair) place(e ast.Expr) bool {
	at, ok := ast.Unparen(e).(*ast.IndexExpr)
	if !ok {
		return l.name(e)
	}
	switch code.Core(code.Pointee(code.Core(l.fn.Info().TypeOf(at.X)))).(type) {
	case *types.Slice, *types.Array:
		l.held = append(l.held, l.fn.Info().TypeOf(at))
		return l.place(at.X) && l.name(at.Index)
	}
	return false
}

func (l *pair) name(e ast.Expr) bool {
	info := l.fn.Info()
	if info.Types[e].Value != nil {
		return true
	}
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		v, ok := info.ObjectOf(e).(*types.Var)
		l.names = append(l.names, v)
		return ok
	case *ast.SelectorExpr:
		v, ok := info.Uses[e.Sel].(*types.Var)
		l.names = append(l.names, v)
		s := info.Selections[e]
		return ok && (s == nil || len(s.Index()) == 1 && l.name(e.X)) // not through what is embedded, which has no name here
	}
	return false
}

// edits keeps the value in a variable, and reads that.
func (l *pair) edits() ([]model.Edit, *prove.Reason) {
	f := l.fn.File
	name := code.FirstFree(l.fn.Decl, "value", "found", "entry", "element")
	var edits []model.Edit
	put := func(start, end token.Pos, text string) {
		edits = append(edits, l.p.Put(f, start, end, text))
	}
	if loop, ok := l.at.(*ast.RangeStmt); ok {
		return l.rangeEdits(loop, name)
	}
	switch id := l.defined(); {
	case id != nil && id.Name != "_":
		name = id.Name
	case name == "":
		return nil, prove.Refuse("no name for it is free")
	case id != nil:
		put(id.Pos(), id.End(), name)
	default:
		s := l.at.(*ast.IfStmt)
		put(s.Cond.Pos(), s.Cond.Pos(), name+" := "+l.p.Source(f, l.first)+"; ")
		put(l.first.Pos(), l.first.End(), name)
	}
	if l.after {
		s := l.at.(*ast.IfStmt)
		for _, e := range l.def.Lhs {
			if id := e.(*ast.Ident); id.Name != "_" && l.meansElse(id) {
				return nil, prove.Refuse(id.Name + " means something else around the statement")
			}
		}
		edits = nil
		def := name + ", " + l.p.Source(f, l.def.Lhs[1]) + " := " + l.p.Source(f, l.first)
		put(s.Pos(), s.Cond.Pos(), def+"\nif ")
	}
	for _, e := range l.reads {
		if id := l.defined(); id != nil && id.Name != "_" && l.object(name, e.Pos()) != l.fn.Info().Defs[id] && !l.after {
			return nil, prove.Refuse(name + " means something else where it is wanted")
		}
		put(e.Pos(), e.End(), name)
	}
	return edits, nil
}

// defined returns the first variable of v, ok := m[k].
func (l *pair) defined() *ast.Ident {
	if l.def == nil {
		return nil
	}
	return l.def.Lhs[0].(*ast.Ident)
}

// object returns what a name means at a place.
func (l *pair) object(name string, at token.Pos) types.Object {
	_, obj := l.fn.Obj.Pkg().Scope().Innermost(at).LookupParent(name, at)
	return obj
}

// meansElse reports whether a name is one of the function's around the if
// statement, or is used beside it in its list: what is moved out of the head
// would take its place.
func (l *pair) meansElse(id *ast.Ident) bool {
	obj := l.object(id.Name, l.at.Pos())
	found := obj != nil && obj.Parent() != l.fn.Obj.Pkg().Scope() && obj.Parent() != types.Universe
	for _, s := range code.StmtList(l.fn.File.Parent(l.at)) {
		found = found || code.Any(s, func(other *ast.Ident) bool { return other.Name == id.Name && !code.Within(l.at, other) })
	}
	return found
}
