// Package rank turns what lines cost and what the compiler says about them
// into targets: lines of the user's module that cost, each with its share, the
// reason, and the most that can be gained there.
//
// # Allocations
//
// One target is one way to one allocation: the line that allocates, the lines
// of the module that lead to it, and thereby the line of the module where
// something can be done. The same make in a dependency, reached from two
// lines, is two targets. Notes are looked up for the whole chain of inlined
// calls around the allocation.
//
// The reason is the compiler's own where it has one. Growth of slices and
// maps, conversions and concatenations allocate without an escape; for these
// the syntax of the line is read. What remains is named as outside the module
// or as unexplained: it is never dropped, and targets and unexplained parts
// add up to the count that was measured.
//
// # Ceilings
//
// By Amdahl's law a line cannot give more than it costs. The ceiling of an
// allocation is its share of the objects. What its going saves of CPU time is
// estimated from above, as the sum of two parts: the CPU samples inside the
// allocator under the same stack, and the share of the garbage collector's
// background work that the site's bytes are of all bytes. It is an upper
// estimate since a value that no longer escapes still costs its clearing, and
// since the collector's work depends on what is live, too.
//
// # CPU time
//
// The lines with the most CPU time, their own and that of the calls that leave
// the module there, are targets with the reason "hot": reported, for nothing
// is proposed on time alone.
package rank
