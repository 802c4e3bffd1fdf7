// Package inline makes room for the compiler's inliner (split-fast-path). A
// function that begins with fast returns and goes on at length keeps its
// beginning, and all else moves to a function of its own. Callers then get the
// answers inline.
//
// There are three obligations. The same is done in the same order with the same
// variables. Nothing is tied to the function as a whole (splitcheck.go: defers,
// recover, labels, named results that the beginning sets, directives). Nothing
// looks at the names of callers on the stack.
package inline

import "embed"

//go:embed all:proofs
var proofs embed.FS
