// Package trial puts a question about two builds to the judge: it is the one
// driver between the room that measures (bench) and the one that decides
// (judge).
//
// # The order of things
//
// Prepare calibrates a benchmark on the base and compares the base with itself.
// Compare counts allocations, fits the plan to a slow candidate and puts the
// question. The caller chooses rules, budgets and links; package verdict reads
// what comes of it.
//
// # The unit
//
// A unit is a duet: both binaries as fresh processes at the same time on one
// core, in coin-flip order, compared by process CPU time per op. The kernel
// takes turns between them every few milliseconds, so that whatever else
// happens on the machine happens to both. The noise of their ratio is a sixth
// of that of runs one after the other. Wall time in a duet means nothing (the
// arm that ends first leaves the core to the other and halves every effect); it
// is not read. The duets of a benchmark that runs in parallel and keeps its
// processors busy have all cores, and compare the CPU time of all threads. One
// that sleeps, does I/O or waits for locks is compared by wall time instead, in
// slices that alternate in random order. Such a verdict says so: its precision
// is low.
//
// # What else varies
//
// The order is drawn anew for each unit, because a fixed order turns the
// slightest advantage of the second arm into a proven difference. Every few
// units the least busy core is chosen again, and both binaries are copied
// afresh. Where the page cache puts a file shifts a benchmark by some tenths
// of a per cent, and with one copy for ever that would become a finding.
//
// # Layout
//
// Two builds of different sources differ by where the linker put each function.
// That alone moves benchmarks: by 1 to 3 % as a rule, and by 16 % in a byte
// loop whose branches fell badly. On amd64 both sides are built with their
// functions aligned to cache lines, which leaves about 1 % of it. What is left
// is not noise of a measurement but a property of a file, so no number of runs
// shows it. judge therefore asks twice. The first stage runs one link of each
// side, and where it finds nothing the trial ends. As soon as it seems to find
// something, up to verdict.LayoutReach, a second stage takes over. Its unit is
// a pair of fresh links of both sides, in random order, and the mean of some
// duets on them; the next pairs are linked meanwhile. The order is the same on
// both sides where it can be (bench.Order), so that its luck is in both. Where
// nothing can be linked again the honest answer is “not separable from layout”.
//
// A comparison of sources ends with two to four duets on the default link of
// each side. What go test would show stands beside the verdict where it is far
// from it.
//
// # Guards
//
// A cost may move where CPU time does not show it: into waiting, or into
// memory. Guards compares wall time in processes that are not pinned and
// the peak of the live heap. They trip only when every run of the candidate is
// worse than the base by more than a tenth.
//
// # Units that do not count
//
// Where a control group has a CPU quota, the system stops its processes when it
// is used up. Such units are left out, both arms of them: that is known without
// looking at the result, so leaving them out favours no answer. Nothing is ever
// left out for its result.
//
// # Benchmarks that fail
//
// A unit in which a benchmark fails is run again. What fails by chance fails on
// both sides alike, so the failures of both are counted. The candidate is
// refuted where nearly all of them are its own, six in a row to begin with. See
// Trial.Again.
//
// # When it stops
//
// After every unit the judge looks at all of them; its evidence may be looked
// at as often as one likes. A trial ends when the judge has answered, when the
// budget is spent, or when the question asked for less. A change that saves
// allocations only has to show that a slowdown above the floor is excluded.
package trial
