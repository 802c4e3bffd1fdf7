package hotpath

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/pawl-dev/pawl/internal/model"
)

const fullRecord = `pawl record 1

# What the load balancer waits for.
place: example.com/m/wire (*Conn).WriteMessage
line: buf := make([]byte, 0, n+header)
at: wire/conn.go:41
why:
  every request of the server goes through here
    - and so does every response

benchmark: example.com/m/wire ^BenchmarkWrite$/small
command: go test -run '^$' -bench '^BenchmarkWrite$/small' -benchmem ./wire
# Since the incident of May.
better: allocs/op = 0
better: BenchmarkWrite/small cpu/op <= +3%
better: B/op <= recorded

measured: 2026-11-21
go: go1.26.8 linux/amd64
cpu: Intel(R) Xeon(R) Processor (2 CPUs)
run: 20261121T094411-record
commit: 5a0e6f1c9d2b with edits
figures: BenchmarkWrite/small
  cpu/op 398.2 ns ±1.3%
  wall/op 412 ns ±1.8%
  allocs/op 0
  B/op 12.5 varies
  retained-B 4096

guard: golden within 2m: go test -run '^TestGolden$' ./wire
guard: invariant within 1h30m:
  set -e
  for f in testdata/*; do
    go run ./cmd/check "$f"
  done

# The end.
`

func wholeRecord() Record {
	return Record{
		Name: "write", File: "perf/records/write.txt",
		Place: Place{
			Pkg: "example.com/m/wire", Func: "(*Conn).WriteMessage", Line: "buf := make([]byte, 0, n+header)",
			At: model.Pos{File: "wire/conn.go", Line: 41},
		},
		Why: "every request of the server goes through here\n  - and so does every response",
		Pkg: "example.com/m/wire", Bench: "^BenchmarkWrite$/small",
		Command: "go test -run '^$' -bench '^BenchmarkWrite$/small' -benchmem ./wire",
		Better: []Direction{
			{Metric: Allocs, Op: Equals},
			{Benchmark: "BenchmarkWrite/small", Metric: CPU, Op: AtMost, Limit: 0.03, Relative: true},
			{Metric: Bytes, Op: AtMost, Relative: true},
		},
		Measured: Measured{
			Date: time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC), Go: "go1.26.8 linux/amd64",
			CPU: "Intel(R) Xeon(R) Processor (2 CPUs)", Run: "20261121T094411-record", Commit: "5a0e6f1c9d2b with edits",
			Figures: []Figures{{"BenchmarkWrite/small", []Figure{
				{Metric: CPU, Value: 398.2, Spread: 0.013}, {Metric: Wall, Value: 412, Spread: 0.018}, {Metric: Allocs},
				{Metric: Bytes, Value: 12.5, Varies: true}, {Metric: Retained, Value: 4096},
			}}},
		},
		Guards: []Guard{
			{"golden", 2 * time.Minute, "go test -run '^TestGolden$' ./wire"},
			{"invariant", 90 * time.Minute, "set -e\nfor f in testdata/*; do\n  go run ./cmd/check \"$f\"\ndone"},
		},
	}
}

func TestParse(t *testing.T) {
	got, err := parse([]byte(fullRecord), "perf/records/write.txt")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(wholeRecord(), got, cmpopts.IgnoreUnexported(Record{}), cmpopts.EquateApprox(0, 1e-12)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if diff := cmp.Diff(fullRecord, format(got)); diff != "" {
		t.Errorf("what was written in the one form is formatted anew (-want +got):\n%s", diff)
	}
	if ref := got.Measured.ref(); ref != "5a0e6f1c9d2b" {
		t.Errorf("ref %q", ref)
	}
}

// Whatever somebody may do to the form, the content and the comments stay.
func TestFormatKeepsContent(t *testing.T) {
	messy := strings.NewReplacer("better: allocs/op = 0", "better:allocs/op=0  ", "within 2m:", " within 120s  :", "\n  cpu", "\n\t  cpu",
		"\n  wall", "\n\t  wall", "\n  allocs", "\n\t  allocs", "\n  B/op", "\n\t  B/op", "\n  retained", "\n\t  retained",
		"<= recorded", "≤ +0%", "\n\nmeasured", "\n\n\n\nmeasured").Replace(fullRecord)
	messy = "\ufeff" + strings.ReplaceAll(messy, "\n", "\r\n")
	got, err := parse([]byte(messy), "write.txt")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(fullRecord, format(got)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestParseErrors(t *testing.T) {
	const head = "pawl record 1\nplace: example.com/m F\nbenchmark: example.com/m .\n" // the next line is 4
	for name, tt := range map[string]struct{ text, want string }{
		"empty":             {"", `x.txt:1: the first line of a record is "pawl record 1"`},
		"other text":        {"hello\nworld", `x.txt:1: the first line`},
		"newer version":     {"pawl record 2\nplaces: x", "x.txt:1: this is version 2 of the format, and this pawl knows 1"},
		"no place":          {"pawl record 1\nbenchmark: m .", "x.txt:1: there is no place"},
		"no benchmark":      {"pawl record 1\nplace: m F", "x.txt:1: there is no benchmark"},
		"unknown key":       {head + "gaurd: a: true", `x.txt:4: there is no key "gaurd": the nearest is "guard"`},
		"far from any key":  {head + "zzz: a", `x.txt:4: there is no key "zzz": the nearest is`},
		"key in capitals":   {head + "Better: allocs/op = 0", `the nearest is "better"`},
		"no key":            {head + "what is this", "x.txt:4: \"what is this\" is no key"},
		"twice":             {head + "place: example.com/m G", "x.txt:4: place stands on line 2 already"},
		"indented, nothing": {head + "\n  x", "x.txt:5: an indented line goes on with a value, and there is none above it"},
		"after a comment":   {head + "why: a\n# b\n  c", "x.txt:6: an indented line"},
		"metric":            {head + "better: alloc/op = 0", `x.txt:4: "alloc/op" is no metric: the nearest is "allocs/op"`},
		"testing's metric":  {head + "better: ns/op <= +3%", `the nearest is "cpu/op"`},
		"absolute time":     {head + "better: cpu/op <= 400", "x.txt:4: cpu/op has a limit of 400, and a time holds on one machine only"},
		"equal time":        {head + "better: cpu/op = recorded", "no two runs take the same time"},
		"no limit":          {head + "better: allocs/op =", "x.txt:4: a direction is"},
		"no operator":       {head + "better: allocs/op 0", "x.txt:4: a direction is"},
		"negative limit":    {head + "better: allocs/op <= -1", `"-1" is no limit`},
		"equal per cent":    {head + "better: allocs/op = +3%", "for a limit in per cent write <="},
		"direction twice":   {head + "better: allocs/op = 0\nbetter: allocs/op=0", "x.txt:5: allocs/op = 0 stands on line 4 already"},
		"other benchmark":   {"pawl record 1\nplace: m F\nbenchmark: m A$\nbetter: BenchmarkB allocs/op = 0", "x.txt:4: the pattern A$ does not select BenchmarkB"},
		"figure's line":     {head + "figures: BenchmarkA\n  cpu/op 3 ns\n  allocs/op many", `x.txt:6: "many" is no figure of allocs/op`},
		"figure twice":      {head + "figures: BenchmarkA\n  B/op 3\n  B/op 4", "x.txt:6: BenchmarkA has two figures of B/op"},
		"time without unit": {head + "figures: BenchmarkA\n  cpu/op 3", "x.txt:5: cpu/op is in ns"},
		"figures twice":     {head + "figures: BenchmarkA\n  B/op 3\nfigures: BenchmarkA\n  B/op 3", "x.txt:6: BenchmarkA has figures on line 4 already"},
		"no figures":        {head + "figures: BenchmarkA", "x.txt:4: BenchmarkA has no figures below it"},
		"guard's name":      {head + "guard: ../a: true", `x.txt:4: "../a" does not do as a name`},
		"guard's time":      {head + "guard: a within soon: true", `x.txt:4: "soon" is no time`},
		"guard's long time": {head + "guard: a within 1000h: true", "a day at most"},
		"guard's command":   {head + "guard: a within 2m:", "x.txt:4: a guard is NAME"},
		"guard without":     {head + "guard: true", "x.txt:4: a guard is NAME"},
		"guard twice":       {head + "guard: a: true\nguard: a: false", "x.txt:5: there is a guard a on line 4 already"},
		"date":              {head + "measured: yesterday", `"yesterday" is no day`},
		"at":                {head + "line: x\nat: ../x.go:1", `"../x.go:1" is no place in the module`},
		"at without line":   {head + "at: x.go:1", "x.txt:4: at names a line whose text is not given"},
		"function":          {"pawl record 1\nplace: m (*Conn[T]).Write\nbenchmark: m .", `x.txt:2: "(*Conn[T]).Write" is no name of a function`},
		"pattern":           {"pawl record 1\nplace: m F\nbenchmark: m a(", "x.txt:3: \"a(\" is no regular expression"},
		"hidden":            {head + "guard: a: true \u202e# eslaf", "x.txt:4: there is a character that cannot be seen: U+202E"},
		"not UTF-8":         {head + "why: \xff", "x.txt:4: the line is not UTF-8"},
		"control":           {head + "why: a\x1b[2Jb", "cannot be seen: U+001B"},
		"no value":          {head + "why:", "x.txt:4: why has no value"},
		"several lines":     {head + "go: a\n  b", "x.txt:4: go has a value of several lines"},
		"too large":         {"pawl record 1\n" + strings.Repeat("#\n", maxSize), "x.txt: it has"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := parse([]byte(tt.text), "x.txt")
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want %q", err, tt.want)
			}
			var f *FileError
			if !errors.As(err, &f) || f.File != "x.txt" {
				t.Errorf("%v holds no FileError", err)
			}
		})
	}
}

// All mistakes are named at once, the first ten.
func TestManyErrors(t *testing.T) {
	_, err := parse([]byte("pawl record 1\n"+strings.Repeat("nonsense\n", 15)), "x.txt")
	if err == nil || strings.Count(err.Error(), "\n") != maxErrors || !strings.Contains(err.Error(), "and 5 more") {
		t.Errorf("%v", err)
	}
}

func TestDirections(t *testing.T) {
	for text, want := range map[string]string{
		"allocs/op = 0":                 "allocs/op = 0",
		"allocs/op must stay 0":         "allocs/op = 0",
		"cpu/op not above +3 %":         "cpu/op <= +3%",
		"BenchmarkX/a=1 B/op<=64":       "BenchmarkX/a=1 B/op <= 64",
		"retained-B <= recorded":        "retained-B <= recorded",
		"allocs/op at most 2.5":         "allocs/op <= 2.5",
		"wall/op <= +0.1%":              "wall/op <= +0.1%",
		"B/op <= +0%":                   "B/op <= recorded",
		"allocs/op ≤ 100000":            "allocs/op <= 100000",
		"allocs/op must not be above 3": "allocs/op <= 3",
	} {
		d, err := ParseDirection(text)
		if err != nil || d.String() != want {
			t.Errorf("%q: %v, %v; want %q", text, d, err, want)
		}
		if again, err := ParseDirection(d.String()); err != nil || again != d {
			t.Errorf("%q is read as %+v, %v; want %+v", d, again, err, d)
		}
	}
}

func TestMatches(t *testing.T) {
	for _, tt := range []struct {
		pattern, name string
		want          bool
	}{
		{"Write", "BenchmarkWriteAll", true},
		{"^BenchmarkWrite$", "BenchmarkWriteAll", false},
		{"^BenchmarkWrite$", "BenchmarkWrite/small", true},
		{"Write/small", "BenchmarkWrite", false},
		{"Write/small", "BenchmarkWrite/small/8", true},
		{"A/x|B/y", "BenchmarkB/y", true},
		{"A/x|B/y", "BenchmarkB/x", false},
		{"(A/x|B)", "BenchmarkB", true},
		{"[/]", "Benchmark", false},
		{"", "BenchmarkAny", true},
	} {
		if got := matches(tt.pattern, tt.name); got != tt.want {
			t.Errorf("%q, %q: %v", tt.pattern, tt.name, got)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add(fullRecord)
	f.Add("pawl record 1\nplace: m\nbenchmark: m .\nwhy:\n   a\n  b\nguard: a:\n\tx\n")
	f.Add("pawl record 1\nplace: m F\nbenchmark: m .\nwhy: a\n     b\n  c\n# d\nbetter: B/op<=+1.25%\n#e")
	f.Fuzz(func(t *testing.T, text string) {
		r, err := parse([]byte(text), "x.txt")
		if err != nil {
			return
		}
		once := format(r)
		again, err := parse([]byte(once), "x.txt")
		if err != nil {
			t.Fatalf("%v in\n%s", err, once)
		}
		if twice := format(again); twice != once {
			t.Fatalf("formatting is not stable:\n%s\nthen\n%s", once, twice)
		}
		if diff := cmp.Diff(r, again, cmpopts.IgnoreUnexported(Record{}), cmpopts.EquateApprox(1e-9, 0.5)); diff != "" {
			t.Fatalf("formatting changes it (-before +after):\n%s", diff)
		}
	})
}

func FuzzDirection(f *testing.F) {
	f.Add("BenchmarkX allocs/op <= +12.5%")
	f.Fuzz(func(t *testing.T, text string) {
		d, err := ParseDirection(text)
		if err != nil {
			return
		}
		if again, err := ParseDirection(d.String()); err != nil || again.String() != d.String() {
			t.Fatalf("%q is read as %+v and again as %+v, %v", text, d, again, err)
		}
	})
}
