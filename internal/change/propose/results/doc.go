// Package results puts what a function makes where its callers copy it to.
//
//   - append-result (Append): a function returns a []byte or string that it has put
//     together, and callers append it to theirs or write it to a buffer at once. It
//     becomes a function that appends to what it is given.
//
// A maker is such a function: it grows one slice, fills one of fixed length, or returns
// expressions (maker.go, body.go). Its uses are in returns, appends, and by constant index
// or length, which count from where the slice began. A place is a call whose result is
// copied (place.go). Nothing that the call runs may see the destination (destination.go).
// Who calls for the result itself finds the old function, which calls the new one; where
// nobody does, it is renamed (declare.go).
package results

import "embed"

//go:embed all:proofs
var proofs embed.FS
