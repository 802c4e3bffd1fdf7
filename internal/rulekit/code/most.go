package code

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ast/edge"

	"github.com/pawl-dev/pawl/rules/rule"
)

// Few reports whether an expression is known to have at most few elements: an array, a
// constant, a short literal or what is appended to one, or a variable that is given
// nothing else. A parameter is what all callers give, where the package has them all.
func Few(p *rule.Pass, x ast.Expr, few int64) bool {
	n, ok := most(p, x, 0)
	return ok && n <= few
}

// ArrayLen returns the length of an array, or of the array that a pointer is to.
func ArrayLen(t types.Type) (int64, bool) {
	if a, ok := Pointee(t).Underlying().(*types.Array); ok {
		return a.Len(), true
	}
	return 0, false
}

// most returns how many elements an expression has at most, if that is known.
func most(p *rule.Pass, x ast.Expr, depth int) (int64, bool) {
	x = ast.Unparen(x)
	t := p.TypesInfo.TypeOf(x)
	if t == nil || depth > 8 { // or it is appended to itself
		return 0, false
	}
	if n, ok := ArrayLen(t); ok {
		return n, true
	}
	if s, ok := String(p.TypesInfo, x); ok {
		return int64(len(s)), true
	}
	switch x := x.(type) {
	case *ast.CompositeLit:
		switch t.(type) {
		case *types.Slice:
			return int64(len(x.Elts)), len(x.Elts) == 0 || !isKeyed(x.Elts[0])
		case *types.Map:
			return int64(len(x.Elts)), true
		}
	case *ast.CallExpr:
		if IsBuiltin(p.TypesInfo, x, "append") && !x.Ellipsis.IsValid() {
			n, ok := most(p, x.Args[0], depth+1)
			return n + int64(len(x.Args)-1), ok
		}
	case *ast.Ident:
		if v := Var(p.TypesInfo, x); v != nil && v.Pkg() == p.Pkg {
			return mostIn(p, v, depth+1)
		}
	}
	return 0, false
}

func isKeyed(x ast.Expr) bool {
	_, ok := x.(*ast.KeyValueExpr)
	return ok
}

// mostIn returns how many elements a variable has at most, by all that it is given.
func mostIn(p *rule.Pass, v *types.Var, depth int) (int64, bool) {
	values, ok := given(p, v)
	if !ok || Captured(p.Index, p.TypesInfo, v) {
		return 0, false
	}
	for _, use := range p.Index.Uses(v) {
		if !Writes(p.TypesInfo, use) {
			continue
		}
		a, ok := use.Parent().Node().(*ast.AssignStmt)
		if !ok || use.ParentEdgeKind() != edge.AssignStmt_Lhs || a.Tok == token.ADD_ASSIGN || len(a.Lhs) != len(a.Rhs) {
			return 0, false
		}
		values = append(values, a.Rhs[use.ParentEdgeIndex()])
	}
	var all int64
	for _, x := range values {
		n, ok := most(p, x, depth)
		if !ok {
			return 0, false
		}
		all = max(all, n)
	}
	return all, true
}

// given returns what a variable is declared with, or what the callers of its function
// give; false where that is not known.
func given(p *rule.Pass, v *types.Var) ([]ast.Expr, bool) {
	at, ok := p.Index.Inspect.Root().FindByPos(v.Pos(), v.Pos())
	if !ok {
		return nil, false
	}
	switch d := at.Parent().Node().(type) {
	case *ast.AssignStmt:
		if len(d.Lhs) == len(d.Rhs) && at.ParentEdgeKind() == edge.AssignStmt_Lhs {
			return []ast.Expr{d.Rhs[at.ParentEdgeIndex()]}, true
		}
	case *ast.ValueSpec:
		if at.ParentEdgeKind() == edge.ValueSpec_Names && (len(d.Values) == len(d.Names) || len(d.Values) == 0) {
			if len(d.Values) == 0 {
				return nil, true
			}
			return []ast.Expr{d.Values[at.ParentEdgeIndex()]}, true
		}
	case *ast.Field:
		return arguments(p, at.Parent().Node(), v)
	}
	return nil, false
}

// arguments returns what all calls of an unexported function give for a parameter.
func arguments(p *rule.Pass, field ast.Node, v *types.Var) (all []ast.Expr, ok bool) {
	at, found := p.Index.Inspect.Root().FindNode(field)
	if !found {
		return nil, false
	}
	_, f := Decl(p.TypesInfo, at)
	if f == nil || f.Exported() {
		return nil, false
	}
	i := ParameterIndex(f.Signature(), v)
	if i < 0 {
		return nil, false
	}
	for _, call := range p.Index.CallsOf(f) {
		if len(call.Args) != f.Signature().Params().Len() {
			return nil, false
		}
		all = append(all, call.Args[i])
	}
	return all, len(all) > 0 && len(all) == len(p.Index.Uses(f))
}
