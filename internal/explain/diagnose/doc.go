// Package diagnose recognises what Go's runtime does on behalf of a program by
// the runtime's own functions in its profiles: allocating, collecting, growing
// stacks, parking and waking goroutines, calling C. Each such signature has a
// threshold, a lever, what must hold before the lever is pulled, and what
// pulling it can break.
//
// # The runtime's part of a stack
//
// A stack of a CPU profile is read from its innermost frame up to the first
// that is neither of the runtime nor of package sync. That is the runtime's
// part, and only it is looked at: a handler below runtime.deferreturn is no cost
// of defer. The line that calls is the innermost one outside the standard
// library, further out.
//
// # One stack, one signature
//
// The runtime's functions call each other: mallocgc assists the collector, a
// deferred call allocates its record. Each stack counts once, for the most
// specific signature (the order of the list), so that shares add up and nothing
// is gained twice. "allocation" is mallocgc without the collector's part in it.
//
// # The scheduler
//
// A goroutine that parks leaves its stack; what the scheduler then does stands
// on a stack of its own, where no line of the program is. It is divided among
// what parks and wakes goroutines, in proportion to the samples in which each is
// seen to wake one; yields of the sweeper are the collector's. That is an estimate
// and is kept apart from the share. What cannot be divided is a signature of its
// own.
//
// # Other profiles
//
// Mutex and block profiles are grouped by what is waited for, goroutine profiles
// by what goroutines wait for and where. Heap profiles have no frames of the
// runtime: their signatures are the lines that hold much of a whole. One
// goroutine is enough in a goroutineleak profile.
//
// # Growth
//
// Several heap or goroutine profiles of one process are compared site by site.
// What came and went in a heap between two profiles is taken from the sampled
// objects and not from the scaled values, so that what stayed adds no noise.
// Only the first and the latest profile are kept, and what came and went on
// each site at each step. docs/growth.md says what a suspect is.
//
// # Comparisons
//
// Compare says what differs between two sets of profiles, by function, line and
// signature. A profile is a sample, and two runs of one program are not alike:
// what is named is beyond both, with the whole list wrong in 5 of 100
// comparisons at most. The variation between runs is measured where there are
// several profiles on a side, and else assumed.
package diagnose
