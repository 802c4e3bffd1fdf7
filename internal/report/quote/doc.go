// Package quote makes text that others wrote safe to show. What it makes from
// the output of compilers, tests and users moves no cursor, changes no colour,
// turns no direction of writing and is no markup.
package quote
