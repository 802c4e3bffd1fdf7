// Package inline makes room for the compiler's inliner. A
// function that begins with fast returns and goes on at length keeps its
// beginning, and all else moves to a function of its own (split-fast-path). Callers then get the
// answers inline.
//
// Of a function that makes what it returns, the making stays (caller-stack). It is inlined, so
// that the compiler sees at each call whether the result outlives the caller. Nothing can see
// that the memory is there earlier. What is asked of the callers (callercheck.go) says whether
// one gains, and is not about behaviour.
//
// Of the former there are three obligations. The same is done in the same order with the same
// variables. Nothing is tied to the function as a whole (splitcheck.go: defers,
// recover, labels, named results that the beginning sets, directives). Nothing
// looks at the names of callers on the stack.
package inline

import "embed"

//go:embed all:proofs
var proofs embed.FS
