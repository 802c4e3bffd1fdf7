// Package data writes values for programs: JSON without numbers that JSON
// cannot hold, and files that a page offers for download.
package data
