// Package lookups asks a map once where code asked it twice, and makes tables once.
//
//   - merge-lookups (Merge): m[k] is looked up in the head of an if statement, in a
//     statement before others, or by a loop over m, and again below. The value is kept in
//     a variable.
//   - make-once (Once): a map or a strings.Replacer of constants, what is parsed of them
//     (parsed.go), or bytes of them that a Writer gets (fixedbytes.go), are made at each call
//     and only read. They are package variables.
//   - map-to-switch (Switch): a package variable is a map of constants that is only looked
//     up in. It is a function that switches over the key.
//   - map-to-list (List): a map with constant keys is only ranged over. It is a list of
//     its pairs.
//   - map-to-set (Set): a map's values are never read. It holds empty structs.
//
// A pair is a first look-up and the reads that follow it (pair.go). The key is
// a plain name. On the way to each read nothing writes a map of that type, or the
// variables that name map and key, and no code runs that could (span.go).
package lookups

import "embed"

//go:embed all:proofs
var proofs embed.FS
