// Package compare says what a second version of a module did to the benchmarks
// of the first: what got slower, what got faster, and what cannot be told.
//
// # Sides
//
// A side is a commit, the work tree as it is, a patch on top of the base, or a
// test binary that was built elsewhere. Sources are built one after the other
// at one path, so that code that is the same compiles to the same bytes. Then
// the tree goes back to the base, and both binaries run in its directories.
//
// # What is compared with what
//
// A benchmark's name is no identity. Where its code in test files differs
// between the sides, both are built with the base's test files if the candidate
// compiles with them, and the report says so. Otherwise each side runs its own.
// The verdict is then one on two different programs, which is never counted as
// clean. Files of testdata are the base's for both.
//
// A benchmark is not run when all that it reaches is the same on both sides, as
// package reach compares it. Coverage says whether it runs the changed functions
// at all.
//
// # The order of things
//
// Type rounds holds the order for all benchmarks, and type judging for one.
// Counts come first: allocs/op at equal iterations is exact. Duets by the rules
// for regressions follow, and fresh links of both sides where the layout of the
// code could make the difference. Then come the guards: wall time and peak live
// heap. The error rate α is split evenly over the benchmarks that are judged
// (Bonferroni), so it holds for all claims of the run together.
//
// # The gate
//
// Gate is the same with other questions. It compares with what the branch will
// be merged into, asks only whether a slowdown by the smallest effect is
// excluded, goes through many benchmarks within one budget, and knows a file of
// accepted regressions. It says first what it could not decide.
package compare
