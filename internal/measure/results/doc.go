// Package results compares two files of benchmark results and says what they
// can show, and what they cannot.
//
// # What goes in
//
// Two texts in Go's benchmark format
// (https://go.dev/design/14313-benchmark-format): what go test -bench prints, with
// all that gets between its lines. A result is known by its package and its name
// without the -N of GOMAXPROCS. A file may hold one name under several values of a
// configuration key ("goarch: amd64" and "goarch: arm64"). Where the other file
// knows some of these values, each value is a benchmark of its own. Values that
// the other file does not know are pooled, with a warning.
//
// # What they can show
//
// Files that pawl wrote name the run and the duet of each sample. Base
// and candidate of one run are paired by that and judged again, by the rules of
// pawl compare: the verdict is the proof that the run had. Samples that were
// taken on one pair of fresh links are averaged into one unit. What is not in
// such files cannot be judged again. The guards (peak heap, collector) are
// missing. So is whether a file stood for a source or for a binary; a difference
// on one link of each side that the layout of the code could make therefore
// stays undecided.
//
// Any other two files are two blocks: all of the old version, then all of the
// new one. Counts do not mind. allocs/op and B/op that agree within each side
// and differ between the sides have changed, and so has a unit that the file
// itself calls exact ("Unit cmp/op assume=exact better=lower").
//
// Times do mind. Whatever the machine did while one block ran and not while the
// other did is in the difference, and no test on the two blocks can know. In 58
// such comparisons of identical code on a shared machine, the Mann-Whitney test
// called 13 significant at p < 0.05, each by 5 % or more. More runs do not
// help. So medians, change and p are given, as benchstat gives them, and the
// standing is “undecided” whatever they are; there is no verdict.
//
// What the files tell about their own quality becomes warnings: few samples,
// drift inside a block, two modes, spread, different machines, toolchains,
// GOMAXPROCS and -benchtime, torn lines, failures.
//
// # Bounds
//
// A file is read into memory, maxBytes at most. Reading never fails over a
// line; a line that is no result is passed over, with a warning where it looks
// like one that was meant to be. A file without any result is an error.
package results
