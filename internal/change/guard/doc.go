// Package guard answers whether a change keeps behaviour, as far as it can be
// told without timing anything.
//
// The checks run from the cheapest to the most expensive, and stop at the first
// that fails:
//
//   - frozen: the change touches no test, benchmark, testdata, module file,
//     build constraint or compiler directive. What judges both sides is the
//     base's.
//   - types: the changed packages, and what the benchmark is built from, compile.
//   - vet: go vet reports nothing that it does not report on the base.
//   - refused, api: what reading the change shows, see Inspection below.
//   - escapes, inlining: the compiler puts nothing new on the heap, and on the
//     lines that the benchmark executes it inlines all that it did before.
//   - tests, race: the tests of the changed packages and of the benchmarked
//     ones pass, and pass under the race detector.
//
// A check that cannot run here is skipped and says why; a skipped check is
// shown with the verdict, and never counts as passed.
//
// # Inspection
//
// A change can win its benchmark without doing the work any faster, and mean no
// harm by it. Inspect type-checks base and candidate and reads what is
// different. It works on units: a function, a package variable, a type. Each
// unit is a bag of facts: what it uses of other packages, its calls, loops, go
// statements and conditions, and the state it writes. What counts is a fact
// that a unit of the candidate has more often than the same unit of the base. A
// fact that another unit has lost is not new: it has moved. Objects are told
// apart by type information, so that an alias, a renamed import, a method
// value, or a helper of the module that is as it was hides nothing.
//
// These are the suspicions, and what they come from:
//
//   - frozen: names of files, without case, and symbolic links.
//   - directive: comments that speak to the build, names that are build
//     constraints, and declarations by which unchanged lines come to mean
//     something else: of a builtin, of a package's name.
//   - runtime, detect, unsafe: names of objects, in the table of uses.go; and
//     texts that only code that looks for a test has.
//   - setup: code before main, on the first call, in goroutines, and in
//     functions that run in a benchmark's set-up only.
//   - count: state that is made from itself and constants alone counts calls; it
//     is named where it is compared. So is state that is compared with where
//     an input lies, or how long it is; and the clock.
//   - precomputed: texts and numbers that the tests hold too, as they are,
//     encoded or hashed. Also conditions that pick out one input by its value,
//     hash, length or bytes, to answer at once or to leave work out.
//   - safeguard: locks, randomness for secrets and comparisons in constant time
//     that a function reached and no longer reaches; and state that is touched
//     outside a lock that held it. So is a function that woke others, ended with
//     its context or did something once, and does not any more. So is one that
//     hands on memory where it handed on a copy. So is one whose atomic step
//     became several, or that tells others before it writes. And so is one that
//     no longer catches panics, or asks a clock, a context or what an error wraps.
//   - state: memory that outlives the call, new or newly written.
//   - api: what apidiff reports.
//
// Reading cannot prove that there is no cheat. It misses a condition on input
// in several steps, an answer spread over many small constants, or a counter
// in another package's code. The other half is to drive both sides with inputs
// that the benchmark does not have.
package guard
