// Package worth says what a change is worth where the program really runs. That
// is the share of a production profile that is spent in and below the changed
// functions, times the part of their cost that the change saves. A benchmark
// alone cannot tell: a change that halves what runs once in thirty seconds
// saves nothing, however hot its benchmark is.
//
// # Share
//
// A stack of the profile counts when any of its frames, inlined calls
// included, is one of the changed functions or a closure of one; it counts
// once, however often they recur in it. Work that they hand to other
// goroutines counts only where those begin in a closure of theirs. The share
// is of all samples, with the interval that their number allows (see
// profile.Part).
//
// Names differ between a benchmark's binary and production's. A function is
// looked for by its import path. Where the profile has none of that package, it
// is looked for without major versions, then as main where its file says so.
// Last comes the last element of its import path, as in a fork. A warning tells
// what was found in another way than by its own name.
//
// # Gain
//
// The benchmark says what the change saves of all that it does. Its own
// profile says what share of that the changed functions are. The quotient is
// the part of their cost that is saved, at most 1. It is carried over to
// production as if the arguments there were those of the benchmark. That is
// the weak point of any such figure, and why it says “at most”: production
// does not repeat one input with all caches warm.
//
// Intervals are combined end by end, which is wider than need be: the lowest
// share with the lowest gain, and so on.
//
// # Allocations
//
// A gain in allocations is weighed against a heap profile, by alloc_space, or
// alloc_objects where that alone is there. Where there is only a CPU profile,
// what is saved is the time in the allocator below the changed functions, and
// the collector's time in the background in the same proportion. That is an
// estimate, and says so: the collector's work depends on what lives, too.
package worth
