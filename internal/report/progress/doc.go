// Package progress keeps the line on standard error that tells what pawl does and how
// long it will take: one line that is drawn again on a terminal, and lines one below
// the other in a file.
package progress
