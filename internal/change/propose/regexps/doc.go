// Package regexps replaces a regular expression that never changes by code
// (regexp-to-code). A call of it becomes a call of a function that package
// recode generates, where code without backtracking can match the pattern.
//
// The obligations: the variable always holds the same expression, which no other
// package sees, and the function does what the expression does. It is compiled and
// run on texts made from the pattern before it is proposed (compare.go).
package regexps

import "embed"

//go:embed all:proofs
var proofs embed.FS
