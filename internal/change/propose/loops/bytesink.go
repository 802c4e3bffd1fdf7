package loops

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// A byteSink is a statement that appends one byte.
type byteSink struct {
	stmt  ast.Stmt
	value ast.Expr   // the byte
	dst   ast.Expr   // the slice or the buffer
	bulk  string     // the method that appends a run; "" for the builtin append
	says  string     // the contract that the method follows, "" where it was read
	grown types.Type // of the slice, for the builtin
}

// sink returns stmt as one that appends a byte, or a character, and can append a run of bytes
// that src, a string or []byte, holds; nil if it is none.
func sink(p *prove.Program, fn *prove.Function, stmt ast.Stmt, src types.Type) *byteSink {
	switch n := stmt.(type) {
	case *ast.AssignStmt:
		return appendSink(fn.Info(), n)
	case *ast.ExprStmt:
		if call, ok := n.X.(*ast.CallExpr); ok && len(call.Args) == 1 {
			return methodSink(p, fn, n, call, src)
		}
	}
	return nil
}

// appendSink recognises x = append(x, b), x = append(x, string(c)...) and
// x = utf8.AppendRune(x, c).
func appendSink(info *types.Info, a *ast.AssignStmt) *byteSink {
	if a.Tok != token.ASSIGN || len(a.Lhs) != 1 || len(a.Rhs) != 1 {
		return nil
	}
	call, ok := a.Rhs[0].(*ast.CallExpr)
	if !ok || len(call.Args) != 2 || !code.SameVariable(info, a.Lhs[0], call.Args[0]) || !code.IsBytes(info.TypeOf(a.Lhs[0])) {
		return nil
	}
	if code.Builtin(info, call) != "append" && !code.IsFunc(info, call, "unicode/utf8", "AppendRune") {
		return nil
	}
	return &byteSink{stmt: a, value: call.Args[1], dst: a.Lhs[0], grown: info.TypeOf(a.Lhs[0])}
}

// byteWriters are the buffers of the standard library whose WriteByte,
// Write and WriteString do the same to the bytes.
var byteWriters = map[string]string{
	"*bytes.Buffer":    "bytes.Buffer: WriteByte and WriteString append to the buffer",
	"*strings.Builder": "strings.Builder: WriteByte and WriteString append to the buffer",
	"*bufio.Writer":    "bufio.Writer: the bytes reach the writer in their order, in pieces of a size that is not promised",
}

// writesOne has the methods of these buffers that write a byte, or a character.
var writesOne = map[string]bool{"WriteByte": true, "WriteRune": true, "WriteString": true}

func methodSink(p *prove.Program, fn *prove.Function, stmt ast.Stmt, call *ast.CallExpr, src types.Type) *byteSink {
	target := code.Callee(fn.Info(), call)
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if target == nil || !ok || target.Signature().Recv() == nil || !chain(fn.Info(), sel.X) {
		return nil
	}
	s := &byteSink{stmt: stmt, value: call.Args[0], dst: sel.X}
	if says := byteWriters[types.TypeString(target.Signature().Recv().Type(), nil)]; says != "" && writesOne[target.Name()] {
		s.bulk, s.says = "WriteString", says
		if !code.IsString(src) {
			s.bulk = "Write"
		}
		return s.ofOne(fn, target)
	}
	field := appendsOnly(p, target, false)
	if field == nil {
		return nil
	}
	recv := target.Signature().Recv().Type()
	for _, m := range methodsOf(p, recv) {
		sig := m.Signature()
		if sig.Params().Len() == 1 && types.Identical(sig.Params().At(0).Type(), src) && appendsOnly(p, m, true) == field {
			s.bulk = m.Name()
			return s.ofOne(fn, target)
		}
	}
	return nil
}

// ofOne returns the sink if both of its methods are those of one type, else nil:
// a struct that embeds a buffer may have one of its own.
func (s *byteSink) ofOne(fn *prove.Function, one *types.Func) *byteSink {
	obj, _, _ := types.LookupFieldOrMethod(fn.Info().TypeOf(s.dst), true, fn.Obj.Pkg(), s.bulk)
	bulk, ok := obj.(*types.Func)
	if !ok || !types.Identical(bulk.Signature().Recv().Type(), one.Signature().Recv().Type()) {
		return nil
	}
	return s
}

// chain reports whether e is a variable or a field that is reached through
// variables and fields only.
func chain(info *types.Info, e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		_, ok := info.Uses[e].(*types.Var)
		return ok
	case *ast.SelectorExpr:
		s := info.Selections[e]
		return s != nil && s.Kind() == types.FieldVal && chain(info, e.X)
	}
	return false
}

// methodsOf returns the methods that the module declares on a type, those
// with the shortest names first.
func methodsOf(p *prove.Program, t types.Type) []*types.Func {
	set := types.NewMethodSet(t)
	var all []*types.Func
	for i := range set.Len() {
		if m, ok := set.At(i).Obj().(*types.Func); ok && len(set.At(i).Index()) == 1 && p.Function(m) != nil {
			all = append(all, m)
		}
	}
	return all
}

// appendsOnly returns the field that a method of the module appends its one
// parameter to, when that is all that it does; run says that the parameter is
// a slice or string.
func appendsOnly(p *prove.Program, m *types.Func, run bool) *types.Var {
	fn := p.Function(m)
	if fn == nil || len(fn.Decl.Body.List) != 1 {
		return nil
	}
	a, ok := fn.Decl.Body.List[0].(*ast.AssignStmt)
	if !ok || a.Tok != token.ASSIGN || len(a.Lhs) != 1 || len(a.Rhs) != 1 {
		return nil
	}
	info := fn.Info()
	call, ok := a.Rhs[0].(*ast.CallExpr)
	sel, isSel := a.Lhs[0].(*ast.SelectorExpr)
	if !ok || !isSel || code.Builtin(info, call) != "append" || len(call.Args) != 2 || call.Ellipsis.IsValid() != run {
		return nil
	}
	sig := fn.Obj.Signature()
	if _, ptr := sig.Recv().Type().(*types.Pointer); !ptr || sig.Params().Len() != 1 || sig.Results().Len() != 0 {
		return nil
	}
	if !prove.IsUseOf(info, sel.X, sig.Recv()) || !code.SameVariable(info, sel, call.Args[0]) || !prove.IsUseOf(info, call.Args[1], sig.Params().At(0)) {
		return nil
	}
	field, _ := info.Uses[sel.Sel].(*types.Var)
	if field == nil || !code.IsBytes(field.Type()) {
		return nil
	}
	return field
}
