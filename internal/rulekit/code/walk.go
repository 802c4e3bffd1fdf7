package code

import (
	"go/ast"
	"iter"
)

// All returns the nodes of one kind in a piece of syntax, itself included, from the
// outside in.
func All[N ast.Node](in ast.Node) iter.Seq[N] {
	return func(yield func(N) bool) {
		ok := true
		ast.Inspect(in, func(n ast.Node) bool {
			if x, is := n.(N); is {
				ok = ok && yield(x)
			}
			return ok
		})
	}
}

// Any reports whether a node of one kind in a piece of syntax, itself included, is as
// asked.
func Any[N ast.Node](in ast.Node, is func(N) bool) bool {
	for n := range All[N](in) {
		if is(n) {
			return true
		}
	}
	return false
}

// Here returns the first node of one kind that is as asked, those in function literals
// aside: they run at another time. It is the zero N if there is none.
func Here[N ast.Node](in ast.Node, is func(N) bool) (first N) {
	found := false
	ast.Inspect(in, func(n ast.Node) bool {
		if _, lit := n.(*ast.FuncLit); lit || found {
			return false
		}
		if x, ok := n.(N); ok && is(x) {
			first, found = x, true
		}
		return !found
	})
	return first
}
