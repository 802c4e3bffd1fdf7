package anyvalue

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/rules/rule"
)

// contents returns the elements that the package stores in a map or slice of any, which is
// a field to which whole is assigned. There are none where one may come from elsewhere, or
// where one is read other than by asserting its type.
func contents(p *rule.Pass, field *types.Var, whole []ast.Expr) (all []ast.Expr) {
	for _, x := range whole {
		elems, ok := begins(p.TypesInfo, field, x)
		if !ok {
			return nil
		}
		all = append(all, elems...)
	}
	read := false
	for _, use := range p.Index.Uses(field) {
		elems, asserts, ok := element(p, use)
		if !ok {
			return nil
		}
		all, read = append(all, elems...), read || asserts
	}
	if !read {
		return nil
	}
	return all
}

// begins returns the elements of a map or slice that a field is set to: a new one, or what
// the field held with more behind it.
func begins(info *types.Info, field *types.Var, x ast.Expr) (elems []ast.Expr, ok bool) {
	if info.Types[x].IsNil() {
		return nil, true
	}
	switch x := ast.Unparen(x).(type) {
	case *ast.CompositeLit:
		for _, e := range x.Elts {
			if kv, ok := e.(*ast.KeyValueExpr); ok {
				e = kv.Value
			}
			elems = append(elems, e)
		}
		return elems, true
	case *ast.CallExpr:
		switch code.Builtin(info, x) {
		case "make":
			return nil, true
		case "append":
			old := code.Named(info, x.Args[0])
			return x.Args[1:], old != nil && old.Origin() == field && !x.Ellipsis.IsValid()
		}
	}
	return nil, false
}

// element returns what a use of a map or slice stores in it, and whether it asserts the type
// of one; ok is false for uses that are not known to leave its elements here.
func element(p *rule.Pass, use inspector.Cursor) (elems []ast.Expr, asserts, ok bool) {
	if use.ParentEdgeKind() == edge.SelectorExpr_Sel {
		use = use.Parent()
	}
	switch n := use.Parent().Node().(type) {
	case *ast.IndexExpr:
		switch at := use.Parent().Parent().Node().(type) {
		case *ast.TypeAssertExpr:
			return nil, true, true
		case *ast.AssignStmt:
			if i := use.Parent().ParentEdgeIndex(); use.Parent().ParentEdgeKind() == edge.AssignStmt_Lhs && len(at.Lhs) == len(at.Rhs) {
				return at.Rhs[i : i+1], false, true
			}
			if len(at.Rhs) == 1 && at.Tok == token.DEFINE {
				return item(p, at.Lhs[0])
			}
		}
	case *ast.AssignStmt:
		return nil, false, use.ParentEdgeKind() == edge.AssignStmt_Lhs
	case *ast.KeyValueExpr:
		return nil, false, use.ParentEdgeKind() == edge.KeyValueExpr_Key
	case *ast.BinaryExpr: // with nil
		return nil, false, true
	case *ast.RangeStmt:
		if n.Value != nil {
			return item(p, n.Value)
		}
		return nil, false, true
	case *ast.CallExpr:
		b := code.Builtin(p.TypesInfo, n) // begins has read what is appended
		return nil, false, b == "len" || b == "delete" || b == "clear" || b == "append" && use.ParentEdgeIndex() == 0
	}
	return nil, false, false
}

// item is what element returns for a use that gives one of the elements to a new variable:
// that may only be asked for its type.
func item(p *rule.Pass, x ast.Expr) (elems []ast.Expr, asserts, ok bool) {
	v := code.Var(p.TypesInfo, x)
	if v == nil {
		return nil, false, true // the blank
	}
	uses := p.Index.Uses(v)
	other := slices.ContainsFunc(uses, func(use inspector.Cursor) bool { return use.ParentEdgeKind() != edge.TypeAssertExpr_X })
	return nil, len(uses) > 0, !other
}
