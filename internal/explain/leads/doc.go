// Package leads says where a person, or an agent, may look for a gain on a line
// that costs and that no transformation fits: a target goes in, with what the
// compiler and the rules say of its line, and up to three leads come out.
//
// # Where they come from
//
//   - The compiler: what package hints has found on the line or on its function,
//     such as a call that is a little too large to be inlined, and the way on which
//     a value gets to the heap.
//   - The rules: one that reports the line and whose fix could not be made, else
//     the one that is about the same kind of call or work.
//   - Practice: a table of causes and what helps against them, by what the line
//     calls and by the reason for its cost. Its facts are those of the rules and of
//     package sign.
//
// The surest comes first: what the compiler said of this very line before what is
// true of such lines. A lead claims no gain, since nothing of it was tried; the
// target's Ceiling is the most that any of them can give.
package leads
