// Package leads says where a person, or an agent, may look for a gain on a line
// that costs and that no transformation fits. It makes up to three leads from a
// target and what the compiler and the rules report on its line.
//
// # Where they come from
//
//   - The compiler: what package hints has found on the line or on its
//     function. That may be a call that is a little too large to be inlined, or
//     how a value gets to the heap.
//   - The rules: one that reports the line and whose fix could not be made, else
//     the one that is about the same kind of call or work.
//   - Practice: a table of causes and what helps against them, by what the line
//     calls and by the reason for its cost. Its facts are those of the rules and of
//     package sign.
//
// The surest comes first: what the compiler reports on this very line, before
// what is true of such lines in general. A lead claims no gain, since it was
// not tried; the target's Ceiling is the most that any of them can give.
package leads
