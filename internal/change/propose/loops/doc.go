// Package loops does at once, or once, what a hot loop does over and over.
//
//   - bulk-append (BulkAppend): a loop that appends the ordinary bytes of a string
//     one by one. It appends each run of them at once.
//   - return-unchanged (Unchanged): such a loop in a function that returns what it
//     wrote. Where it would append all bytes, the string itself is returned.
//   - hoist-invariant (Hoist): a call of a function that only computes, with
//     arguments that the loop does not change. It is made before the loop.
//   - repeated-call (Again): a call of such a function that was made before with the
//     same arguments. What it returned is kept in a variable.
//   - copy-loop (CopyLoop): a loop that takes each element of a slice over to a new one. It
//     is a copy, or an append of all.
//   - byte-search (ByteSearch): a loop that looks for one byte, skips to it or counts
//     it. It is left to packages strings and bytes.
//   - local-fields (LocalFields): a loop that sets fields behind a pointer, or reads them
//     beside what it stores. They are variables while it runs, and are set where it is left.
//
// bulk-append reads the body as a choice over one byte: a byteScope is the code
// that looks at it, a byteCond a condition on it, a byteSink what appends it.
// There are three obligations. Each byte of a run would have been appended as
// it is. Nothing else happens between two of them. The destination does not
// overlap what is still to be read of the source. A loop over characters has runs of
// ASCII only, since of bad UTF-8 it appends other bytes (runeloop.go). For hoist-invariant, the call
// has no effect and does not panic, and its arguments are the same in each
// iteration (prove.Invariant); for repeated-call, nothing assigns to them in between.
package loops

import "embed"

//go:embed all:proofs
var proofs embed.FS
