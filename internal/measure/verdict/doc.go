// Package verdict reads evidence: it is the one place that turns what was
// measured into a verdict, a standing and the sentence that explains them. It
// does no I/O and starts nothing.
//
// # What goes in
//
// The units of one metric, each the log of candidate over base (Series.Add);
// counts per op (Counts); guards, as they were measured; and Rules, which say
// what was asked. The same units come from a trial, from two files that pawl
// wrote, and from runs under load. The callers choose rules and nothing else.
//
// # What comes out
//
// Series.Answer is a model.Verdict with what weakens it. Rules.Read puts that
// together with counts and guards into a model.Standing, one line that says
// why, and the regressions by themselves, for a file that accepts some.
//
// # Two sequences
//
// A question is one of several, and each has its share of the error rate. The
// sequence that answers runs at that share. The interval that is shown is that
// of a second sequence over the same units, at the level that a reader expects
// of a single interval. So an interval may leave out zero where nothing is
// claimed; Answer.Lacks then says what a claim takes.
//
// # Layout
//
// Two builds of different sources also differ by where the linker put each
// function. NeedsLinks says which answers that alone can give, and TakeBack
// turns such an answer into “not separable from layout”.
//
// # Counts
//
// allocs/op and B/op repeat exactly at the same number of iterations, but for
// a few objects that the runtime allocates. Tolerance is how much that is.
package verdict
