// Package pools takes an object that lives for one call, but not on the stack, from
// a package-level sync.Pool, and puts it back when the call is done with it.
//
// It knows seven kinds of objects. Five are new memory:
//
//   - a slice literal that is an argument (literal.go);
//   - a []byte that is made of a string for a call (converted.go);
//   - a local array or make of constant size (array.go), which is left to storage
//     where a field of the receiver can hold it;
//   - an array that is a parameter or result: a copy of it is passed on (copied.go);
//   - what h.Sum(nil) returns (result.go).
//
// Two can be reset: a bytes.Buffer, and a writer, compressor or hash (buffer.go, object.go). Bytes of a buffer that are
// returned are copied (given.go), as is a part of a large array that goes on (handed.go).
//
// There are four obligations. Nothing refers to the object after it is put back,
// deferred calls and implementations of the module's interfaces included
// (prove.Dispatch, and what an interface's comment promises: promise.go). It is
// cleared of what another call has left in it. A panic in between loses it and
// does no more harm. The pool is there before its first use.
package pools

import "embed"

//go:embed all:proofs
var proofs embed.FS
