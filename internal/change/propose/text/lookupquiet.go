package text

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/internal/rulekit/effects"
)

// end is up to where the bytes must stay: the last statement or condition that uses them, with the loops around it, or
// the place where the string is made.
func (l *lookup) end() token.Pos {
	f := l.fn.File
	var end token.Pos
	if l.place != nil {
		end = l.place.Pos()
	}
	for _, use := range l.bare {
		whole := ast.Node(use)
		for up := f.Parent(use); up != f.Parent(l.def); up = f.Parent(up) {
			switch up.(type) {
			case ast.Expr, *ast.AssignStmt, *ast.ReturnStmt, *ast.ExprStmt, *ast.DeclStmt, *ast.ValueSpec, *ast.GenDecl, *ast.ForStmt, *ast.RangeStmt:
				whole = up
			}
		}
		end = max(end, whole.End())
	}
	return end
}

// unchanged says why the bytes may be others where they are used.
func (l *lookup) unchanged() (why *prove.Reason) {
	end := l.end()
	for _, s := range l.below {
		ast.Inspect(s, func(n ast.Node) bool {
			if n == nil || why != nil || n.Pos() >= end {
				return false
			}
			if _, lit := n.(*ast.FuncLit); lit || l.departs(n) {
				return false
			}
			if l.changes(n) {
				why = prove.Refusef("the bytes may change before they are used last (%s)", l.p.Pos(n.Pos()))
			}
			return why == nil
		})
	}
	return why
}

// departs reports whether a node is a block that ends the function, and does not use the bytes.
func (l *lookup) departs(n ast.Node) bool {
	block, ok := n.(*ast.BlockStmt)
	if !ok || len(block.List) == 0 {
		return false
	}
	_, returns := block.List[len(block.List)-1].(*ast.ReturnStmt)
	within := func(id *ast.Ident) bool { return code.Within(n, id) }
	return returns && !slices.ContainsFunc(l.bare, within) && (l.place == nil || !code.Within(n, l.place)) &&
		!code.Any(n, func(*ast.BranchStmt) bool { return true })
}

// changes reports whether a node may write bytes, or let others do so.
func (l *lookup) changes(n ast.Node) bool {
	info := l.fn.Info()
	switch n := n.(type) {
	case *ast.GoStmt, *ast.SelectStmt, *ast.SendStmt, *ast.LabeledStmt:
		return true
	case *ast.UnaryExpr:
		return n.Op == token.ARROW
	case *ast.RangeStmt:
		return prove.OthersRange(info, n) || slices.ContainsFunc(code.Assigned(n), l.writes)
	case *ast.AssignStmt, *ast.IncDecStmt:
		return slices.ContainsFunc(code.Assigned(n), l.writes)
	case *ast.CallExpr:
		return l.calls(n)
	}
	return false
}

// writes reports whether assigning to an expression may write bytes that a slice shows.
func (l *lookup) writes(e ast.Expr) bool {
	info := l.fn.Info()
	t := info.TypeOf(e)
	if t == nil {
		return false // the blank identifier
	}
	_, name := ast.Unparen(e).(*ast.Ident)
	_, basic := t.Underlying().(*types.Basic)
	if at, ok := ast.Unparen(e).(*ast.IndexExpr); ok {
		if _, isMap := info.TypeOf(at.X).Underlying().(*types.Map); isMap {
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

// calls reports whether a call may write bytes.
func (l *lookup) calls(call *ast.CallExpr) bool {
	info := l.fn.Info()
	switch code.Builtin(info, call) {
	case "append", "copy", "clear":
		return sliceOfBytes(info.TypeOf(call.Args[0]))
	case "close":
		return true
	}
	if _, deferred := l.fn.File.Parent(call).(*ast.DeferStmt); deferred {
		return false // it runs when the function has ended
	}
	fn := code.Callee(info, call)
	if fn != nil && fn.Pkg() != nil && fn.Pkg().Path() != "bytes" && slices.ContainsFunc(call.Args, func(e ast.Expr) bool { return sliceOfBytes(info.TypeOf(e)) }) {
		return true // it may write them
	}
	if fn != nil && effects.Reads(fn) {
		return false
	}
	if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok && info.Selections[sel] != nil {
		if fn == nil || fn.Signature().Recv() == nil || isPointer(fn.Signature().Recv().Type()) {
			return true // it may write what is the receiver's own
		}
	}
	return !prove.HarmlessCall(info, call) // of a function of the program it is not read what it copies, and where to
}

func isPointer(t types.Type) bool {
	_, ok := t.Underlying().(*types.Pointer)
	return ok
}

func sliceOfBytes(t types.Type) bool {
	if t == nil {
		return false
	}
	list, ok := t.Underlying().(*types.Slice)
	return ok && hasBytes(list.Elem())
}
