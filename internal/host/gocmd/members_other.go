//go:build !linux

package gocmd

// Members returns the numbers of the processes of a program; nil where the
// system does not tell.
func Members(int) []int { return nil }
