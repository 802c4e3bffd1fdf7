package staticerror

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/rules/rule"
)

// unseen reports whether nobody can tell two errors of the function apart: it
// is an unexported function that is only called, it returns the error at once,
// and each caller looks at no more than nil and the text.
func (r *reader) unseen(b *built) bool {
	if b.fn.Exported() || b.fn.Signature().Recv() != nil || r.calls.Taken[rule.FuncID(b.fn)] || r.vars.Elsewhere(b.fn.Name()) {
		return false
	}
	ret, ok := b.cur.Parent().Node().(*ast.ReturnStmt)
	if fn, found := code.Func(b.cur); !ok || !found || fn.Node() != b.decl || len(ret.Results) != b.fn.Signature().Results().Len() || deferring(b.decl) {
		return false
	}
	index := b.cur.ParentEdgeIndex()
	if !code.IsError(b.fn.Signature().Results().At(index).Type()) {
		return false
	}
	for cur := range r.p.Index.CallsOf(b.fn) {
		if !r.plain(cur, index) {
			return false
		}
	}
	return true
}

// deferring reports whether deferred code could see what is returned.
func deferring(decl *ast.FuncDecl) bool {
	return code.Any(decl.Body, func(_ *ast.DeferStmt) bool { return true })
}

// plain reports whether a caller uses the result of that index plainly.
func (r *reader) plain(call inspector.Cursor, index int) bool {
	switch parent := call.Parent().Node().(type) {
	case *ast.ExprStmt:
		return true
	case *ast.BinaryExpr:
		return r.withNil(parent)
	case *ast.AssignStmt:
		if len(parent.Rhs) != 1 {
			return false
		}
		id, ok := parent.Lhs[index].(*ast.Ident)
		if !ok {
			return false
		}
		v, _ := r.p.TypesInfo.ObjectOf(id).(*types.Var)
		if id.Name == "_" {
			return true
		}
		if v == nil || v.Kind() != types.LocalVar {
			return false
		}
		return !slices.ContainsFunc(r.p.Index.Uses(v), func(use inspector.Cursor) bool {
			return use.ParentEdgeKind() != edge.AssignStmt_Lhs && !r.harmless(use)
		})
	}
	return false
}

func (r *reader) withNil(b *ast.BinaryExpr) bool {
	return (b.Op == token.EQL || b.Op == token.NEQ) && (r.p.TypesInfo.Types[b.X].IsNil() || r.p.TypesInfo.Types[b.Y].IsNil())
}

// harmless reports whether a use asks for nil, for the text, or prints.
func (r *reader) harmless(use inspector.Cursor) bool {
	switch parent := use.Parent().Node().(type) {
	case *ast.BinaryExpr:
		return r.withNil(parent)
	case *ast.SelectorExpr:
		return parent.Sel.Name == "Error" && use.Parent().ParentEdgeKind() == edge.CallExpr_Fun
	case *ast.CallExpr:
		f := typeutil.StaticCallee(r.p.TypesInfo, parent)
		if f == nil || f.Pkg() == nil || use.ParentEdgeKind() != edge.CallExpr_Args {
			return false
		}
		name := f.Name()
		prints := strings.HasPrefix(name, "Print") || strings.HasPrefix(name, "Sprint") || strings.HasPrefix(name, "Fprint") || strings.HasPrefix(name, "Fatal")
		return prints && f.Signature().Recv() == nil && (f.Pkg().Path() == "fmt" || f.Pkg().Path() == "log")
	}
	return false
}
