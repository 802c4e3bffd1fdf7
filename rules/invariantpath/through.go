package invariantpath

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ast/inspector"

	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/rules/rule"
)

// through reports the calls in loops of a function that makes a directory each time it is
// called, where what names the directory is the same in each iteration. What the function
// does besides is not looked at, so that it is shown only where a profile has it.
func through(p *rule.Pass, cur inspector.Cursor, mkdir *ast.CallExpr) {
	decl, f := code.Decl(p.TypesInfo, cur)
	stmt, ok := code.Stmt(cur)
	if f == nil || !ok || stmt.Parent().Node() != decl.Body || !always(stmt, cur) {
		return
	}
	var of []*types.Var
	if !derived(p, decl, mkdir.Args[0], &of, 5) || len(of) == 0 {
		return
	}
	for at, call := range p.Index.CallsOf(f) {
		loop, in := code.Loop(at)
		if !in || code.Waits(p.TypesInfo, loop.Node()) || !same(p, f, call, of, loop.Node()) {
			continue
		}
		p.Report(rule.Finding{
			Pos: call.Pos(), End: call.End(), Hot: loop.Node(), Tier: rule.Profiled, Class: rule.N,
			Message: fmt.Sprintf("%s calls os.MkdirAll for the same directory in each iteration; once before the loop is enough", f.Name()),
		})
	}
}

// derived reports whether a path is made of constants, parameters and the receiver alone,
// and adds the latter to of.
func derived(p *rule.Pass, decl *ast.FuncDecl, x ast.Expr, of *[]*types.Var, depth int) bool {
	return depth > 0 && !code.Any(x, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			return !code.PathCall(p.TypesInfo, n)
		case *ast.FuncLit:
			return true
		case *ast.Ident:
			v, ok := p.TypesInfo.Uses[n].(*types.Var)
			if !ok || v.IsField() {
				return false
			}
			if code.Declares(decl.Type, v) || decl.Recv != nil && code.Declares(decl.Recv, v) {
				*of = append(*of, v)
				return code.Written(p.Index, p.TypesInfo, v, nil)
			}
			_, value := code.Origin(p.Index, p.TypesInfo, decl, v)
			return value == nil || !derived(p, decl, value, of, depth-1)
		}
		return false
	})
}

// same reports whether a call in a loop passes the same for each of the parameters.
func same(p *rule.Pass, f *types.Func, call *ast.CallExpr, of []*types.Var, loop ast.Node) bool {
	params := slices.Collect(f.Signature().Params().Variables())
	return !slices.ContainsFunc(of, func(v *types.Var) bool {
		var x ast.Expr
		if i := slices.Index(params, v); i >= 0 && i < len(call.Args) && !f.Signature().Variadic() {
			x = call.Args[i]
		} else if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok && i < 0 {
			x = sel.X
		}
		return x == nil || !code.Invariant(p.Index, p.TypesInfo, x, loop)
	})
}
