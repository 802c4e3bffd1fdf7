package accepted

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/pawl-dev/pawl/internal/model"
)

const sample = `
# wire: the frame has a checksum since v2.
example.com/m/wire BenchmarkSend cpu/op +8% until 2027-03-01: checksum added (#123)
example.com/m/wire	BenchmarkSend   allocs/op any :  the hash escapes: see #123


  # The rest is temporary.
example.com/m/wire BenchmarkRead/size=1:2#01 * +2.5%: bounded by the disk
`

func parse(t *testing.T, text string) *File {
	t.Helper()
	f, err := Parse(strings.NewReader(text), "accepted.txt")
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func day(s string) time.Time {
	t, err := time.Parse(time.DateOnly, s)
	if err != nil {
		panic(err)
	}
	return t
}

var today = day("2026-11-21").Add(15 * time.Hour)

func TestParse(t *testing.T) {
	const pkg = "example.com/m/wire"
	want := []Entry{
		{Line: 3, Pkg: pkg, Benchmark: "BenchmarkSend", Metric: "cpu/op", Limit: 0.08, Until: day("2027-03-01"), Reason: "checksum added (#123)"},
		{Line: 4, Pkg: pkg, Benchmark: "BenchmarkSend", Metric: "allocs/op", Limit: math.Inf(1), Reason: "the hash escapes: see #123"},
		{Line: 8, Pkg: pkg, Benchmark: "BenchmarkRead/size=1:2#01", Metric: "*", Limit: 0.025, Reason: "bounded by the disk"},
	}
	if diff := cmp.Diff(want, parse(t, sample).entries()); diff != "" {
		t.Errorf("differs (-want +got):\n%s", diff)
	}
}

func TestFormat(t *testing.T) {
	const want = `# wire: the frame has a checksum since v2.
example.com/m/wire BenchmarkSend cpu/op +8% until 2027-03-01: checksum added (#123)
example.com/m/wire BenchmarkSend allocs/op any: the hash escapes: see #123

# The rest is temporary.
example.com/m/wire BenchmarkRead/size=1:2#01 * +2.5%: bounded by the disk
`
	if diff := cmp.Diff(want, parse(t, sample).Format()); diff != "" {
		t.Errorf("differs (-want +got):\n%s", diff)
	}
}

func TestMistakes(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"m BenchmarkX cpu/op +8%", "a:1: there is no reason"},
		{"m BenchmarkX cpu/op +8%:", "a:1: there is no reason"},
		{"m BenchmarkX cpu/op +8%: \t ", "a:1: there is no reason"},
		{"m BenchmarkX cpu/op +8% checksum", `a:1: "checksum" after the limit`},
		{"m BenchmarkX cpu/op: why", "a:1: an entry is PACKAGE"},
		{"m BenchmarkX : why", "a:1: an entry is PACKAGE"},
		{"m", "a:1: an entry is PACKAGE"},
		{"BenchmarkX cpu/op +8%: why", "a:1: the package is missing before BenchmarkX"},
		{"BenchmarkX cpu/op +8% +8%: why", "a:1: the package is missing before BenchmarkX"},
		{"m Send cpu/op +8%: why", `a:1: "Send" is no name of a benchmark`},
		{"m BenchmarkX ns/op +8%: why", `a:1: "ns/op" is no metric: use cpu/op`},
		{"m BenchmarkX cpu/op 8%: why", `a:1: "8%" is no limit`},
		{"m BenchmarkX cpu/op -8%: why", `a:1: "-8%" is no limit`},
		{"m BenchmarkX cpu/op +0%: why", `a:1: "+0%" is no limit`},
		{"m BenchmarkX cpu/op +1e9%: why", `a:1: "+1e9%" is no limit`},
		{"m BenchmarkX cpu/op +Inf%: why", `a:1: "+Inf%" is no limit`},
		{"m BenchmarkX cpu/op +8: why", `a:1: "+8" is no limit`},
		{"m BenchmarkX cpu/op +8% until: why", "a:1: after “until” stands one day"},
		{"m BenchmarkX cpu/op +8% until 1.3.2027: why", `a:1: "1.3.2027" is no day`},
		{"m BenchmarkX cpu/op +8% until 2027-02-30: why", `a:1: "2027-02-30" is no day`},
		{"m BenchmarkX cpu/op +8% until 2027-02-03 at last: why", "a:1: after “until” stands one day"},
		{"m BenchmarkX cpu/op +8%: w\u202ehy", "a:1: there is a character that cannot be seen: U+202E"},
		{"# ok\nm BenchmarkX cpu/op +8%: w\xff", "a:2: the line is not UTF-8"},
		{"m BenchmarkX B/op +8%: why\n\nm BenchmarkX B/op +9%: why", "a:3: BenchmarkX B/op has an entry on line 1 already"},
		{"x\n" + strings.Repeat("y", 1<<17), "a:2: the line is longer than"},
	} {
		_, err := Parse(strings.NewReader(c.text), "a")
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("Parse(%.60q) = %v, want %q", c.text, err, c.want)
		}
	}
}

func TestAllMistakesAreNamedAtOnce(t *testing.T) {
	_, err := Parse(strings.NewReader(strings.Repeat("x\n", 12)), "a")
	if err == nil || strings.Count(err.Error(), "\n") != maxErrors || !strings.HasSuffix(err.Error(), "a: and 2 more") || !strings.Contains(err.Error(), "a:10: ") {
		t.Errorf("got %v", err)
	}
}

func TestAccept(t *testing.T) {
	const pkg, read = "example.com/m/wire", "BenchmarkRead/size=1:2#01"
	for _, c := range []struct {
		pkg, name, metric string
		change            float64
		now               time.Time
		want              string
	}{
		{pkg, "BenchmarkSend", "cpu/op", 0.05, today, "checksum added (#123)"},
		{pkg, "BenchmarkSend", "cpu/op", 2. / 25, today, "checksum added (#123)"},
		{pkg, "BenchmarkSend", "cpu/op", 0.081, today, ""},
		{pkg, "BenchmarkSend", "cpu/op", 27./25 - 1, day("2027-03-01").Add(24*time.Hour - 1), "checksum added (#123)"},
		{pkg, "BenchmarkSend", "cpu/op", 0.05, day("2027-03-02"), ""},
		{pkg, "BenchmarkSend", "allocs/op", math.Inf(1), today, "the hash escapes: see #123"},
		{pkg, "BenchmarkSend", "B/op", 0.01, today, ""},
		{pkg, "BenchmarkSend/x", "cpu/op", 0.01, today, ""},
		{pkg, "BenchmarkSen", "cpu/op", 0.01, today, ""},
		{"example.com/m", "BenchmarkSend", "cpu/op", 0.01, today, ""},
		{pkg, read, "peak-heap", 0.02, today, "bounded by the disk"},
		{pkg, read, "allocs/op", math.Inf(1), today, ""},
		{pkg, read, "cpu/op", math.NaN(), today, ""},
	} {
		reason, ok := parse(t, sample).Accept(c.now, c.pkg, c.name, c.metric, c.change)
		if reason != c.want || ok != (c.want != "") {
			t.Errorf("Accept(%v, %s, %s, %s, %v) = %q, %v; want %q", c.now, c.pkg, c.name, c.metric, c.change, reason, ok, c.want)
		}
	}
}

// The entry that says more goes first, wherever it stands.
func TestTheNamedMetricGoesFirst(t *testing.T) {
	f := parse(t, "m BenchmarkX * +9%: all\nm BenchmarkX cpu/op +5%: one\n")
	if reason, _ := f.Accept(today, "m", "BenchmarkX", "cpu/op", 0.04); reason != "one" {
		t.Errorf("4 %%: %q", reason)
	}
	if diff := cmp.Diff([]int{1}, lines(f.unused())); diff != "" {
		t.Errorf("unused (-want +got):\n%s", diff)
	}
	if reason, _ := f.Accept(today, "m", "BenchmarkX", "cpu/op", 0.07); reason != "all" {
		t.Errorf("7 %%: %q", reason)
	}
	if len(f.unused()) > 0 {
		t.Errorf("unused: %v", f.unused())
	}
}

func lines(es []Entry) []int {
	var out []int
	for _, e := range es {
		out = append(out, e.Line)
	}
	return out
}

func TestWarnings(t *testing.T) {
	f := parse(t, `m BenchmarkUsed cpu/op +9%: why
m BenchmarkOld cpu/op +9% until 2026-11-20: why
m BenchmarkClean cpu/op +9%: why
m BenchmarkSame/sub cpu/op +9%: why
m BenchmarkOpen cpu/op +9%: why
m BenchmarkWorse cpu/op +9%: why
m BenchmarkTypo cpu/op +9%: why
other BenchmarkElsewhere cpu/op +9%: why
`)
	if _, ok := f.Accept(today, "m", "BenchmarkUsed", "cpu/op", 0.05); !ok {
		t.Fatal("not accepted")
	}
	c := new(model.Comparison)
	for name, s := range map[string]model.Standing{
		"Used": model.Accepted, "Old": model.Clean, "Clean": model.Clean, "Same": model.Unchanged, "Open": model.Open, "Worse": model.Regressed,
	} {
		c.Benchmarks = append(c.Benchmarks, model.Compared{Benchmark: model.Benchmark{Pkg: "m", Name: "Benchmark" + name}, Standing: s})
	}
	var got []string
	for _, w := range f.Warnings(today, c) {
		got = append(got, w.Seen)
	}
	want := []string{
		"accepted.txt: entry on line 2 of BenchmarkOld cpu/op expired on 2026-11-20",
		"accepted.txt: entry on line 3 accepts nothing: remove it",
		"accepted.txt: entry on line 4 accepts nothing: remove it",
		"accepted.txt: entry on line 7 names BenchmarkTypo, which this run did not find",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("differs (-want +got):\n%s", diff)
	}
}

// What was parsed can be written and parsed again, and is the same then, line
// numbers apart.
func FuzzParse(f *testing.F) {
	f.Add(sample)
	f.Add("m BenchmarkX cpu/op +0.000001%:x")
	f.Add("\ufeffm BenchmarkX/: * any until 0001-01-02 : : \r\n#")
	f.Fuzz(func(t *testing.T, text string) {
		file, err := Parse(strings.NewReader(text), "f")
		if err != nil {
			if file != nil || !strings.Contains(err.Error(), "f:") {
				t.Fatalf("%v, %v", file, err)
			}
			return
		}
		formatted := file.Format()
		again, err := Parse(strings.NewReader(formatted), "f")
		if err != nil {
			t.Fatalf("%v in\n%s", err, formatted)
		}
		if next := again.Format(); next != formatted {
			t.Fatalf("formatting is not stable:\n%s\nthen\n%s", formatted, next)
		}
		a, b := file.entries(), again.entries()
		if len(a) != len(b) {
			t.Fatalf("%d entries, then %d", len(a), len(b))
		}
		for i := range a {
			if a[i].Reason == "" || !(a[i].Limit > 0) {
				t.Fatalf("%+v", a[i])
			}
			if math.Abs(a[i].Limit-b[i].Limit) > 1e-12 {
				t.Fatalf("limit %v, then %v", a[i].Limit, b[i].Limit)
			}
			a[i].Line, b[i].Line, a[i].Limit, b[i].Limit = 0, 0, 0, 0
			if a[i] != b[i] {
				t.Fatalf("%+v, then %+v", a[i], b[i])
			}
		}
	})
}
