package records

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/pawl-dev/pawl/internal/keep/hotpath"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/report/sheet"
)

func TestWriteList(t *testing.T) {
	r := hotpath.Record{
		Name: "write", Place: hotpath.Place{Pkg: "example.com/m/wire", Func: "(*Conn).WriteMessage"},
		Why: "every request of the server goes through here\nand so does every response; the budget of one is 2 ms",
		Pkg: "example.com/m/wire", Bench: "^BenchmarkWrite$/small",
		Better: []hotpath.Direction{
			{Metric: hotpath.Allocs, Op: hotpath.Equals}, {Metric: hotpath.Bytes, Op: hotpath.AtMost, Relative: true},
			{Benchmark: "BenchmarkWrite/small", Metric: hotpath.CPU, Op: hotpath.AtMost, Limit: 0.03, Relative: true},
		},
		Measured: hotpath.Measured{
			Date: time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC), Go: "go1.26.8 linux/amd64", CPU: "Intel(R) Xeon(R) Processor (2 CPUs)", Commit: "5a0e6f1c9d2b with edits",
			Figures: []hotpath.Figures{{Benchmark: "BenchmarkWrite/small", Values: []hotpath.Figure{
				{Metric: hotpath.CPU, Value: 398.2, Spread: 0.013}, {Metric: hotpath.Wall, Value: 412, Spread: 0.018}, {Metric: hotpath.Allocs},
				{Metric: hotpath.Bytes, Value: 12.5, Varies: true}, {Metric: hotpath.Retained, Value: 4096},
			}}},
		},
		Guards: []hotpath.Guard{{Name: "golden", Command: "go test -run '^TestGolden$' ./wire"}, {Name: "invariant", Command: "set -e\nfor f in testdata/*; do"}},
	}
	var b strings.Builder
	listed := []hotpath.Listed{{Record: r, Found: hotpath.Found{Where: hotpath.Moved, At: model.Pos{File: "wire/conn.go", Line: 44}, Func: r.Place.Func, Detail: "moved from wire/conn.go:41 to wire/conn.go:44"}}}
	if err := List(&b, listed, sheet.Options{}); err != nil {
		t.Fatal(err)
	}
	const want = `1 record in perf/records

write
  place    wire/conn.go:44 in (*Conn).WriteMessage (moved from wire/conn.go:41
           to wire/conn.go:44)
  why      every request of the server goes through here and so does every
           response; the budget of one is 2 ms
  measures ^BenchmarkWrite$/small of example.com/m/wire
  better   allocs/op = 0
           B/op <= recorded
           BenchmarkWrite/small cpu/op <= +3%
  was      Write/small: 398 ns cpu/op ±1.3%, 412 ns wall/op ±1.8%, 0 allocs/op,
           12.5 B/op (varies), 4096 retained-B
  on       2026-11-21, go1.26.8 linux/amd64, Intel(R) Xeon(R) Processor (2
           CPUs), at 5a0e6f1c9d2b with edits
  guards   golden: go test -run '^TestGolden$' ./wire
           invariant: set -e …
`
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func sampleReport() *hotpath.Report {
	return &hotpath.Report{Records: []hotpath.Checked{
		{
			Name: "write", Standing: hotpath.Broken, Place: hotpath.Found{Where: hotpath.Here, At: model.Pos{File: "wire/conn.go", Line: 41}, Func: "(*Conn).WriteMessage"},
			Guards: []hotpath.GuardResult{
				{Guard: hotpath.Guard{Name: "tests", Timeout: time.Minute, Command: "go test ./wire"}, OK: true, Seconds: 1.23},
				{Guard: hotpath.Guard{Name: "golden", Timeout: time.Minute, Command: "go run ./golden > out\ndiff out testdata/golden.txt"}, Failed: true, Why: "exit code 1", Tail: []string{"1c1", "< a | `b` <b>"}},
			},
			Directions: []hotpath.DirectionResult{
				{Benchmark: "BenchmarkWrite/small", Standing: hotpath.Broken, Why: "allocs/op 1, to be 0"},
				{Benchmark: "BenchmarkWrite/small", Standing: hotpath.Open, Why: "cpu/op was not measured: a time compares with one that was taken beside it", Try: "pawl compare abc . -bench '^BenchmarkWrite$/^small$' example.com/m/wire/with/a/long/path"},
			},
			Error:    "the tree does not build:\nm.go:1: no",
			Warnings: []model.Warning{{Seen: "moved", Cause: "an edit", Try: "pawl record write -at FILE.go:LINE"}},
		},
		{Name: "read", Standing: hotpath.Holds, Place: hotpath.Found{Where: hotpath.Unknown}},
	}, Warnings: []model.Warning{{Seen: "a file is passed over"}}}
}

func TestWriteReport(t *testing.T) {
	var b strings.Builder
	if err := Text(&b, sampleReport(), sheet.Options{ASCII: true}); err != nil {
		t.Fatal(err)
	}
	const want = `broken: 1 of 2 records

x write: broken - wire/conn.go:41 (*Conn).WriteMessage
  + guard tests, 1.2 s
  x guard golden: exit code 1
    $ go run ./golden > out
    $ diff out testdata/golden.txt
    | 1c1
    | < a | ` + "`b`" + ` <b>
  x Write/small: allocs/op 1, to be 0
  ? Write/small: cpu/op was not measured: a time compares with one that was
    taken beside it
    try: pawl compare abc . -bench '^BenchmarkWrite$/^small$' example.com/m/wire/with/a/long/path
  ? the tree does not build:
    | m.go:1: no
  ! moved
    likely because an edit
    try: pawl record write -at FILE.go:LINE

+ read: holds
! a file is passed over
`
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// What a guard or a file says cannot break out of the terminal.
func TestOutputIsPlain(t *testing.T) {
	rep := sampleReport()
	rep.Records[0].Warnings[0].Seen = "a\x1b[2J|b\u202e`c`<script>"
	var text strings.Builder
	if err := Text(&text, rep, sheet.Options{}); err != nil {
		t.Fatal(err)
	}
	if out := text.String(); strings.ContainsAny(out, "\x1b\u202e") || !utf8.ValidString(out) {
		t.Errorf("%q", out)
	}
}
