// Package boxes makes values cheaper that are made for an interface to hold: errors
// that are made often and read rarely, and other small ones.
//
//   - lazy-error (Lazy): an error made by fmt.Errorf of basic operands becomes a
//     small value that formats itself when its text is asked for.
//   - error-value (Value): a pointer to a small struct that is made for each error
//     becomes the struct itself.
//   - carrier-value (Carrier): a pointer to a struct of one pointer that is put into another
//     interface becomes the struct itself.
//
// The obligations of the first two: nothing in the loaded packages tells two of the errors
// apart by identity or asks for their dynamic type (toldapart.go). Those of
// lazy-error: the operands are evaluated where they were, do not change while the
// error lives, and print the same then (operands.go). Those of error-value: the
// pointer is used for reading only, none is nil, no other package knows the type
// (pointeruses.go, destination.go), and the value does not allocate either. Carrier-value
// asks the same of interfaces with methods, which may not even become a value of any type.
package boxes

import "embed"

//go:embed all:proofs
var proofs embed.FS
