package code

import (
	"go/ast"
	"iter"
)

// All returns the nodes of one kind in a piece of syntax, itself included, from the
// outside in. It is not inlined, nor are others that are called in hundreds of places: that is 0.3 MB of the binary.
//
//go:noinline
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
//
//go:noinline
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
//
//go:noinline
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

// Keyed reports whether a literal in a piece of syntax gives a field of some name.
func Keyed(in ast.Node, field string) bool {
	return Any(in, func(kv *ast.KeyValueExpr) bool {
		id, ok := kv.Key.(*ast.Ident)
		return ok && id.Name == field
	})
}

// Worded reports whether an identifier in a piece of syntax is written like this.
func Worded(in ast.Node, name string) bool {
	return Any(in, func(id *ast.Ident) bool { return id.Name == name })
}
