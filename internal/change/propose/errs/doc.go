// Package errs makes errors cheaper that are made often and read rarely.
//
//   - lazy-error (Lazy): an error made by fmt.Errorf of basic operands becomes a
//     small value that formats itself when its text is asked for.
//   - error-value (Value): a pointer to a small struct that is made for each error
//     becomes the struct itself.
//
// The obligations of both: nothing in the loaded packages tells two of the errors
// apart by identity or asks for their dynamic type (toldapart.go). Those of
// lazy-error: the operands are evaluated where they were, do not change while the
// error lives, and print the same then (operands.go). Those of error-value: the
// pointer is used for reading only, none is nil, no other package knows the type
// (pointeruses.go, destination.go), and the value does not allocate either.
package errs

import "embed"

//go:embed all:proofs
var proofs embed.FS
