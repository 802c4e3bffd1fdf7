package prove

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/internal/rulekit/effects"
)

// BytesWritten returns the first node of statements that may write bytes of any slice, or let others do so, before the place
// end; nil where there is none. It leaves out function literals, which run where they are called, and what skip says. What a node
// does when all within it is evaluated does not count where after says so.
func (fn *Function) BytesWritten(stmts []ast.Stmt, end token.Pos, skip, after func(ast.Node) bool) (writes ast.Node) {
	for _, s := range stmts {
		ast.Inspect(s, func(n ast.Node) bool {
			if n == nil || writes != nil || n.Pos() >= end || skip(n) {
				return false
			}
			if _, lit := n.(*ast.FuncLit); lit {
				return false
			}
			if !after(n) && fn.writesBytes(n) {
				writes = n
			}
			return writes == nil
		})
	}
	return writes
}

// Departs reports whether a node is a block that ends its function, whatever it does before.
func Departs(n ast.Node) bool {
	block, ok := n.(*ast.BlockStmt)
	if !ok || len(block.List) == 0 {
		return false
	}
	_, returns := block.List[len(block.List)-1].(*ast.ReturnStmt)
	return returns && !code.Any(n, func(*ast.BranchStmt) bool { return true })
}

// writesBytes reports whether a node, without what is within it, may write bytes of any slice, or let others do so.
func (fn *Function) writesBytes(n ast.Node) bool {
	info := fn.Info()
	writes := func(e ast.Expr) bool { return mayShowBytes(info, e) }
	switch n := n.(type) {
	case *ast.GoStmt, *ast.SelectStmt, *ast.SendStmt, *ast.LabeledStmt:
		return true
	case *ast.UnaryExpr:
		return n.Op == token.ARROW
	case *ast.RangeStmt:
		return OthersRange(info, n) || slices.ContainsFunc(code.Assigned(n), writes)
	case *ast.AssignStmt, *ast.IncDecStmt:
		return slices.ContainsFunc(code.Assigned(n), writes)
	case *ast.CallExpr:
		return fn.callWritesBytes(n)
	}
	return false
}

// mayShowBytes reports whether assigning to an expression may write bytes that a slice shows.
func mayShowBytes(info *types.Info, e ast.Expr) bool {
	t := info.TypeOf(e)
	if t == nil {
		return false // the blank identifier
	}
	_, name := ast.Unparen(e).(*ast.Ident)
	_, basic := t.Underlying().(*types.Basic)
	if at, ok := ast.Unparen(e).(*ast.IndexExpr); ok {
		if _, isMap := code.Core(info.TypeOf(at.X)).(*types.Map); isMap {
			return false
		}
	}
	return !(name && basic) && hasBytes(t)
}

// hasBytes reports whether a value of a type has bytes in itself.
func hasBytes(t types.Type) bool {
	return code.Inside(t, func(t types.Type) bool {
		b, ok := t.Underlying().(*types.Basic)
		return ok && b.Kind() == types.Uint8 || code.IsTypeParam(t)
	})
}

// callWritesBytes reports whether a call may write bytes.
func (fn *Function) callWritesBytes(call *ast.CallExpr) bool {
	info := fn.Info()
	switch code.Builtin(info, call) {
	case "append", "copy", "clear":
		return sliceOfBytes(info.TypeOf(call.Args[0]))
	case "close":
		return true
	}
	if _, deferred := fn.File.Parent(call).(*ast.DeferStmt); deferred {
		return false // it runs when the function has ended
	}
	target := code.Callee(info, call)
	if target != nil && target.Pkg() != nil && target.Pkg().Path() != "bytes" && slices.ContainsFunc(call.Args, func(e ast.Expr) bool { return sliceOfBytes(info.TypeOf(e)) }) {
		return true // it may write them
	}
	if target != nil && effects.Reads(target) {
		return false
	}
	if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok && info.Selections[sel] != nil {
		if target == nil || target.Signature().Recv() == nil || isPointer(target.Signature().Recv().Type()) {
			return true // it may write what is the receiver's own
		}
	}
	return !HarmlessCall(info, call) // of a function of the program it is not read what it copies, and where to
}

func isPointer(t types.Type) bool {
	_, ok := t.Underlying().(*types.Pointer)
	return ok
}

func sliceOfBytes(t types.Type) bool {
	return t != nil && slices.ContainsFunc(code.Kinds(t), func(t types.Type) bool {
		list, ok := t.(*types.Slice)
		return ok && hasBytes(list.Elem())
	})
}
