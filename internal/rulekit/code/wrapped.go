package code

import (
	"go/ast"
	"go/token"
	"go/types"
	"iter"
	"slices"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/pawl-dev/pawl/internal/rulekit/index"
)

// Wrapped returns the calls of the function that does nothing but evaluate the expression
// at cur, on a goroutine of its own or here, and return it if it returns anything. Where
// such a function is called, the expression is evaluated, for the values of the parameters.
// There are none where the expression has more around it.
func Wrapped(ix *index.Index, info *types.Info, cur inspector.Cursor) iter.Seq2[inspector.Cursor, *ast.CallExpr] {
	if fn, ok := Func(cur); ok && Alone(fn.Node(), cur.Node()) {
		return Calls(ix, info, fn)
	}
	return func(func(inspector.Cursor, *ast.CallExpr) bool) {}
}

// Alone reports whether all that a function declaration or literal does is one statement, or
// to evaluate an expression, and to return it if anything. What it defers to its end does not
// count.
func Alone(fn, n ast.Node) bool {
	body := FuncBody(fn)
	if body == nil {
		return false
	}
	list := slices.DeleteFunc(slices.Clone(body.List), func(s ast.Stmt) bool { _, ok := s.(*ast.DeferStmt); return ok })
	if len(list) != 1 {
		return false
	}
	switch s := list[0].(type) {
	case *ast.ReturnStmt:
		return len(s.Results) == 1 && ast.Unparen(s.Results[0]) == n
	case *ast.ExprStmt:
		return s == n || s.X == n
	case *ast.GoStmt:
		return s.Call == n
	}
	return list[0] == n
}

// Only reports whether code makes no calls but some, builtins and conversions aside.
func Only(info *types.Info, n ast.Node, some func(*ast.CallExpr) bool) bool {
	return !Any(n, func(call *ast.CallExpr) bool {
		return !info.Types[call.Fun].IsType() && Builtin(info, call) == "" && !some(call)
	})
}

// Returned returns what a call of a function of the package evaluates to where that
// function is one return, in the terms of its parameters; any other expression as it is.
func Returned(ix *index.Index, info *types.Info, x ast.Expr) ast.Expr {
	call, ok := ast.Unparen(x).(*ast.CallExpr)
	if !ok {
		return x
	}
	body := FuncBody(Ran(ix, info, call))
	if body == nil || len(body.List) != 1 {
		return x
	}
	if ret, ok := body.List[0].(*ast.ReturnStmt); ok && len(ret.Results) == 1 {
		return ret.Results[0]
	}
	return x
}

// Handed yields the variables of callers that hold what a call at cur puts into a local
// variable, each with the call that gives it: those of a function that does nothing with its
// variable but to return it, or its address.
func Handed(ix *index.Index, info *types.Info, cur inspector.Cursor, v *types.Var) iter.Seq2[inspector.Cursor, *types.Var] {
	return func(yield func(inspector.Cursor, *types.Var) bool) {
		fn, ok := Func(cur)
		if !ok {
			return
		}
		result := -1
		for _, use := range ix.Uses(v) {
			if Within(cur.Node(), use.Node()) {
				continue
			}
			in, _ := Func(use)
			if at := WithUnary(use); in != fn || at.ParentEdgeKind() != edge.ReturnStmt_Results || result >= 0 && result != at.ParentEdgeIndex() {
				return
			} else {
				result = at.ParentEdgeIndex()
			}
		}
		for at := range Calls(ix, info, fn) {
			assign, ok := at.Parent().Node().(*ast.AssignStmt)
			if !ok || result < 0 || len(assign.Rhs) != 1 || result >= len(assign.Lhs) || assign.Tok != token.DEFINE {
				continue
			}
			if w := Var(info, assign.Lhs[result]); w != nil && !yield(at, w) {
				return
			}
		}
	}
}

// Received returns the calls that give their callers the one result which the return around
// cur gives. It is false where others may get it too: the function is exported, is a method or
// a value, or has several results.
func Received(ix *index.Index, info *types.Info, cur inspector.Cursor) (all []inspector.Cursor, ok bool) {
	ret, returns := cur.Parent().Node().(*ast.ReturnStmt)
	fn, inFunc := Func(cur)
	if !returns || !inFunc || len(ret.Results) != 1 {
		return nil, false
	}
	var f types.Object
	switch n := fn.Node().(type) {
	case *ast.FuncDecl:
		if f = info.Defs[n.Name]; n.Recv != nil || f == nil || f.Exported() {
			return nil, false
		}
	case *ast.FuncLit:
		f = holder(ix, info, fn)
	}
	for at := range Calls(ix, info, fn) {
		all = append(all, at)
	}
	return all, len(all) > 0 && (f == nil && fn.ParentEdgeKind() == edge.CallExpr_Fun || f != nil && len(all) == len(ix.Uses(f)))
}

// Given yields what an expression at cur may be: for a parameter that its function never
// writes, each argument that a call in the package gives for it, with that call; for all
// else the expression itself, with cur.
func Given(ix *index.Index, info *types.Info, cur inspector.Cursor, x ast.Expr) iter.Seq2[inspector.Cursor, ast.Expr] {
	return func(yield func(inspector.Cursor, ast.Expr) bool) {
		for fn := range cur.Enclosing((*ast.FuncLit)(nil), (*ast.FuncDecl)(nil)) {
			if ParameterIndex(signature(info, fn.Node()), Var(info, x)) < 0 || Written(ix, info, Var(info, x), nil) {
				continue
			}
			for at, call := range Calls(ix, info, fn) {
				if arg := Argument(info, fn.Node(), call, x); arg != x && !yield(at, arg) {
					return
				}
			}
			return
		}
		yield(cur, x)
	}
}

// Sole returns the place that the value at cur is made for: where v := x gives it to a
// variable, the only use of that, if it is in the same function and loop, and held is true.
// Else it returns cur itself.
func Sole(ix *index.Index, info *types.Info, cur inspector.Cursor) (use inspector.Cursor, held bool) {
	assign, ok := cur.Parent().Node().(*ast.AssignStmt)
	if !ok || assign.Tok != token.DEFINE || len(assign.Lhs) != 1 || len(assign.Rhs) != 1 {
		return cur, false
	}
	v := Var(info, assign.Lhs[0])
	if v == nil || v.Pos() != assign.Lhs[0].Pos() || len(ix.Uses(v)) != 1 {
		return cur, false
	}
	use = ix.Uses(v)[0]
	outer, _ := Loop(cur)
	if inner, _ := Loop(use); inner.Index() != outer.Index() {
		return cur, false
	}
	return use, true
}

// Repeated yields the loops that run the code at cur again and again, each with a place in
// it: cur, in the innermost loop around it. Where its function has none, they are the loops
// around the calls of that, and of the literals in between.
func Repeated(ix *index.Index, info *types.Info, cur inspector.Cursor) iter.Seq2[inspector.Cursor, inspector.Cursor] {
	return func(yield func(at, loop inspector.Cursor) bool) { repeated(ix, info, cur, 1, nesting, yield) }
}

// repeated follows the calls of so many declared functions and literals.
func repeated(ix *index.Index, info *types.Info, cur inspector.Cursor, decls, lits int, yield func(at, loop inspector.Cursor) bool) bool {
	fn, ok := Loop(cur)
	if ok {
		return yield(cur, fn)
	}
	switch fn.Node().(type) {
	case *ast.FuncLit:
		lits--
	case *ast.FuncDecl:
		decls--
	default:
		return true
	}
	if decls < 0 || lits < 0 {
		return true
	}
	for at := range Calls(ix, info, fn) {
		if !repeated(ix, info, at, decls, lits, yield) {
			return false
		}
	}
	return true
}

// ParameterIndex returns the place of v among the parameters of a function, without those that
// take several arguments; -1 if it has none.
func ParameterIndex(sig *types.Signature, v *types.Var) int {
	if sig == nil || v == nil {
		return -1
	}
	i := slices.Index(slices.Collect(sig.Params().Variables()), v)
	if sig.Variadic() && i == sig.Params().Len()-1 {
		return -1
	}
	return i
}
