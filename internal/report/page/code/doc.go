// Package code shows code on a page, in colours: diffs, and excerpts of source files
// with what their lines cost in the margin.
package code
