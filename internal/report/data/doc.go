// Package data writes values for programs: JSON without numbers that JSON cannot hold,
// and files that a page offers to take along.
package data
