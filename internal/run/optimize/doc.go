// Package optimize is the ratchet: it wires the rooms into pawl optimize, pawl try
// and pawl find -bench.
//
// A Session goes through stages. Each leaves its findings in the Run:
//
//	Open      copy the tree, find its toolchain, packages and benchmarks
//	Measure   calibrate, A/A warm-up, profiles; optimize does so for a few benchmarks, and
//	          for others when the ideas from these are used up
//	Explain   the compiler's notes, targets, what could be changed: the plan
//	Check     the benchmarked packages' tests pass on the base; those with the race detector
//	          go on beside the first change, whose proof waits for them
//	Optimize  one change at a time: guard, trial, outcome, record
//	Finish    original against final, afresh
//
// The Session keeps the order of these. What a run has is its kit, and what is done with it
// is searching, asking others (proposing), a change that was given, and finishing. How long
// they may take is its budget, and what is written down its ledger. What the run stands on is its stack: the version that it
// began with, and what was kept. The last ones of that may still have to be proven. What is
// known of one version of the tree is a state.State (internal/run/optimize/state), and
// putting one change into the tree and through its checks is an
// attempt.Attempt (internal/run/optimize/attempt). A change that is kept makes a new
// State, for which all is taken anew; a change that is rolled back leaves no
// trace but its entry in the journal. What could be tried is in offers, what was
// kept in kept, and the comparison at the end in final.
//
// The order of writing survives a kill at any moment. A change that will be
// kept is noted as pending before its commit. The commit comes before the line
// in the journal, and that before the note is removed.
//
// The loop itself measures nothing and decides nothing about numbers. It turns
// the guard's checks and the judge's answers into an outcome, by the policies
// and rules of attempt, and into a reason that can be read.
package optimize
