package boxes

import (
	"go/ast"
	"go/types"
	"slices"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// destination returns the type of what e is handed to, nil where that cannot
// be told.
func (u *pointerUses) destination(f *prove.File, e ast.Expr, up ast.Node) types.Type {
	info := f.Pkg.TypesInfo
	is := func(x ast.Expr) bool { return ast.Unparen(x) == e }
	switch up := up.(type) {
	case *ast.ReturnStmt:
		fn := u.p.FunctionAt(u.p.Pos(e.Pos()))
		if fn == nil {
			return nil
		}
		res := signatureAround(fn, up).Results()
		if i := slices.IndexFunc(up.Results, is); len(up.Results) == res.Len() {
			return res.At(i).Type()
		}
	case *ast.AssignStmt:
		if i := slices.IndexFunc(up.Rhs, is); i >= 0 && len(up.Lhs) == len(up.Rhs) {
			if id, ok := up.Lhs[i].(*ast.Ident); ok && id.Name == "_" {
				return u.ptr
			}
			return info.TypeOf(up.Lhs[i])
		}
	case *ast.ValueSpec:
		if up.Type != nil {
			return info.TypeOf(up.Type)
		}
		if i := slices.IndexFunc(up.Values, is); i >= 0 && len(up.Names) == len(up.Values) {
			return u.ptr
		}
	case *ast.SendStmt:
		if c, ok := info.TypeOf(up.Chan).Underlying().(*types.Chan); ok && is(up.Value) {
			return c.Elem()
		}
	case *ast.CallExpr:
		return parameterType(info, up, slices.IndexFunc(up.Args, is))
	case *ast.KeyValueExpr:
		if id, ok := up.Key.(*ast.Ident); ok && is(up.Value) {
			if field, ok := info.Uses[id].(*types.Var); ok && field.IsField() {
				return field.Type()
			}
		}
		return nil
	case *ast.CompositeLit:
		switch t := info.TypeOf(up).Underlying().(type) {
		case *types.Slice:
			return t.Elem()
		case *types.Array:
			return t.Elem()
		case *types.Struct:
			if i := slices.IndexFunc(up.Elts, is); i >= 0 {
				return t.Field(i).Type()
			}
		}
	}
	return nil
}

// parameterType returns the declared type of what argument i of a call is
// passed to, nil where that is a type parameter or the call is of a builtin
// other than panic.
func parameterType(info *types.Info, call *ast.CallExpr, i int) types.Type {
	if i < 0 {
		return nil
	}
	if info.Types[call.Fun].IsType() {
		return info.TypeOf(call.Fun)
	}
	if b := code.Builtin(info, call); b != "" {
		if b == "panic" {
			return types.Universe.Lookup("any").Type()
		}
		return nil
	}
	of := info.TypeOf(call.Fun)
	if fn := code.Callee(info, call); fn != nil {
		of = fn.Origin().Type()
	}
	t, _ := code.Takes(of, call, i)
	if code.IsTypeParam(t) {
		return nil
	}
	return t
}
