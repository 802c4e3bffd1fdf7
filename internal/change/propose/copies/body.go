package copies

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// rewrite changes the body, or says why it cannot append to what is there already.
func (m *maker) rewrite() *prove.Reason {
	if code.Jumps(m.fn.Decl.Body) {
		return prove.Refuse(m.fn.Obj.Name() + " uses goto")
	}
	if !code.Predeclared(m.fn.Obj.Pkg(), m.fn.Decl.Body.Pos(), "append", "byte", "len", "make", "nil", "string") {
		return prove.Refuse("append, len or make means something else there")
	}
	if why := m.recovers(); why != nil {
		return why
	}
	if why := m.begin(); why != nil {
		return why
	}
	if m.fixed {
		if why := m.fills(); why != nil {
			return why
		}
	} else if m.made != nil {
		for id := range prove.UsesIn(m.fn.Info(), m.fn.Decl.Body, m.made) {
			if why := m.use(id); why != nil {
				return why
			}
		}
		m.define()
	}
	for _, ret := range m.returns() {
		if why := m.gives(ret); why != nil {
			return why
		}
	}
	return nil
}

// recovers says why the function may return nothing after a panic.
func (o *original) recovers() *prove.Reason {
	if o.p.Recovering(o.fn) || code.Any(o.fn.Decl.Body, func(d *ast.DeferStmt) bool {
		_, lit := ast.Unparen(d.Call.Fun).(*ast.FuncLit)
		return !lit && code.Callee(o.fn.Info(), d.Call) == nil
	}) {
		return prove.Refuse("a deferred call may recover from a panic, and nothing is returned then")
	}
	return nil
}

// define puts what the slice begins with, and where, in the place of its definition.
func (m *maker) define() {
	var lines []string
	if m.start != "" {
		lines = append(lines, m.start+" := len("+m.dst+")")
	}
	for _, by := range []string{m.room, m.first} {
		if by != "" {
			lines = append(lines, m.dst+" = "+by)
		}
	}
	if len(lines) > 0 {
		m.put(m.def.Pos(), m.def.End(), strings.Join(lines, "\n"))
		return
	}
	m.edits = append(m.edits, m.p.Drop(m.fn.File, m.def))
}

// from returns the variable that says where what is made begins.
func (m *maker) from() string {
	if m.start == "" {
		m.start = code.FreeLocal(m.fn.Decl, "start")
	}
	return m.start
}

// use changes one use of a slice that grows, or says why the slice cannot have something before it.
func (m *maker) use(id *ast.Ident) *prove.Reason {
	f, info := m.fn.File, m.fn.Info()
	if f.Literal(id) != nil {
		return prove.Refuse("a function literal uses " + id.Name)
	}
	switch up := f.Parent(id).(type) {
	case *ast.CallExpr:
		switch {
		case code.Builtin(info, up) == "len":
			return m.length(up)
		case info.Types[up.Fun].IsType() && code.IsString(info.TypeOf(up)) && m.ends(up):
			return nil // gives has it
		case m.destination(up) == id && (m.extends(up) || m.ends(up)):
			return nil
		}
	case *ast.AssignStmt:
		if len(up.Rhs) == 1 && up.Lhs[0] == id && up.Tok == token.ASSIGN {
			if call, ok := ast.Unparen(up.Rhs[0]).(*ast.CallExpr); ok && m.extends(call) {
				return nil
			}
		}
	case *ast.IndexExpr:
		if n, ok := prove.ConstInt(info, up.Index); ok && n >= 0 && up.X == id && !prove.Addressed(f, up) {
			text := m.from()
			if n > 0 {
				text += "+" + m.source(up.Index)
			}
			m.put(up.Index.Pos(), up.Index.End(), text)
			return nil
		}
	case *ast.ReturnStmt:
		return nil
	}
	return prove.Refuse(id.Name + " is used in another way than to append, by constant index or length (" + m.p.Pos(id.Pos()).String() + ")")
}

// extends reports whether a call appends to the slice, in a statement that keeps the result in it.
func (o *original) extends(call *ast.CallExpr) bool {
	info := o.fn.Info()
	if e := o.destination(call); e == nil || !prove.IsUseOf(info, e, o.made) {
		return false
	}
	a, ok := o.fn.File.Parent(call).(*ast.AssignStmt)
	return ok && a.Tok == token.ASSIGN && len(a.Rhs) == 1 && prove.IsUseOf(info, a.Lhs[0], o.made)
}

// ends reports whether an expression is the result of a return statement, or of a conversion there.
func (o *original) ends(e ast.Expr) bool {
	switch up := o.fn.File.Parent(e).(type) {
	case *ast.ReturnStmt:
		return up.Results[0] == e
	case *ast.CallExpr:
		return o.text && o.fn.Info().Types[up.Fun].IsType() && o.ends(up)
	}
	return false
}

// length counts from where the slice began.
func (m *maker) length(call *ast.CallExpr) *prove.Reason {
	up, ok := m.fn.File.Parent(call).(*ast.BinaryExpr)
	if ok && up.X == call && (up.Op == token.EQL || up.Op == token.NEQ || up.Op == token.GTR) {
		if n, constant := prove.ConstInt(m.fn.Info(), up.Y); constant && n == 0 {
			m.put(up.Y.Pos(), up.Y.End(), m.from())
			return nil
		}
	}
	text := m.source(call) + "-" + m.from()
	_, negated := m.fn.File.Parent(call).(*ast.UnaryExpr)
	if negated || ok && up.Op.Precedence() >= token.SUB.Precedence() && up.Op != token.ADD {
		text = "(" + text + ")"
	}
	m.put(call.Pos(), call.End(), text)
	return nil
}

// fills says why a slice of fixed length may be more, or kept.
func (o *original) fills() *prove.Reason {
	info, body := o.fn.Info(), o.fn.Decl.Body
	fl := o.p.FlowOf(o.fn, o.made)
	if len(fl.Leaks) > 0 {
		return o.p.Kept(fl)
	}
	if fl.CapSeen {
		return prove.Refuse("its capacity is asked for")
	}
	for _, v := range fl.Vars {
		if code.Any(body, func(a *ast.AssignStmt) bool { return a.Tok == token.ASSIGN && prove.IsUseOf(info, a.Lhs[0], v) }) ||
			code.Any(body, func(c *ast.CallExpr) bool {
				to := o.destination(c)
				return to != nil && code.Mentions(info, to, v)
			}) {
			return prove.Refuse("it is extended, or assigned to")
		}
	}
	return nil
}

// gives changes what a return statement gives back.
func (m *maker) gives(ret *ast.ReturnStmt) *prove.Reason {
	e, info := ast.Unparen(ret.Results[0]), m.fn.Info()
	before := m.untouched(ret)
	sure := m.fails && m.p.ReturnsError(m.fn, ret)
	switch v := m.returned(e); {
	case v != nil:
		return m.givesMade(e)
	case sure && code.IsNil(info, e):
		return nil
	case sure && emptyText(info, e):
		m.put(e.Pos(), e.End(), "nil")
		return nil
	case before && m.itself(e) != nil:
		m.again = append(m.again, ret)
		return nil
	case !before:
		return prove.Refuse("it returns something else after it has begun (" + m.p.Pos(ret.Pos()).String() + ")")
	}
	return m.givesOther(ret, e)
}

// itself returns the call that an expression is, if it is one of the function itself.
func (o *original) itself(e ast.Expr) *ast.CallExpr {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok || code.Callee(o.fn.Info(), call) != o.fn.Obj {
		return nil
	}
	return call
}

// untouched reports whether nothing has been made when a return statement is reached.
func (m *maker) untouched(ret *ast.ReturnStmt) bool {
	if m.def == nil || ret.Pos() < m.def.Pos() {
		return true
	}
	if m.first != "" || m.fixed {
		return false
	}
	for id := range prove.UsesIn(m.fn.Info(), m.fn.Decl.Body, m.made) {
		if id.Pos() < ret.Pos() {
			return false
		}
		for n := m.fn.File.Parent(ret); n != m.fn.Decl; n = m.fn.File.Parent(n) {
			switch n.(type) {
			case *ast.ForStmt, *ast.RangeStmt:
				if code.Within(n, id) {
					return false
				}
			}
		}
	}
	return true
}

func (m *maker) givesMade(e ast.Expr) *prove.Reason {
	if m.text {
		e = e.(*ast.CallExpr).Args[0]
	}
	if m.fixed {
		if _, plain := e.(*ast.Ident); !plain {
			return prove.Refuse("it returns more than what it has made")
		}
		m.put(e.Pos(), e.End(), m.dst)
	}
	if m.text {
		conv := m.fn.File.Parent(e).(*ast.CallExpr)
		m.put(conv.Pos(), e.Pos(), "")
		m.put(e.End(), conv.End(), "")
	}
	return nil
}

// givesOther appends an expression.
func (m *maker) givesOther(ret *ast.ReturnStmt, e ast.Expr) *prove.Reason {
	info := m.fn.Info()
	_, constant := code.String(info, e)
	switch {
	case code.IsNil(info, e):
		if m.empty {
			m.kept = "it returns nil as well as empty slices"
		}
		m.put(e.Pos(), e.End(), m.dst)
	case emptyText(info, e):
		m.put(e.Pos(), e.End(), m.dst)
	default:
		// A constant text costs nothing where it is returned as it is.
		sure := m.fails && m.p.ReturnsError(m.fn, ret)
		if constant && !sure || !constant && !m.fresh(e) {
			m.kept = "it also returns " + prove.Short(types.ExprString(e)) + ", which would be copied"
		}
		return m.pieces(ret, e)
	}
	return nil
}
