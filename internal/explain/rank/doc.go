// Package rank turns what lines cost and what the compiler says about them into
// targets. A target is a line of the user's module that costs, with its share,
// the reason, and the most that can be gained there.
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
// allocation is its share of the objects. The CPU time saved when it goes is
// estimated from above, as the sum of two parts. One is the CPU samples inside
// the allocator under the same stack. The other is the site's share of all
// bytes, applied to the garbage collector's background work. It is an upper
// estimate since a value that no longer escapes still costs its clearing, and
// since the collector's work depends on what is live, too.
//
// # CPU time
//
// The lines with the most CPU time, their own and that of the calls that leave
// the module there, are targets. The reason is what takes at least half of it.
// That is a package that is called there, the runtime's work for an operator or
// a statement, a lock, or bytes appended one at a time in a loop. Otherwise it
// is the line itself, with the bounds checks that the compiler left in it.
// Where nothing has half, the line is "hot" and the function that takes most is
// named.
//
// Where the time below the calls of a line in a loop is spread over so many
// lines that none of them shows it, that line is a target, too: one for each
// benchmark. Its share includes those of the lines below, and it comes no earlier
// than those of them that are targets.
//
// # Locks
//
// A mutex profile counts the time of all who waited where the lock was given
// up. That line is the target, with the share of the time of all goroutines
// that run at once.
//
// # Order
//
// Statements are ordered by what can be gained on all their targets together.
// That is the CPU time whose home is the statement (see package profile) and
// the collector's part for its bytes. Its share of the objects and bytes counts
// less. Where statements of a function cost for one cause, as several calls of
// one function outside the module do, the first of them has what all cost. Each
// statement's best target comes first, then their other targets, and
// lines of test files last, since they are no answer. A value that a test file
// makes and that the module causes to escape is listed at the module's line
// that does so.
package rank
