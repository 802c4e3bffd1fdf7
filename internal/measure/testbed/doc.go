// Package testbed sets up the place where a user's module is built and
// measured. That is the copy of its tree, the go command of that copy, the
// benchmark suite with its clock, the directory of this run and the journal.
// Others decide what is built there and why.
//
// A Testbed belongs to one module and one run. A Checkout is one state of the
// tree on it: the work tree as the user has it, or a commit. There is one place
// for all checkouts, since the go command's cache and the binaries hold the
// path: taking the next one replaces the files of the one before. Binaries and
// suites of earlier checkouts stay usable, as they live elsewhere.
package testbed
