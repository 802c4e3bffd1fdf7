package copies

import (
	"go/ast"
	"go/token"
	"go/types"
	"strconv"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/internal/rulekit/flow"
)

func emptyText(info *types.Info, e ast.Expr) bool {
	text, ok := code.String(info, e)
	return ok && text == ""
}

// anew reports whether an expression is made anew: by a sum, a conversion or a call that has a form which appends, or of
// an array that goes to the heap only for it.
func (m *maker) anew(e ast.Expr) bool {
	info := m.fn.Info()
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if ok && info.Types[call.Fun].IsType() {
		return info.Types[call.Args[0]].Value == nil
	}
	return len(prove.Summands(info, e)) > 1 || ok && m.onto(call) != "" || m.array(e) != nil
}

// fresh reports whether the old function loses nothing where an expression is appended: it makes as many bytes, and is
// as little nil.
func (m *maker) fresh(e ast.Expr) bool {
	info := m.fn.Info()
	switch e := ast.Unparen(e).(type) {
	case *ast.CompositeLit:
		return len(e.Elts) > 0
	case *ast.SliceExpr:
		t := m.array(e)
		return t != nil && t.Len() > 0 && e.Low == nil && e.High == nil && m.unkept(code.Var(info, e.X))
	case *ast.CallExpr:
		if !info.Types[e.Fun].IsType() {
			return m.onto(e) != "" && (m.text || m.made == nil)
		}
		if text, ok := code.String(info, e.Args[0]); ok {
			return text != ""
		}
		return m.text && m.array(e.Args[0]) != nil
	}
	return false
}

// array returns the type of the array that an expression is a slice of, if that is a variable of the function; else nil.
func (o *original) array(e ast.Expr) *types.Array {
	cut, ok := ast.Unparen(e).(*ast.SliceExpr)
	if !ok {
		return nil
	}
	v := code.Var(o.fn.Info(), cut.X)
	if v == nil || !code.Declares(o.fn.Decl.Body, v) {
		return nil
	}
	t, _ := v.Type().Underlying().(*types.Array)
	return t
}

// unkept reports whether slices of an array are only returned, or given to what promises not to keep them.
func (o *original) unkept(v *types.Var) bool {
	f, info := o.fn.File, o.fn.Info()
	return !code.Any(o.fn.Decl.Body, func(id *ast.Ident) bool {
		if info.Uses[id] != v {
			return false
		}
		cut, ok := f.Parent(id).(*ast.SliceExpr)
		if !ok {
			return f.Literal(id) != nil || prove.Addressed(f, id)
		}
		switch up := f.Parent(cut).(type) {
		case *ast.ReturnStmt, *ast.RangeStmt:
			return false
		case *ast.CallExpr:
			fn := code.Callee(info, up)
			return code.Builtin(info, up) == "" && (fn == nil || flow.ContractOf(fn) == nil)
		}
		return true
	})
}

// pieces appends the parts of a sum one after the other, or any other expression as a whole.
func (m *maker) pieces(ret *ast.ReturnStmt, e ast.Expr) *prove.Reason {
	parts := prove.Summands(m.fn.Info(), e)
	if len(parts) == 1 || m.fails {
		m.put(e.Pos(), e.End(), m.appended(e))
		return nil
	}
	if m.fn.File.Commented(ret) {
		return prove.Refuse("there is a comment within a return statement")
	}
	text := ""
	for i, part := range parts {
		if i+1 < len(parts) {
			text += m.dst + " = " + m.appended(part) + "\n"
		} else {
			text += "return " + m.appended(part)
		}
	}
	m.put(ret.Pos(), ret.End(), text)
	return nil
}

// appended writes how an expression is appended.
func (m *maker) appended(e ast.Expr) string {
	info := m.fn.Info()
	e = ast.Unparen(e)
	if text, ok := code.String(info, e); ok && len(text) == 1 && text[0] < 0x80 {
		if _, literal := e.(*ast.BasicLit); literal {
			return "append(" + m.dst + ", " + strconv.QuoteRune(rune(text[0])) + ")"
		}
	}
	if lit, ok := e.(*ast.CompositeLit); ok && len(lit.Elts) > 0 && !code.Any(lit, func(*ast.KeyValueExpr) bool { return true }) {
		return "append(" + m.dst + ", " + m.between(lit.Lbrace+1, lit.Rbrace) + ")"
	}
	if call, ok := e.(*ast.CallExpr); ok && info.Types[call.Fun].IsType() {
		if t := info.TypeOf(call.Args[0]); code.IsString(t) || code.IsBytes(t) {
			e = ast.Unparen(call.Args[0]) // a copy in between
		}
	}
	if call, ok := e.(*ast.CallExpr); ok {
		if text := m.onto(call); text != "" {
			return text
		}
	}
	return "append(" + m.dst + ", " + m.source(e) + "...)"
}

// formats are the functions of package fmt that append what another returns.
var formats = map[string]string{"fmt.Sprintf": "Appendf", "fmt.Sprint": "Append", "fmt.Sprintln": "Appendln"}

// onto writes a call that appends what another makes; "" where there is none.
func (m *maker) onto(call *ast.CallExpr) string {
	info := m.fn.Info()
	if to := m.destination(call); to != nil && code.IsNil(info, to) {
		return m.between(call.Pos(), to.Pos()) + m.dst + m.between(to.End(), call.End())
	}
	fn := code.Callee(info, call)
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if fn == nil || !ok || formats[fn.FullName()] == "" || len(call.Args) == 0 || !m.p.GoAtLeast(m.fn.File, "go1.19") {
		return ""
	}
	return m.source(sel.X) + "." + formats[fn.FullName()] + "(" + m.dst + ", " + m.between(call.Args[0].Pos(), call.End())
}

// between returns a part of the source.
func (o *original) between(from, to token.Pos) string {
	return string(o.fn.File.Src[o.p.Offset(from):o.p.Offset(to)])
}
