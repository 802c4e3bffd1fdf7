// Package inline makes room for the compiler's inliner (split-fast-path): a function
// that begins with fast returns and goes on at length keeps its beginning, and all
// else moves to a function of its own, so that callers get the answers inline.
//
// The obligations: the same is done in the same order with the same variables,
// nothing is tied to the function as a whole (splitcheck.go: defers, recover,
// labels, named results that the beginning sets, directives), and nothing looks at
// the names of callers on the stack.
package inline

import "embed"

//go:embed all:proofs
var proofs embed.FS
