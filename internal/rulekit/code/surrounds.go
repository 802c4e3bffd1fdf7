package code

import (
	"go/ast"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/pawl-dev/pawl/internal/rulekit/index"
)

// Surrounds reports whether a local variable is to the code at cur what the field of a
// receiver is to a method: it belongs to the function around a literal that is kept beyond
// that, and nothing writes it.
func Surrounds(ix *index.Index, info *types.Info, cur inspector.Cursor, v *types.Var) bool {
	if !Local(v) || Written(ix, info, v, nil) {
		return false
	}
	for lit := range cur.Enclosing((*ast.FuncLit)(nil)) {
		if n := lit.Node(); v.Pos() < n.Pos() || n.End() <= v.Pos() {
			if kept(ix, info, lit) {
				return true
			}
		}
	}
	return false
}

// kept reports whether a literal is for calls after the function around it has returned: it
// serves requests, or is returned or stored, by itself or in the variable that holds it. An
// iterator is not: it mostly runs once.
func kept(ix *index.Index, info *types.Info, lit inspector.Cursor) bool {
	if sig, ok := info.TypeOf(lit.Node().(ast.Expr)).(*types.Signature); ok && (Serves(sig) != "" || yields(sig)) {
		return Serves(sig) != ""
	}
	if goes(info, lit) {
		return true
	}
	return slices.ContainsFunc(ix.Uses(holder(ix, info, lit)), func(use inspector.Cursor) bool { return goes(info, use) })
}

// yields reports whether a function is an iterator.
func yields(sig *types.Signature) bool {
	if sig.Params().Len() != 1 || sig.Results().Len() != 0 {
		return false
	}
	yield, ok := sig.Params().At(0).Type().Underlying().(*types.Signature)
	return ok && yield.Results().Len() == 1
}

// goes reports whether a function value is returned, or stored in a field or an element.
func goes(info *types.Info, cur inspector.Cursor) bool {
	for {
		switch cur.ParentEdgeKind() {
		case edge.ParenExpr_X:
		case edge.CallExpr_Args:
			if !info.Types[cur.Parent().Node().(*ast.CallExpr).Fun].IsType() {
				return false
			}
		case edge.ReturnStmt_Results, edge.KeyValueExpr_Value, edge.CompositeLit_Elts:
			return true
		case edge.AssignStmt_Rhs:
			a := cur.Parent().Node().(*ast.AssignStmt)
			return len(a.Lhs) == len(a.Rhs) && !Local(Var(info, a.Lhs[cur.ParentEdgeIndex()]))
		default:
			return false
		}
		cur = cur.Parent()
	}
}

// Serves says why a function with this signature serves requests, or "": the handlers of
// net/http and of the web frameworks.
func Serves(sig *types.Signature) string {
	params := sig.Params()
	switch {
	case params.Len() == 2 && named(params.At(0).Type(), "net/http", "ResponseWriter") && pointer(params.At(1).Type(), "net/http", "Request"):
		return "reached from an HTTP handler"
	case params.Len() >= 1 && (pointer(params.At(0).Type(), "github.com/gin-gonic/gin", "Context") ||
		pointer(params.At(0).Type(), "github.com/gofiber/fiber/v2", "Ctx") ||
		named(params.At(0).Type(), "github.com/gofiber/fiber/v3", "Ctx") ||
		named(params.At(0).Type(), "github.com/labstack/echo/v4", "Context")):
		return "reached from a handler of a web framework"
	}
	return ""
}

func named(t types.Type, pkg, name string) bool {
	n, ok := types.Unalias(t).(*types.Named)
	return ok && n.Obj().Name() == name && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == pkg
}

func pointer(t types.Type, pkg, name string) bool {
	p, ok := types.Unalias(t).(*types.Pointer)
	return ok && named(p.Elem(), pkg, name)
}
