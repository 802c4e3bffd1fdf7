package prove

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// freshReceiver reports whether all uses of an unexported method are calls on
// a local variable that holds a newly made value which nothing else refers to.
func (p *Confinement) freshReceiver(m *Method) bool {
	if p.CalledUnread(m.Function) {
		return false
	}
	called := false
	for _, f := range m.File.Pkg.Files {
		for id := range UsesIn(f.Pkg.TypesInfo, f.Syntax, m.Obj) {
			if called = true; !p.freshCall(f, id) {
				return false
			}
		}
	}
	return called
}

// freshCall reports whether name is the method in a call v.name() where v is a
// local variable, newly made, and only its fields have been used before.
func (p *Confinement) freshCall(f *File, name *ast.Ident) bool {
	info := f.Pkg.TypesInfo
	fn, call, x := p.calledOn(f, name)
	v := code.Var(info, x)
	if v == nil || code.WrittenIn(info, fn.Decl.Body, v) || !madeHere(fn, v) {
		return false
	}
	made, loop := fn.Declaration(v), f.Loop(call)
	if loop != nil && !code.Within(loop, made) {
		return false
	}
	return !code.Any(fn.Decl.Body, func(id *ast.Ident) bool {
		s, isSel := f.Parent(id).(*ast.SelectorExpr)
		return info.Uses[id] == v && id.Pos() < call.Pos() &&
			(!isSel || info.Selections[s] == nil || info.Selections[s].Kind() != types.FieldVal || Addressed(f, s))
	})
}

// calledOn returns the function that a method is called in, the call and its receiver; nil where the name stands for
// something else, or another goroutine or a function literal calls it.
func (p *Confinement) calledOn(f *File, name *ast.Ident) (*Function, *ast.CallExpr, ast.Expr) {
	sel, ok := f.Parent(name).(*ast.SelectorExpr)
	if !ok {
		return nil, nil, nil
	}
	call, ok := f.Parent(sel).(*ast.CallExpr)
	if !ok || call.Fun != sel || f.Literal(call) != nil {
		return nil, nil, nil
	}
	fn := p.FunctionAt(p.Pos(call.Pos()))
	if fn == nil || f.Spawned(call) {
		return nil, nil, nil
	}
	return fn, call, sel.X
}

// Zero reports whether an expression is T{}, &T{} or new(T).
func Zero(info *types.Info, e ast.Expr) bool {
	if u, ok := e.(*ast.UnaryExpr); ok && u.Op == token.AND {
		e = u.X
	}
	if call, ok := e.(*ast.CallExpr); ok {
		return code.Builtin(info, call) == "new" && info.Types[call.Args[0]].IsType()
	}
	lit, ok := e.(*ast.CompositeLit)
	return ok && len(lit.Elts) == 0
}

// NewBuffer reports whether an expression is Zero, or a bytes.Buffer of nothing.
func NewBuffer(info *types.Info, e ast.Expr) bool {
	call, ok := e.(*ast.CallExpr)
	return Zero(info, e) || ok && code.IsFunc(info, call, "bytes", "NewBuffer") && code.IsNil(info, call.Args[0])
}

// Addressed reports whether e stands as the operand of &.
func Addressed(f *File, e ast.Expr) bool {
	up := f.Parent(e)
	if paren, ok := up.(*ast.ParenExpr); ok {
		return Addressed(f, paren)
	}
	u, ok := up.(*ast.UnaryExpr)
	return ok && u.Op == token.AND
}

// madeHere reports whether v is defined by v := &T{…} or v := new(T).
func madeHere(fn *Function, v *types.Var) bool {
	switch made := fn.Value(v).(type) {
	case *ast.UnaryExpr:
		_, lit := made.X.(*ast.CompositeLit)
		return made.Op == token.AND && lit
	case *ast.CallExpr:
		return code.Builtin(fn.Info(), made) == "new"
	}
	return false
}
