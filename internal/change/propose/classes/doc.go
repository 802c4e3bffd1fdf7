// Package classes looks bytes up where code compared them one by one, or decoded them.
//
//   - byte-table (Table): a condition on one byte or rune that asks constants only becomes
//     a look at a table with a place for each byte. A chain of comparisons is such a
//     condition, and so is strings.ContainsRune of a constant set.
//   - set-search (Search): strings.IndexAny, ContainsFunc, Trim, Map and the like, of a constant
//     set or of such a condition, go over the bytes of the text.
//   - byte-loop (Loop): a loop over the runes of a string that treats all beyond ASCII
//     alike goes over its bytes.
//
// A predicate is such a condition, compiled to a function of the byte (predicate.go,
// body.go). It is evaluated for each byte, and for a rune also for each of the others
// and for values that are none: that is the proof, and it writes the table. Where it can
// be true beyond ASCII, the code that was there stays behind the table.
package classes

import "embed"

//go:embed all:proofs
var proofs embed.FS
