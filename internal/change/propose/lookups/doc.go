// Package lookups asks a map once where code asked it twice.
//
//   - merge-lookups (Merge): m[k] is looked up in the head of an if statement, or in a
//     statement before others, and again below. The value is kept in a variable.
//
// A pair is a first look-up and the reads that follow it (pair.go). The obligations: on
// the way from it to each read nothing writes a map of that type, the variables that
// name map and key, or runs code that could (span.go), and the key is a plain name.
package lookups

import "embed"

//go:embed all:proofs
var proofs embed.FS
