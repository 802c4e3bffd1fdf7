// Package provetest loads programs for tests of transformations, from archives
// whose lines are marked as targets.
package provetest
