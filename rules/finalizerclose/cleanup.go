package finalizerclose

import (
	"fmt"
	"go/ast"
	"go/types"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"

	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// cleanup returns the edit that makes AddCleanup of the call, or nil where
// that is not proven to close the same: the finalizer is one call with one
// field of the object, which holds no pointer (so that it cannot keep the
// object alive) and is set only where the object is made.
func (f *final) cleanup() []analysis.TextEdit {
	if !f.p.AtLeast(f.call.Pos(), "go1.24") || len(f.body.List) != 1 || len(f.close.Args) != 1 || f.typ.TypeParams().Len() > 0 {
		return nil
	}
	var field *ast.SelectorExpr
	switch s := f.body.List[0].(type) {
	case *ast.ExprStmt:
		if s.X == ast.Expr(f.close) {
			field, _ = f.close.Args[0].(*ast.SelectorExpr)
		}
	case *ast.AssignStmt: // _ = syscall.Close(f.fd)
		if id, ok := s.Lhs[0].(*ast.Ident); ok && len(s.Lhs) == 1 && id.Name == "_" && s.Rhs[0] == ast.Expr(f.close) {
			field, _ = f.close.Args[0].(*ast.SelectorExpr)
		}
	}
	fn, ok := f.close.Fun.(*ast.SelectorExpr)
	if field == nil || !ok || code.Var(f.p.TypesInfo, field.X) != f.param {
		return nil
	}
	v, _ := f.p.TypesInfo.Uses[field.Sel].(*types.Var)
	if v == nil || !code.IsInteger(v.Type()) || f.set(v) {
		return nil
	}
	object, ok := ast.Unparen(f.call.Args[0]).(*ast.Ident)
	pkg, isPkg := fn.X.(*ast.Ident)
	if !ok || !isPkg {
		return nil
	}
	name, _ := f.p.TypesInfo.Uses[pkg].(*types.PkgName)
	if name == nil || name.Imported() == nil || f.p.File(f.call.Pos()) != f.p.File(f.close.Pos()) {
		return nil
	}
	if code.Qualifier(f.p.TypesInfo, f.p.Pkg, f.p.File(f.call.Pos()), f.call.Pos(), name.Imported().Path()) != pkg.Name {
		return nil
	}
	runtime := strings.TrimSuffix(f.p.Source(f.call.Fun), ".SetFinalizer")
	typ := types.TypeString(v.Type(), func(p *types.Package) string {
		if p == f.p.Pkg {
			return ""
		}
		return code.Qualifier(f.p.TypesInfo, f.p.Pkg, f.p.File(f.call.Pos()), f.call.Pos(), p.Path())
	})
	if strings.HasPrefix(typ, ".") {
		return nil
	}
	arg := v.Name()
	if arg == pkg.Name {
		arg = "x"
	}
	text := fmt.Sprintf("%s.AddCleanup(%s, func(%s %s) { %s(%s) }, %s.%s)", runtime, object.Name, arg, typ, f.p.Source(f.close.Fun), arg, object.Name, v.Name())
	if _, assigned := f.body.List[0].(*ast.AssignStmt); assigned {
		text = strings.Replace(text, "{ ", "{ _ = ", 1)
	}
	return []analysis.TextEdit{{Pos: f.call.Pos(), End: f.call.End(), NewText: []byte(text)}}
}

// set reports whether a field is assigned, or its address taken, anywhere but
// in a literal.
func (f *final) set(v *types.Var) bool {
	for _, cur := range f.p.Index.Uses(v) {
		if cur.ParentEdgeKind() != edge.SelectorExpr_Sel {
			continue // a key of a literal
		}
		switch cur.Parent().ParentEdgeKind() {
		case edge.AssignStmt_Lhs, edge.IncDecStmt_X, edge.UnaryExpr_X:
			return true
		}
	}
	return false
}
