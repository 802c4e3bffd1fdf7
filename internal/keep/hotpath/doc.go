// Package hotpath keeps hot paths as records: small text files in the user's
// repository that say what must stay true of one piece of code, and why.
//
// A figure in a document is believed for years after it stopped being true. A
// record can be asked. It tells where the code is, what it cost when it was
// measured and on what, the command that measures it, and which way is better.
// Its guardrails are commands that fail when a faster version is a wrong one.
//
//	pawl record 1
//
//	place: example.com/m/wire (*Conn).WriteMessage
//	line: buf := make([]byte, 0, n+header)
//	at: wire/conn.go:41
//	why: every request of the server goes through here.
//
//	benchmark: example.com/m/wire ^BenchmarkWriteMessage$
//	command: go test -run '^$' -bench '^BenchmarkWriteMessage$' -benchmem ./wire
//	better: allocs/op = 0
//	better: cpu/op <= +3%
//
//	measured: 2026-11-21
//	go: go1.26.8 linux/amd64
//	cpu: Intel(R) Xeon(R) Processor (2 CPUs)
//	run: 20261121T094411-record
//	commit: 5a0e6f1c9d2b
//	figures: BenchmarkWriteMessage
//	  cpu/op 398.2 ns ±1.3%
//	  wall/op 412 ns ±1.8%
//	  allocs/op 0
//	  B/op 0
//
//	guard: golden within 2m: go test -run '^TestGolden$' ./wire
//
// # Where they are
//
// In perf/records of the module, one file a path, NAME.txt. They belong to the
// code: a change that makes one untrue changes it, in the same commit, before
// the eyes of the same reviewer. (.pawl, where runs are kept, is ignored by
// git.) The directory holds no Go files, so that no build and no test sees it.
//
// # The format
//
// The first line is "pawl record 1": the version is raised when a key changes
// its meaning. Then there are lines of a key, a colon and a value. Indented
// lines continue the value above them; an empty line ends it. Lines that begin
// with # are comments and stay with the key below them when a record is written
// anew. A key that is not known is an error that names the nearest one, since a
// misspelt guardrail is one that never runs. The text is UTF-8, and characters
// that a reviewer would not see are errors.
//
// format writes one form: keys in the order above. To parse and format that
// form gives the same text again.
//
// # Directions
//
// "better" is [BENCHMARK] METRIC OP LIMIT, where OP is = or <= and LIMIT is a
// number, or "recorded" for the figure in the record, or +N% for that and N per
// cent. A metric that a benchmark reports by b.ReportMetric may have >= and -N%
// where more is better. Without a benchmark it holds for each that the pattern selects. Counts
// are compared exactly, within what the runtime itself adds to a slice. A time
// is never compared with one that another process took on another day: a limit
// on cpu/op or wall/op is open until somebody measures both versions side by
// side. The caller may hand in such verdicts; see Now.Times.
//
// # Places
//
// A line number is wrong after the next edit above it. The place is a function,
// and in it the text of a line: Find looks for both and says whether the line is
// still there, has moved, was changed, or is gone.
//
// # Guardrails
//
// A guardrail is a shell command that ends with 0 while all is well. It runs in
// a copy of the module, never in the user's own tree, in a process group of its
// own that is killed as a whole when its time is up. It is the user's own code
// with the user's own environment, just as a test is: who reviews a record
// reviews a program. What it prints may be anything, so only the last lines of
// one that fails are kept, with the values of secret-looking variables taken
// out.
package hotpath
