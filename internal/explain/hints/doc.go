// Package hints finds hot code that the compiler's own words explain. There are
// four kinds: a function just above the inlining budget, a bounds check in a
// hot loop, a value that escapes only by a path that does not run, and a
// dynamic call.
//
// # What is never said
//
// A finding never contradicts the compiler. Each begins with a note of the
// compiler on the very code that the profile shows, compared by the whole chain
// of inlined calls. A call that was inlined, an index that was proven, or a
// value that stays on the stack gives none. Whether a call is dynamic is read
// from the types and then asked of the compiler, which may have devirtualized
// it.
//
// # What is tried
//
// A suggestion about inlining, bounds or escapes is written into an overlay and
// compiled, and the notes of that compile are read. Tried means that the
// compiler then said so. Only what the compiler says is tried, not what the
// program does or how fast it is. Holds tells what has to hold for the change
// to keep behaviour. The overlay is thrown away, and lines do not move in it,
// so that the two sets of notes can be compared by place.
//
// # Ceilings
//
// By Amdahl's law a change cannot save more than what it is about costs.
//
//   - A call that is not inlined: the time in the callee's own code outside its
//     loops, and that of the lines that call it. What loops of the callee cost
//     remains when the call goes.
//   - A bounds check: the own time of the lines with the check.
//   - An escape: as in package rank, the share of the objects, and of the CPU
//     time that goes with them.
//   - A dynamic call: as for a call that is not inlined.
//
// # Limits
//
// The packages of the module are type-checked from source without their tests.
// Code in assembly, in files that cgo rewrote, in functions with type
// parameters and in function literals is read less far or not at all; it gives
// fewer findings. A profile of another revision gives none where its lines have
// no notes, and wrong shares where they have: lines are not matched across
// revisions here.
package hints
