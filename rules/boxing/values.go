package boxing

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ast/edge"

	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// boxes reports whether putting a value into an interface needs memory.
func (b *boxer) boxes(x ast.Expr) bool {
	tv := b.p.TypesInfo.Types[x]
	if tv.Type == nil || tv.Value != nil || tv.IsNil() || !code.Boxes(b.p.TypesSizes, tv.Type) {
		return false
	}
	return !b.small(x)
}

// small reports whether an integer is known to be below 256, for which the
// runtime has a table.
func (b *boxer) small(x ast.Expr) bool {
	const limit = 256
	info := b.p.TypesInfo
	basic, ok := info.TypeOf(x).Underlying().(*types.Basic)
	if !ok || basic.Info()&types.IsInteger == 0 {
		return false
	}
	switch x := ast.Unparen(x).(type) {
	case *ast.BinaryExpr:
		n, ok := code.Int(info, x.Y)
		return ok && n >= 0 && (x.Op == token.AND && n < limit || x.Op == token.REM && n <= limit && basic.Info()&types.IsUnsigned != 0)
	case *ast.CallExpr:
		if info.Types[x.Fun].IsType() && len(x.Args) == 1 {
			from, ok := info.TypeOf(x.Args[0]).Underlying().(*types.Basic)
			return ok && from.Kind() == types.Uint8 || b.small(x.Args[0])
		}
	case *ast.Ident:
		return b.smallKey(x, limit)
	}
	return false
}

// smallKey reports whether a variable is the key of a range over fewer
// elements than the limit.
func (b *boxer) smallKey(id *ast.Ident, limit int64) bool {
	v := code.Var(b.p.TypesInfo, id)
	if !code.Local(v) {
		return false
	}
	at, ok := b.p.Index.Inspect.Root().FindByPos(v.Pos(), v.Pos())
	if !ok || at.ParentEdgeKind() != edge.RangeStmt_Key {
		return false
	}
	over := at.Parent().Node().(*ast.RangeStmt).X
	if n, ok := code.Int(b.p.TypesInfo, over); ok {
		return n <= limit
	}
	n, ok := code.ArrayLen(b.p.TypesInfo.TypeOf(over))
	return ok && n <= limit
}
