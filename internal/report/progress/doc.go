// Package progress keeps the line on standard error that tells what pawl does
// and how long it will take. A terminal shows one line that is drawn again, and
// a file has lines one below the other.
package progress
