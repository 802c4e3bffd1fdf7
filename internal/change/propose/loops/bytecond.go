package loops

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// A byteScope is code that looks at one byte at a time: the body of a loop
// over a string or slice, or a function that is given the byte.
type byteScope struct {
	p    *prove.Program
	fn   *prove.Function
	body *ast.BlockStmt
	vars []types.Object // variables that hold the byte and keep it
	// The byte is src[index] as well; both are nil in a function that is given
	// the byte.
	src, index types.Object
	depth      int // of calls that are looked into
}

// A byteCond is what holds of a byte when a statement is reached.
type byteCond struct {
	scope *byteScope
	e     ast.Expr
	equal bool // the byte equals e; else e itself is the condition
	not   bool
}

// isByte reports whether e is the byte.
func (s *byteScope) isByte(e ast.Expr) bool {
	info := s.fn.Info()
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		for _, v := range s.vars {
			if info.Uses[e] == v {
				return true
			}
		}
	case *ast.IndexExpr:
		return s.index != nil && prove.IsUseOf(info, e.X, s.src) && prove.IsUseOf(info, e.Index, s.index)
	}
	return false
}

// holders finds the variables that are defined as the byte and keep it.
func (s *byteScope) holders() {
	info := s.fn.Info()
	for a := range code.All[*ast.AssignStmt](s.body) {
		if !s.defines(a) {
			continue
		}
		if v := info.Defs[a.Lhs[0].(*ast.Ident)]; v != nil && !code.WrittenIn(info, s.body, v) {
			s.vars = append(s.vars, v)
		}
	}
}

// defines reports whether a statement does nothing but define a variable as
// the byte.
func (s *byteScope) defines(stmt ast.Stmt) bool {
	a, ok := stmt.(*ast.AssignStmt)
	if !ok || a.Tok != token.DEFINE || len(a.Lhs) != 1 || len(a.Rhs) != 1 || !s.isByte(a.Rhs[0]) {
		return false
	}
	_, ok = a.Lhs[0].(*ast.Ident)
	return ok
}

// reach returns what holds of the byte whenever stmt of the body runs, or why
// that cannot be said. Anything else that happens before is a reason.
func (s *byteScope) reach(stmt ast.Stmt) (conds []byteCond, why *prove.Reason) {
	for child := ast.Node(stmt); ; {
		var level []byteCond
		up := s.fn.File.Parent(child)
		for _, before := range code.StmtList(up) {
			if before.Pos() >= child.Pos() {
				break
			}
			c, why := s.passed(before)
			if why != nil {
				return nil, why
			}
			level = append(level, c...)
		}
		var around []byteCond
		next := up
		switch n := up.(type) {
		case *ast.BlockStmt:
			if n == s.body {
				return append(level, conds...), nil
			}
		case *ast.IfStmt:
			if child != n.Body && child != n.Else {
				return nil, prove.Refuse("it stands in the head of a statement")
			}
			if around, why = s.branch(n, child); why != nil {
				return nil, why
			}
		case *ast.CaseClause:
			next = s.fn.File.Parent(s.fn.File.Parent(n))
			if around, why = s.clause(next, n); why != nil {
				return nil, why
			}
		default:
			return nil, prove.Refuse("it stands in a statement that pawl does not look into")
		}
		conds = append(append(around, level...), conds...)
		child = next
	}
}

// deciding tells the conditions that look at the byte from the others; all do if none does.
func deciding(conds []byteCond) (of, held []byteCond) {
	for _, c := range conds {
		if c.equal || code.Any(c.e, c.scope.isByte) {
			of = append(of, c)
		} else {
			held = append(held, c)
		}
	}
	if of == nil {
		return conds, nil
	}
	return of, held
}

// passed returns what holds after a statement that runs before the append.
func (s *byteScope) passed(stmt ast.Stmt) ([]byteCond, *prove.Reason) {
	if s.defines(stmt) {
		return nil, nil
	}
	n, ok := stmt.(*ast.IfStmt)
	if !ok || n.Else != nil || !jumps(n.Body) {
		return nil, prove.Refuse("something else is done before it (" + s.p.Pos(stmt.Pos()).String() + ")")
	}
	return s.test(n, true)
}

// test returns the condition of an if statement, or its opposite.
func (s *byteScope) test(n *ast.IfStmt, not bool) ([]byteCond, *prove.Reason) {
	if n.Init != nil && !s.defines(n.Init) || !s.pure(n.Cond) {
		return nil, prove.Refuse("the condition " + prove.Short(types.ExprString(n.Cond)) + " looks at more than the byte")
	}
	return []byteCond{{scope: s, e: n.Cond, not: not}}, nil
}

func (s *byteScope) branch(n *ast.IfStmt, child ast.Node) ([]byteCond, *prove.Reason) {
	return s.test(n, child == n.Else)
}

// clause returns what holds in a clause of a switch: its own values, and none
// of those before it; in the default none at all.
func (s *byteScope) clause(up ast.Node, c *ast.CaseClause) ([]byteCond, *prove.Reason) {
	sw, ok := up.(*ast.SwitchStmt)
	if !ok || sw.Init != nil && !s.defines(sw.Init) || sw.Tag != nil && !s.isByte(sw.Tag) {
		return nil, prove.Refuse("it stands in a switch on more than the byte")
	}
	var conds []byteCond
	for _, stmt := range sw.Body.List {
		other := stmt.(*ast.CaseClause)
		if fallsThrough(other) {
			return nil, prove.Refuse("the switch around it uses fallthrough")
		}
		if other == c || c.List != nil && other.Pos() > c.Pos() {
			continue
		}
		for _, e := range other.List {
			if !s.pure(e) {
				return nil, prove.Refuse("the case " + prove.Short(types.ExprString(e)) + " looks at more than the byte")
			}
			conds = append(conds, byteCond{scope: s, e: e, equal: sw.Tag != nil, not: true})
		}
	}
	if len(c.List) > 1 {
		return nil, prove.Refuse("its case has several values")
	}
	for _, e := range c.List {
		if !s.pure(e) {
			return nil, prove.Refuse("the case " + prove.Short(types.ExprString(e)) + " looks at more than the byte")
		}
		conds = append(conds, byteCond{scope: s, e: e, equal: sw.Tag != nil})
	}
	return conds, nil
}

func fallsThrough(c *ast.CaseClause) bool {
	if len(c.Body) == 0 {
		return false
	}
	b, ok := c.Body[len(c.Body)-1].(*ast.BranchStmt)
	return ok && b.Tok == token.FALLTHROUGH
}

// jumps reports whether a block never ends by running past its end.
func jumps(b *ast.BlockStmt) bool {
	if len(b.List) == 0 {
		return false
	}
	switch last := b.List[len(b.List)-1].(type) {
	case *ast.ReturnStmt:
		return true
	case *ast.BranchStmt:
		return last.Tok == token.CONTINUE || last.Tok == token.BREAK
	}
	return false
}

// text writes a condition with the byte written as given.
func (c byteCond) text(as string) string {
	if !c.equal {
		if c.not {
			return c.scope.negated(c.e, as)
		}
		return c.scope.written(c.e, as)
	}
	if c.not {
		return as + " != " + c.scope.plain(c.e, as)
	}
	return as + " == " + c.scope.plain(c.e, as)
}

// written writes a condition so that && can follow.
func (s *byteScope) written(e ast.Expr, as string) string {
	if b, ok := ast.Unparen(e).(*ast.BinaryExpr); ok && b.Op != token.LOR {
		e = b
	}
	if b, ok := e.(*ast.BinaryExpr); ok && b.Op == token.LOR {
		return "(" + s.plain(e, as) + ")"
	}
	return s.plain(e, as)
}

// negated writes the opposite of a condition so that && can follow.
func (s *byteScope) negated(e ast.Expr, as string) string {
	switch e := ast.Unparen(e).(type) {
	case *ast.UnaryExpr:
		if e.Op == token.NOT {
			return s.written(e.X, as)
		}
	case *ast.BinaryExpr:
		if op := prove.InverseComparison[e.Op]; op != 0 {
			return s.plain(e.X, as) + " " + op.String() + " " + s.plain(e.Y, as)
		}
		if e.Op == token.LOR {
			return s.negated(e.X, as) + " && " + s.negated(e.Y, as)
		}
		if e.Op == token.LAND {
			return "(" + s.negated(e.X, as) + " || " + s.negated(e.Y, as) + ")"
		}
	}
	if _, binary := ast.Unparen(e).(*ast.BinaryExpr); binary {
		return "!(" + s.plain(ast.Unparen(e), as) + ")"
	}
	return "!" + s.plain(e, as)
}

// plain writes an expression as it is, but for the byte.
func (s *byteScope) plain(e ast.Expr, as string) string {
	var b strings.Builder
	at := s.p.Offset(e.Pos())
	ast.Inspect(e, func(n ast.Node) bool {
		if x, ok := n.(ast.Expr); ok && s.isByte(x) {
			b.Write(s.fn.File.Src[at:s.p.Offset(x.Pos())])
			b.WriteString(as)
			at = s.p.Offset(x.End())
			return false
		}
		return true
	})
	b.Write(s.fn.File.Src[at:s.p.Offset(e.End())])
	return strings.ReplaceAll(b.String(), "\n", " ")
}
