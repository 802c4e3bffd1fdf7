package prove

import (
	"go/ast"
	"go/constant"
	"go/types"
)

// ConstInt returns the value of e if it is a constant integer. Unlike code.Int
// it takes the 0.0 of a float64 for one.
func ConstInt(info *types.Info, e ast.Expr) (int64, bool) {
	v := info.Types[e].Value
	if v == nil {
		return 0, false
	}
	return constant.Int64Val(constant.ToInt(v))
}

// Plain reports whether a type holds no pointers: numbers and booleans.
func Plain(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsString == 0 && b.Kind() != types.UnsafePointer
}
