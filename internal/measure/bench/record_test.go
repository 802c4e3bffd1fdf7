package bench

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pawl-dev/pawl/internal/host/gocmd"
	"github.com/pawl-dev/pawl/internal/model"
)

func TestLast(t *testing.T) {
	t.Parallel()
	const text = `start BenchmarkX
run BenchmarkX n=1 cpu=10 wall=12 later=1
end BenchmarkX returned=1 failed=0 skipped=0
start BenchmarkX/y
run BenchmarkX/y n=1 cpu=1
start BenchmarkX
run BenchmarkX n=100 cpu=1000 all=1100 gc=3 stops=100 resets=1 loop=0 par=1 clock=2 allocs=500 bytes=800 wall=1200
end BenchmarkX returned=1 failed=0 skipped=0
result BenchmarkX failed=0
run BenchmarkX n=7`
	records, err := parseRecords(text)
	if err != nil {
		t.Fatal(err)
	}
	m, ok := last(records, "BenchmarkX")
	want := measure{n: 100, cpu: 1000, wall: 1200, allocs: 500, bytes: 800, gcs: 3, stops: 100, charge: 2, par: true, iterations: 101}
	if d := cmp.Diff(want, m, cmp.AllowUnexported(measure{})); d != "" || !ok {
		t.Error(ok, d)
	}
	s := m.sample(model.Plan{}, model.Base, 3, model.ClockProcess)
	if s.CPUNs != 8 || s.WallNs != 12 || s.AllocsPerOp() != 5 || s.Unit != 3 {
		t.Errorf("%+v", s)
	}
	if _, ok := last(records, "BenchmarkX/y"); ok {
		t.Error("a benchmark without a result has figures")
	}
}

// The collector's time is by the wall clock, and a duet's core is shared.
func TestCollector(t *testing.T) {
	t.Parallel()
	m := measure{n: 1, cpu: 100, wall: 200, bg: 20, assist: 30, pause: 10}
	for _, c := range []struct {
		name string
		m    measure
		mode model.Mode
		want float64
	}{
		{"duet", m, model.Duet, 30},
		{"alternate, where pauses stop more than one processor", m, model.Alternate, 50},
		{"a core of its own", measure{n: 1, cpu: 101, wall: 100, bg: 20}, model.Duet, 20},
		{"work while the timer was stopped", measure{n: 1, cpu: 10, wall: 10, bg: 90}, model.Duet, 10},
		{"no hooks", measure{n: 1, cpu: 10}, model.Duet, 0},
	} {
		if got := c.m.collector(c.mode); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

func TestParseRecordBad(t *testing.T) {
	t.Parallel()
	for _, line := range []string{"", "run", "run X n", "run X =1", "run X n=1.5", "run X n=99999999999999999999"} {
		if r, err := parseRecord(line); err == nil {
			t.Errorf("%q gives %+v", line, r)
		}
	}
}

func FuzzParseRecords(f *testing.F) {
	f.Add("start BenchmarkX\nrun BenchmarkX n=1 cpu=-1\nend BenchmarkX returned=0\nresult BenchmarkX/ failed=1\n")
	f.Fuzz(func(t *testing.T, text string) {
		records, err := parseRecords(text)
		if err != nil {
			return
		}
		for _, r := range records {
			if r.word == "" || r.name == "" || strings.ContainsAny(r.name, " \n\t") {
				t.Fatalf("%+v", r)
			}
			last(records, r.name)
		}
		failures(outcome{records: records}, "p")
		through(records)
	})
}

func FuzzScanVerbose(f *testing.F) {
	f.Add("BenchmarkX\nBenchmarkX  \t  1\t  12.5 ns/op\t  3 B/op\t 1 allocs/op\n", "BenchmarkX")
	f.Add("--- FAIL: BenchmarkX/y-8\n    x_test.go:1: words\n", "BenchmarkX/y")
	f.Fuzz(func(t *testing.T, text, name string) {
		for _, r := range scanVerbose(text) {
			if !strings.HasPrefix(r.name, "Benchmark") {
				t.Fatalf("%+v", r)
			}
		}
		excerpt(gocmd.Exit{Stdout: []byte(text), Stderr: []byte(text)}, name)
	})
}

func TestScanVerbose(t *testing.T) {
	t.Parallel()
	const text = "BenchmarkA\nnoise BenchmarkA-8   \t     200\t      6000 ns/op\t  12.00 MB/s\t         7.000 sevens\t      48 B/op\t       2 allocs/op\n" +
		"BenchmarkP\nBenchmarkP/s\nBenchmarkP/s  \t 1\t0.5000 ns/op\nBenchmarkS\n--- SKIP: BenchmarkS\nBenchmarkF\n--- FAIL: BenchmarkF\nBenchmarkDies\n"
	records := scanVerbose(text)
	stripProcs(records, "BenchmarkA")
	m, ok := last(records, "BenchmarkA")
	want := measure{n: 200, wall: 1.2e6, allocs: 400, bytes: 9600, iterations: 200, metrics: map[string]float64{"sevens": 7}}
	if d := cmp.Diff(want, m, cmp.AllowUnexported(measure{})); d != "" || !ok {
		t.Error(ok, d)
	}
	why := make(map[string]string)
	for _, f := range failures(outcome{records: records}, "p") {
		why[f.Benchmark.Name] = f.Why
	}
	if d := cmp.Diff(map[string]string{"BenchmarkS": "skipped itself", "BenchmarkF": "failed", "BenchmarkDies": endedProcess}, why); d != "" {
		t.Error(d)
	}
}

func TestExactPattern(t *testing.T) {
	t.Parallel()
	if got := exactPattern("BenchmarkX/a|b/n=1-8"); got != `^BenchmarkX$/^a\|b$/^n=1-8$` {
		t.Error(got)
	}
}

func TestParseCPUInfo(t *testing.T) {
	t.Parallel()
	for info, want := range map[string]string{
		"processor\t: 0\nmodel name\t: Intel(R) Xeon(R)\n": "Intel(R) Xeon(R)",
		"Model\t\t: Raspberry Pi 4\n":                      "Raspberry Pi 4",
		"nothing":                                          "",
	} {
		if got := parseCPUInfo(info); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
