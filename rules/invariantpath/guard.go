package invariantpath

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// guard returns the condition under which the loop runs at all; "" where it
// always does. ok is false where that cannot be said beforehand.
func (s *site) guard() (cond string, ok bool) {
	info := s.p.TypesInfo
	switch n := s.loop.Node().(type) {
	case *ast.RangeStmt:
		if tv := info.Types[n.X]; tv.Value != nil {
			k, isInt := code.Int(info, n.X)
			return "", isInt && k > 0
		}
		if !s.readable(n.X) {
			return "", false
		}
		switch t := info.TypeOf(n.X).Underlying().(type) {
		case *types.Array:
			return "", t.Len() > 0
		case *types.Slice, *types.Map:
			return "len(" + s.p.Source(n.X) + ") > 0", true
		case *types.Basic:
			if t.Info()&types.IsInteger != 0 {
				return s.p.Source(n.X) + " > 0", true
			}
			return "len(" + s.p.Source(n.X) + ") > 0", true
		}
	case *ast.ForStmt:
		return s.guardFor(n)
	}
	return "", false
}

// readable reports whether x only reads variables and fields.
func (s *site) readable(x ast.Expr) bool {
	switch x := ast.Unparen(x).(type) {
	case *ast.Ident:
		return true
	case *ast.SelectorExpr:
		return s.readable(x.X)
	case *ast.CallExpr:
		id, ok := x.Fun.(*ast.Ident)
		return ok && s.p.TypesInfo.Uses[id] == types.Universe.Lookup("len") && s.readable(x.Args[0])
	}
	return s.p.TypesInfo.Types[x].Value != nil
}

// guardFor reads for i := a; i < b; ….
func (s *site) guardFor(n *ast.ForStmt) (string, bool) {
	init, ok := n.Init.(*ast.AssignStmt)
	cond, isCmp := n.Cond.(*ast.BinaryExpr)
	if !ok || !isCmp || init.Tok != token.DEFINE || len(init.Lhs) != 1 {
		return "", false
	}
	id := init.Lhs[0].(*ast.Ident)
	if code.Var(s.p.TypesInfo, cond.X) != s.p.TypesInfo.Defs[id] || cond.Op != token.LSS && cond.Op != token.LEQ || !s.readable(cond.Y) || !s.readable(init.Rhs[0]) ||
		code.Mentions(s.p.TypesInfo, cond.Y, s.p.TypesInfo.Defs[id]) {
		return "", false
	}
	a, isA := code.Int(s.p.TypesInfo, init.Rhs[0])
	b, isB := code.Int(s.p.TypesInfo, cond.Y)
	if isA && isB {
		return "", a < b || a == b && cond.Op == token.LEQ
	}
	return fmt.Sprintf("%s %s %s", s.p.Source(init.Rhs[0]), cond.Op, s.p.Source(cond.Y)), true
}
