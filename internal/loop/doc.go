// Package loop is the ratchet: it wires the rooms into pawl optimize, pawl try
// and pawl find -bench.
//
// A Session goes through stages, each of which leaves its findings in the Run:
//
//	Open      copy the tree, find its toolchain, packages and benchmarks
//	Measure   calibrate, A/A warm-up, profiles
//	Explain   the compiler's notes, targets, what could be changed: the plan
//	Check     the benchmarked packages' tests pass on the base
//	Optimize  one change at a time: guard, trial, outcome, record
//	Finish    original against final, afresh
//
// The state of the tree (its binaries, notes, profiles, targets) belongs to
// one version of it. A change that is kept makes a new version, for which all
// of that is taken anew; a change that is rolled back leaves no trace but its
// entry in the journal.
//
// The loop itself measures nothing and decides nothing about numbers: it turns
// the guard's checks and the judge's answers into an outcome, by the rules in
// outcome.go, and into a reason that can be read.
package loop
