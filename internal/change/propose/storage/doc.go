// Package storage keeps what a method makes anew by each call in a field of its
// receiver, or makes it together.
//
//   - scratch-to-field (Scratch): a local array, or a make of constant size, that
//     the compiler moves to the heap because a slice of it goes into a call it
//     cannot see through. The storage moves into the struct of the receiver.
//   - reuse-buffer (Reuse): x.f = append-style call with a nil destination. The
//     result's storage is kept in a field beside f and used again.
//   - scratch-for-result (ScratchResult): an append-style call with a nil
//     destination whose result is only looked at within the method. It appends to
//     an array in the struct.
//   - refill-field (Refill): a slice or map in a field that a function drops or makes anew. It is
//     emptied, and filled again.
//   - slab (Slab): a small struct that a method makes on the heap, or declares there, again and again. It is
//     cut off an array of several that the receiver holds.
//   - text-slab (TextSlab): a short string that a method makes of bytes, again and again. It is a part
//     of a larger one.
//   - joint-allocation (Joint): a struct and what its fields point to. They are parts of one
//     value.
//   - joint-variables (Together): variables of a function that go to the heap together. They
//     are fields of one.
//
// All but refill-field, slab, text-slab and the last two rest on the same five obligations (argue, in field.go). Nothing refers
// to the memory after the call. No two goroutines are in the method with one
// receiver, and the method is not entered again while it runs. A nil receiver
// would have panicked before too, and nothing can tell that the struct has one
// more field. reuse-buffer also shows that f alone refers to what it holds. So does refill-field, which adds no field.
// All that its field ever gets is new or made of itself. No copy of the struct has it too, and nothing looks
// behind the end of what was emptied.
package storage

import "embed"

//go:embed all:proofs
var proofs embed.FS
