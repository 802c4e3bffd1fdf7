// Package guard answers whether a change keeps behaviour, as far as it can be
// told without timing anything.
//
// The checks run from the cheapest to the dearest, and the first that fails
// ends the matter:
//
//   - frozen: the change touches no test, benchmark, testdata, module file,
//     build constraint or compiler directive. What judges both sides is the
//     base's.
//   - types: the changed packages, and what the benchmark is built from, compile.
//   - vet: go vet says nothing that it did not say of the base.
//   - escapes, inlining: the compiler puts nothing new on the heap, and on the
//     lines that the benchmark executes it inlines all that it did before.
//   - tests, race: the tests of the changed packages and of the benchmarked
//     ones pass, and pass under the race detector.
//
// A check that cannot run here is skipped and says why; a skipped check is
// shown with the verdict, and never counts as passed.
package guard
