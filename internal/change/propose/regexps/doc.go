// Package regexps replaces a regular expression that never changes by code
// (regexp-to-code). A call of it becomes a call of a function that package
// recode generates, where code without backtracking can match the pattern. Or it runs
// the expression only on texts that have a literal which each match has (regexp-literal).
//
// The obligations: the variable always holds the same expression, which no other
// package sees, and the function does what the expression does. Generated code is compiled and
// run on texts made from the pattern before it is proposed (compare.go); a literal is
// read off the pattern (literal.go).
package regexps

import "embed"

//go:embed all:proofs
var proofs embed.FS
