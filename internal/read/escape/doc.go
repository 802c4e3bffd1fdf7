// Package escape asks the compiler about a build: what it put on the heap and
// how it got there, what it could not inline and why, which calls it did
// inline, where it checks bounds. It compiles, it does not link or run, and it
// never guesses what the compiler would say.
//
// # Where the notes come from
//
// One compile gives two records. The flag -json=0,DIR writes one file of
// diagnostics per source file, in the form of the language server protocol.
// These have the flow of each escape and the whole chain of calls that were
// inlined, but not the inlined calls themselves. The flag -m prints those
// ("inlining call to F"). Its wording of escapes changes between Go releases
// and is not read.
//
// A compile that the build cache answers writes no files, so every Take uses a
// directory that no build has seen, and so recompiles the packages that match
// Config.Patterns, and no others. Keep the patterns narrow: the packages on hot
// stacks (Packages names them) take well under a second.
//
// Take compiles twice: the packages first, their test variants second. The two
// variants of a package write the same files, and would do so at once if one
// command compiled both.
//
// # How a note is found
//
// A position in a binary is a chain: the line, and the calls through which it
// was inlined. Notes have the same chain, and At compares all of it. Comparing
// innermost lines alone would give one call's notes to all others. Profiles
// have no columns; where several notes are on one line, At returns them all.
//
// # Limits
//
// Notes on files that cgo or a //line directive rewrote name the rewritten
// file and do not join. Main packages all compile as "main": those that one of
// Config.Patterns matches write over each other's notes; their test variants
// do not.
package escape
