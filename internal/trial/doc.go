// Package trial puts a question about two builds to the judge: it is the one
// driver between the room that measures (bench) and the one that decides
// (judge).
//
// # The unit
//
// A unit is a duet: both binaries as fresh processes at the same time on one
// core, in coin-flip order, compared by process CPU time per op. The kernel
// takes turns between them every few milliseconds, so that whatever else
// happens on the machine happens to both, and the noise of their ratio is a
// sixth of that of runs one after the other. Wall time in a duet means nothing
// (the arm that ends first leaves the core to the other and halves every
// effect); it is not read. A benchmark that sleeps, does I/O or runs in
// parallel is compared by wall time instead, in slices that alternate in random
// order. Such a verdict says so: its precision is low.
//
// # What else varies
//
// The order is drawn anew for each unit, because a fixed order turns the
// slightest advantage of the second arm into a proven difference. The core is
// chosen again every few units, the least busy one, and both binaries are
// copied afresh: where the page cache happens to put a file shifts a benchmark
// by some tenths of a per cent, and a copy that is used for ever would turn
// that into a finding, rightly so.
//
// What a trial cannot vary yet is the layout of the code: two builds of
// different sources differ by where the linker put each function, and that
// alone moves benchmarks by 1 to 3 %. LayoutFloor stands for it.
//
// # When it stops
//
// After every unit the judge looks at all of them; its evidence may be looked
// at as often as one likes. A trial ends when the judge has answered, when the
// budget is spent, or when the question asked for less: whether a slowdown
// above the floor is excluded, which is all that a change that saves
// allocations has to show.
package trial
