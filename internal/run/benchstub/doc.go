// Package benchstub writes a benchmark for a function that has none.
//
// The hard part of a benchmark is what to call the function with. The tests
// know. They run with a hook in the function that records its arguments
// (package pawlstub, which an overlay adds to the standard library). Two of
// those inputs go into the benchmark: the largest, and a typical one, whose
// size is the median of those that differ. Calls that returned an error or
// panicked are taken only where no other is there.
//
// # What comes out
//
// A file in the function's own package, so that what is not exported can be
// named. Inputs are Go source; texts of some KiB are files in testdata/pawl.
// Where the function writes to what it is given, each iteration gets a fresh
// copy, and a comment says so, since the copy is part of the figures then.
//
// Nothing is written that is not known. A parameter that has no text which
// gives an equal value (a function, a channel, a live connection) is an error
// that names it and says what to do by hand.
//
// # What is proven
//
// The file is put into a copy of the module, compiled, and run with coverage.
// Proof tells how many lines of the function ran in the timed part, and whether
// a requested line did. Where the two inputs do not reach that line, some
// dozens of the others are tried, and one that reaches it is added. They are
// tried from the largest down to those of calls that returned an error. That a
// line runs says nothing about whether the input is like those of production.
//
// # Secrets
//
// Tests hold tokens, and inputs come from tests. An input in which package
// scrub sees a secret is passed over for another one; where all have one, there
// is no benchmark.
package benchstub
