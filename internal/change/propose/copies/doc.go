// Package copies puts what a function makes where its callers copy it to.
//
//   - append-result (Append): a function returns a []byte or string that it has put
//     together, and callers append it to theirs or write it to a buffer at once. It
//     becomes a function that appends to what it is given.
//   - pass-buffer (Pass): a function fills a bytes.Buffer or strings.Builder of its own,
//     and callers write what is in it to theirs. It becomes one that writes to theirs.
//
// Such a function (original) grows one slice, fills one of fixed length or a buffer, or
// returns expressions (maker.go, body.go, parts.go, pass.go). A slice is used in returns, appends, and by
// constant index or length, which count from where it began; a buffer is only written to
// (written.go). A place is a call whose result is copied (place.go). Nothing that the call
// runs may see the destination, and bytes that it reads must not lie behind its end
// (destination.go). A buffer with half of a text in it is never seen: it belongs to a caller
// and is gone after a panic. Who calls for the result itself finds the old function, which
// calls the new one; where nobody does, it is renamed (declare.go).
package copies

import "embed"

//go:embed all:proofs
var proofs embed.FS
