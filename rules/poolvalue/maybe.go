package poolvalue

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// A maybe takes an object that may not be there: if x := pool.Get(); x != nil { v = x.(T) }, or v, ok := pool.Get().(T).
type maybe struct {
	*user
	name   string              // of the pointer
	typ    string              // T
	at     ast.Node            // the statement before which the pointer is declared, in the form with x
	taken  *ast.AssignStmt     // v, ok := pool.Get().(T); nil for the other form
	assert *ast.TypeAssertExpr // x.(T)
	in     *ast.AssignStmt     // with it, in the form with x
}

// maybe reads a function that takes an object at most once, outside of loops and literals; nil for others.
func (u *user) maybe(fd *ast.FuncDecl) *maybe {
	m := &maybe{user: u, name: code.FreeLocal(fd, "pooled")}
	if !once(u.get, fd) || u.puts > 0 && (!once(u.put, fd) || u.put.Parent().ParentEdgeKind() != edge.BlockStmt_List || u.put.Node().Pos() < u.get.Node().End()) {
		return nil
	}
	if u.puts > 0 && !m.sayable(u.put.Node()) || !m.sayable(u.get.Node()) {
		return nil
	}
	if _, ok := u.get.Parent().Node().(*ast.TypeAssertExpr); ok {
		return m.commaOK()
	}
	return m.checked(fd)
}

// sayable reports whether the type of what is pooled can be named at a place, and a new one be made there.
func (m *maybe) sayable(at ast.Node) bool {
	_, ok := code.TypeText(m.p, m.elem, at.Pos())
	return ok && code.Predeclared(m.p.Pkg, at.Pos(), "new", "nil")
}

// once reports whether a call is run once at most in a function.
func once(call inspector.Cursor, fd *ast.FuncDecl) bool {
	for c := call; c.Node() != ast.Node(fd); c = c.Parent() {
		switch c.Node().(type) {
		case *ast.ForStmt, *ast.RangeStmt, *ast.FuncLit, *ast.DeferStmt, *ast.GoStmt:
			return false
		}
	}
	return true
}

// commaOK reads v, ok := pool.Get().(T), in whose block the object is put back.
func (m *maybe) commaOK() *maybe {
	assertion := m.get.Parent()
	as, ok := assertion.Parent().Node().(*ast.AssignStmt)
	if !ok || len(as.Lhs) != 2 || as.Tok != token.DEFINE || assertion.Parent().ParentEdgeKind() != edge.BlockStmt_List ||
		m.puts > 0 && !code.Within(assertion.Parent().Parent().Node(), m.put.Node()) {
		return nil
	}
	for _, l := range as.Lhs {
		id, ok := l.(*ast.Ident)
		if !ok || m.p.TypesInfo.Defs[id] == nil {
			return nil
		}
	}
	m.taken = as
	return m.of(assertion.Node().(*ast.TypeAssertExpr))
}

// checked reads if x := pool.Get(); x != nil { … x.(T) … }, where x is used for nothing else.
func (m *maybe) checked(fd *ast.FuncDecl) *maybe {
	as, ok := m.get.Parent().Node().(*ast.AssignStmt)
	cond, isIf := m.get.Parent().Parent().Node().(*ast.IfStmt)
	if !ok || !isIf || len(as.Lhs) != 1 || as.Tok != token.DEFINE || cond.Init != ast.Stmt(as) {
		return nil
	}
	x := m.p.TypesInfo.Defs[as.Lhs[0].(*ast.Ident)]
	is, ok := cond.Cond.(*ast.BinaryExpr)
	if x == nil || !ok || is.Op != token.NEQ || code.Var(m.p.TypesInfo, is.X) != x || !code.IsNil(m.p.TypesInfo, is.Y) {
		return nil
	}
	var assertion *ast.TypeAssertExpr
	for cur := range m.get.Parent().Parent().Preorder((*ast.Ident)(nil)) {
		if m.p.TypesInfo.Uses[cur.Node().(*ast.Ident)] != x || code.Within(cond.Cond, cur.Node()) {
			continue
		}
		ta, ok := cur.Parent().Node().(*ast.TypeAssertExpr)
		if !ok || assertion != nil || !m.plain(cur.Parent(), cond.Body) {
			return nil
		}
		assertion = ta
	}
	for _, s := range fd.Body.List {
		if code.Within(s, cond) {
			m.at = s
		}
	}
	if !m.sayable(m.at) {
		return nil
	}
	return m.of(assertion)
}

// plain reports whether an assertion is what a statement of a list assigns, or is cut there.
func (m *maybe) plain(assertion inspector.Cursor, body *ast.BlockStmt) bool {
	stmt := assertion.Parent()
	if sl, ok := stmt.Node().(*ast.SliceExpr); ok && sl.X == assertion.Node() && bound(m.p, sl.Low) && bound(m.p, sl.High) && bound(m.p, sl.Max) {
		stmt = stmt.Parent()
	}
	as, ok := stmt.Node().(*ast.AssignStmt)
	m.in = as
	return ok && len(as.Lhs) == 1 && len(as.Rhs) == 1 && stmt.Parent().Node() == ast.Node(body)
}

// of takes the assertion, which must be to what the pool holds.
func (m *maybe) of(assertion *ast.TypeAssertExpr) *maybe {
	if assertion == nil || assertion.Type == nil || !types.Identical(m.p.TypesInfo.TypeOf(assertion.Type), m.elem) {
		return nil
	}
	m.assert, m.typ = assertion, m.p.Source(assertion.Type)
	return m
}

// edits returns those that keep the pointer, and make one where there is none.
func (m *maybe) edits() ([]analysis.TextEdit, bool) {
	edits := m.taking()
	if m.puts == 0 {
		return edits, true
	}
	call := m.put.Node().(*ast.CallExpr)
	at := m.put.Parent().Node().Pos()
	return append(edits,
		analysis.TextEdit{Pos: at, End: at, NewText: []byte("if " + m.name + " == nil {\n\t" + m.name + " = new(" + m.typ + ")\n}\n*" + m.name + " = " + m.p.Source(call.Args[0]) + "\n")},
		analysis.TextEdit{Pos: call.Args[0].Pos(), End: call.Args[0].End(), NewText: []byte(m.name)}), true
}

func (m *maybe) taking() []analysis.TextEdit {
	if m.taken != nil {
		v, ok := m.p.Source(m.taken.Lhs[0]), m.p.Source(m.taken.Lhs[1])
		text := m.name + ", " + ok + " := " + m.p.Source(m.get.Node()) + ".(*" + m.typ + ")\nvar " + v + " " + m.typ + "\nif " + m.name + " != nil {\n\t" + v + " = *" + m.name + "\n}"
		return []analysis.TextEdit{{Pos: m.taken.Pos(), End: m.taken.End(), NewText: []byte(text)}}
	}
	value := "*" + m.name
	if cut, ok := m.in.Rhs[0].(*ast.SliceExpr); ok && cut.X == ast.Expr(m.assert) {
		value = "(" + value + ")"
	}
	return []analysis.TextEdit{
		{Pos: m.at.Pos(), End: m.at.Pos(), NewText: []byte("var " + m.name + " *" + m.typ + "\n")},
		{Pos: m.in.Pos(), End: m.in.Pos(), NewText: []byte(m.name + " = " + m.p.Source(m.assert.X) + ".(*" + m.typ + ")\n")},
		{Pos: m.assert.Pos(), End: m.assert.End(), NewText: []byte(value)},
	}
}
