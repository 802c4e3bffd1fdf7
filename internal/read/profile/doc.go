// Package profile reads pprof files and says what each stack costs one
// benchmark, per op. It reads files and nothing else: package bench takes
// profiles, and package rank says why a line costs.
//
// # Reading
//
// Files are decoded here, not by google's package, for speed and memory. Only
// the stack and the values of a sample are kept, each stack once, and unpacking
// has a goroutine of its own. What google's package refuses is refused, and
// what it takes is read the same, which tests and a fuzz target hold. Google's
// package still reads text and the formats before pprof's. These limits differ
// on purpose, and more is an error. A file has at most Largest bytes, and
// 64 MiB in one field or in an older format. There are at most 2^20 frames on a
// stack and 2^30 in all, 256 values in a sample and 2^26 in all, and 2^24 of
// anything else.
//
// A caller that goes through stacks gets the same slice again and again.
//
// # Which samples count
//
// A test binary's profile holds more than the benchmark: package
// initialization, the testing package's own work, the first run of one
// iteration, the parents of sub-benchmarks. What counts is below the function
// that testing.(*B).runN calls, and what goroutines do that were started on
// the way, which a profile shows without their origin. The first run of a b.N
// benchmark, with one iteration, is left out, so that counts divide by N
// without a remainder.
//
// Set-up inside the benchmark function looks like the loop beside it. Stacks
// that allocate less than one object in twenty iterations are taken for
// set-up and dropped, as research on real benchmarks suggests; what is dropped
// in error shows as a gap in rank's sum. In a benchmark with RunParallel, all that is
// not below RunParallel is set-up.
//
// # Home
//
// The home of a stack is its innermost frame in the user's tree that is no
// test file. Where the tree has only test frames on the stack, it is the
// innermost of those: a variadic slice is allocated by the caller, and the
// caller may well be the benchmark itself.
//
// # CPU time
//
// A CPU profile's rate is nominal. Costs are its shares times the CPU time per
// op that was measured. Samples of the garbage collector's background workers
// and of the scheduler have no line: they are returned as unexplained, and
// GCShare gives the collector's part to a caller that attributes it by bytes
// allocated.
package profile
