package buffers

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/internal/rulekit/effects"
)

// use changes one use of the buffer, or says why it cannot be one of a slice.
func (b *buffer) use(id *ast.Ident) *prove.Reason {
	f := b.fn.File
	if f.Literal(id) != f.Literal(b.def) {
		return prove.Refuse("a function literal uses it, which may run between other writes")
	}
	if !code.Predeclared(b.fn.Obj.Pkg(), id.Pos(), "append", "byte", "len", "make", "nil", "string") {
		return prove.Refuse("append, len or string means something else there")
	}
	arg := ast.Expr(id)
	if addr, ok := f.Parent(id).(*ast.UnaryExpr); ok {
		arg = addr
	}
	switch up := f.Parent(arg).(type) {
	case *ast.CallExpr:
		if len(up.Args) > 0 && up.Args[0] == arg {
			return b.handed(up)
		}
	case *ast.SelectorExpr:
		if call, ok := f.Parent(up).(*ast.CallExpr); ok && call.Fun == up {
			return b.method(call, up.Sel.Name)
		}
	}
	return prove.Refuse("it is not only written to and read as text (" + b.p.Pos(id.Pos()).String() + ")")
}

// method changes a call of a method.
func (b *buffer) method(call *ast.CallExpr, name string) *prove.Reason {
	v := b.v.Name()
	switch name {
	case "String":
		return b.ask(call, "string("+v+")")
	case "Len":
		return b.ask(call, "len("+v+")")
	case "Bytes":
		return b.bytes(call)
	}
	stmt := b.statement(call)
	if stmt == nil {
		return prove.Refuse("what " + name + " returns is used, or the call is deferred")
	}
	switch name {
	case "Reset":
		b.put(stmt.Pos(), stmt.End(), v+" = "+v+"[:0]")
		return nil
	case "Truncate":
		return b.truncate(stmt, call)
	case "Write", "WriteString":
		return b.appends(stmt, call, call.Args[0], "append("+v+", ", "...)")
	case "WriteByte":
		return b.appends(stmt, call, call.Args[0], "append("+v+", ", ")")
	case "WriteRune":
		q := b.p.Qualifier(b.fn.File, call.Pos(), "unicode/utf8")
		if q == "" || !b.p.GoAtLeast(b.fn.File, "go1.18") {
			return prove.Refuse("utf8.AppendRune cannot be named there, or is not there before Go 1.18")
		}
		b.paths = append(b.paths, "unicode/utf8")
		return b.appends(stmt, call, call.Args[0], q+".AppendRune("+v+", ", ")")
	}
	return prove.Refuse("a slice has nothing like its method " + name)
}

// ask replaces a call that changes nothing.
func (b *buffer) ask(call *ast.CallExpr, text string) *prove.Reason {
	switch b.fn.File.Parent(call).(type) {
	case *ast.ExprStmt, *ast.GoStmt, *ast.DeferStmt:
		return prove.Refuse("what a method returns is not used")
	}
	if b.fn.File.Commented(call) {
		return prove.Refuse("there is a comment within a call")
	}
	b.put(call.Pos(), call.End(), text)
	return nil
}

// bytes makes a copy of the bytes that are returned, and lends those that are only read. Where there are none, they are nil
// before and after, but for a buffer that had room.
func (b *buffer) bytes(call *ast.CallExpr) *prove.Reason {
	up := b.fn.File.Parent(call)
	reader, lent := up.(*ast.CallExpr)
	_, returned := up.(*ast.ReturnStmt)
	switch {
	case b.calls("Reset", "Truncate"):
		return prove.Refuse("its bytes may be none, and not nil")
	case lent && b.readBy(reader, call):
		b.lent = true
		return b.ask(call, b.v.Name())
	case !returned:
		return prove.Refuse("its bytes are not only returned (" + b.p.Pos(call.Pos()).String() + ")")
	}
	return b.ask(call, "append([]byte(nil), "+b.v.Name()+"...)")
}

// readBy reports whether bytes are given to a function of the standard library, or to an io.Writer, that does the same with
// none as with nil: they are bytes to it, and nothing that it returns is a part of them.
func (b *buffer) readBy(call *ast.CallExpr, arg ast.Expr) bool {
	info := b.fn.Info()
	fn := code.Callee(info, call)
	if fn == nil || fn.Pkg() == nil {
		return false
	}
	takes, _ := code.Takes(fn.Type(), call, slices.Index(call.Args, arg))
	known := effects.Standard(fn.Pkg().Path()) && !code.IsInterfaceMethod(fn) || code.IsInterfaceMethod(fn) && fn.Name() == "Write"
	if !known || takes == nil || !types.Identical(takes, types.NewSlice(types.Typ[types.Byte])) {
		return false
	}
	for v := range fn.Signature().Results().Variables() {
		t := v.Type().Underlying()
		if a, ok := t.(*types.Array); ok {
			t = a.Elem()
		}
		if _, basic := t.(*types.Basic); !basic && !code.IsError(v.Type()) {
			return false
		}
	}
	return true
}

// statement returns the statement that a call is all of, its results aside; nil if
// something looks at them.
func (b *buffer) statement(call *ast.CallExpr) ast.Stmt {
	switch up := b.fn.File.Parent(call).(type) {
	case *ast.ExprStmt:
		return up
	case *ast.AssignStmt:
		blank := !slices.ContainsFunc(up.Lhs, func(e ast.Expr) bool { id, ok := e.(*ast.Ident); return !ok || id.Name != "_" })
		if blank && len(up.Rhs) == 1 {
			return up
		}
	}
	return nil
}

// appends turns a statement into v = head operand tail. What the operand holds may be
// changed apart.
func (b *buffer) appends(stmt ast.Stmt, call *ast.CallExpr, operand ast.Expr, head, tail string) *prove.Reason {
	if b.comments(stmt.Pos(), operand.Pos()) || b.comments(operand.End(), stmt.End()) {
		return prove.Refuse("there is a comment within a call")
	}
	if call.Ellipsis.IsValid() {
		return prove.Refuse("a call is given a list")
	}
	b.put(stmt.Pos(), operand.Pos(), b.v.Name()+" = "+head)
	b.put(operand.End(), stmt.End(), tail)
	return nil
}

func (b *buffer) comments(from, to token.Pos) bool {
	return slices.ContainsFunc(b.fn.File.Syntax.Comments, func(g *ast.CommentGroup) bool { return from <= g.Pos() && g.End() <= to })
}

// truncate allows what cannot be more than the length: a slice would grow to it.
func (b *buffer) truncate(stmt ast.Stmt, call *ast.CallExpr) *prove.Reason {
	info, v := b.fn.Info(), b.v.Name()
	if n, ok := prove.ConstInt(info, call.Args[0]); ok && n == 0 {
		b.put(stmt.Pos(), stmt.End(), v+" = "+v+"[:0]")
		return nil
	}
	minus, ok := ast.Unparen(call.Args[0]).(*ast.BinaryExpr)
	if ok && minus.Op == token.SUB {
		n, constant := prove.ConstInt(info, minus.Y)
		length, isCall := minus.X.(*ast.CallExpr)
		if isCall && constant && n >= 0 && types.ExprString(length) == v+".Len()" {
			b.assumed = append(b.assumed, "else both panic, with other words")
			return b.appends(stmt, call, call.Args[0], v+"[:", "]")
		}
	}
	return prove.Refuse("Truncate may be given more than the length, which a slice would grow to")
}

// handed changes a call of package fmt or io that writes to the buffer.
func (b *buffer) handed(call *ast.CallExpr) *prove.Reason {
	fn, v := code.Callee(b.fn.Info(), call), b.v.Name()
	stmt := b.statement(call)
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if fn == nil || stmt == nil || !ok {
		return prove.Refuse("it is handed on (" + b.p.Pos(call.Pos()).String() + ")")
	}
	twin := map[string]string{"fmt.Fprintf": "Appendf", "fmt.Fprint": "Append", "fmt.Fprintln": "Appendln"}[fn.FullName()]
	if twin == "" {
		return prove.Refuse("it is handed to " + code.CallName(fn))
	}
	if !b.p.GoAtLeast(b.fn.File, "go1.19") {
		return prove.Refuse("fmt." + twin + " is there from Go 1.19 on")
	}
	if b.comments(stmt.Pos(), call.Args[0].End()) {
		return prove.Refuse("there is a comment within a call")
	}
	b.put(stmt.Pos(), call.Args[0].End(), v+" = "+b.p.Source(b.fn.File, sel.X)+"."+twin+"("+v)
	return nil
}
