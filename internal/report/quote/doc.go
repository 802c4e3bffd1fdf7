// Package quote makes text that others wrote safe to show. Output of compilers, tests
// and users goes in; what comes out moves no cursor, changes no colour, turns no
// direction of writing and is no markup.
package quote
