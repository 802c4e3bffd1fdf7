// Package accepted reads the file of regressions that a project has accepted,
// and reports whether a regression is one of them.
//
// A gate that cannot be told "we know, and this is why" is switched off after
// the first slowdown that was worth it. The file keeps those decisions where
// they are made: next to the code, one line each, in the change that makes the
// benchmark slower, so that reviewers see what is accepted and why.
//
//	# wire: the frame has a checksum since v2.
//	example.com/m/wire BenchmarkSend cpu/op +8% until 2027-03-01: checksum added (#123)
//	example.com/m/wire BenchmarkSend allocs/op any: the hash escapes (#123)
//
// # The format
//
// An entry is a line of four or six words, a colon, and the reason:
//
//	PACKAGE BENCHMARK METRIC LIMIT [until DATE]: REASON
//
// PACKAGE is the import path. BENCHMARK is the whole name as go test prints it,
// without the -N of GOMAXPROCS at its end: BenchmarkSend, or
// BenchmarkSend/size=1024. It stands for itself and for no other benchmark. (A
// name never holds spaces: the testing package puts underscores in their
// place.) METRIC is cpu/op, wall/op, allocs/op, B/op, peak-heap, or * for each
// of them. LIMIT is the largest increase that is accepted, such as +8%, or the
// word any, which is also what a count needs that was nothing before: no
// percentage leads from 0 allocations to 1. DATE is the last day, in UTC, on
// which the entry holds. REASON is for people, and has to be there.
//
// Lines that begin with # are comments. The text is UTF-8.
//
// # Entries go again
//
// A gate compares with the commit at which a branch left. Once a slowdown is
// merged it is in that commit, and its entry accepts nothing any more. Warnings
// names such entries, so that the file does not become a list of
// permissions that nobody remembers giving.
package accepted
