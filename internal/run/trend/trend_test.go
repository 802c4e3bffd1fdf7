package trend

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/internal/explain/changepoint"
	"github.com/pawl-dev/pawl/internal/keep/hotpath"
	"github.com/pawl-dev/pawl/internal/model"
)

func file(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

func trendOf(t *testing.T, c *Collection) *model.Trend {
	t.Helper()
	tr, err := c.Trend(context.Background(), "test")
	if err != nil {
		t.Fatal(err)
	}
	return tr
}

// told is a series in a line.
func told(s model.TrendSeries) string {
	var values []string
	for _, p := range s.Points {
		values = append(values, fmt.Sprintf("%s:%.6g", p.Of, p.Value))
	}
	return fmt.Sprintf("%s.%s %s (%s) %+d %s", s.Benchmark.Pkg, s.Benchmark.Name, s.Metric, s.Machine, s.Better, strings.Join(values, " "))
}

func same(t *testing.T, tr *model.Trend, want ...string) {
	t.Helper()
	var got []string
	for _, s := range tr.Series {
		got = append(got, told(s))
	}
	if g, w := strings.Join(got, "\n"), strings.Join(want, "\n"); g != w {
		t.Errorf("series:\n%s\nwant:\n%s", g, w)
	}
}

// Runs of -count are one point, and points are in the order of their commits' times.
func TestBenchmarkResults(t *testing.T) {
	text := `goos: linux
goarch: amd64
pkg: example.com/m
cpu: AMD EPYC
Unit hits/op better=higher
commit: bbbb
commit-time: 2026-02-01T00:00:00Z
BenchmarkA-2 100 30 ns/op 5 allocs/op 7 hits/op
BenchmarkA-2 100 10 ns/op 5 allocs/op 7 hits/op
BenchmarkA-2 100 20 ns/op 5 allocs/op 7 hits/op
commit: aaaa
commit-time: 2026-01-01T00:00:00Z
BenchmarkA-2 100 11 ns/op 4 allocs/op 8 hits/op
`
	c := New("x")
	if err := c.File(context.Background(), file(t, "old.txt", text)); err != nil {
		t.Fatal(err)
	}
	same(t, trendOf(t, c),
		"example.com/m.BenchmarkA-2 allocs/op (linux/amd64) -1 aaaa:4 bbbb:5",
		"example.com/m.BenchmarkA-2 hits/op (linux/amd64, AMD EPYC) +1 aaaa:8 bbbb:7",
		"example.com/m.BenchmarkA-2 wall/op (linux/amd64, AMD EPYC) -1 aaaa:11 bbbb:20")
}

func TestDataJS(t *testing.T) {
	text := `window.BENCHMARK_DATA = {"lastUpdate": 1, "repoUrl": "https://example.com", "entries": {"Go": [
{"commit": {"id": "0123456789abcdef", "timestamp": "2026-01-02T10:00:00+01:00"}, "date": 1767000000000, "tool": "go", "benches": [
{"name": "BenchmarkA", "value": 40, "unit": "ns/op", "extra": "3 times\n2 procs"},
{"name": "BenchmarkA - MB/s", "value": 2, "unit": "MB/s"}, {"name": "BenchmarkA - hits/op", "value": 3, "unit": "hits/op"}]},
{"commit": {"id": "00"}, "date": 1, "tool": "go", "benches": [{"name": "BenchmarkA", "value": 41, "unit": "ns/op"},
{"name": "BenchmarkB", "value": 7, "unit": "ns/op\t   8 B/op\t  2 allocs/op"}, {"name": "BenchmarkB - ns/op", "value": 7, "unit": "ns/op"}]}],
"Custom": [{"commit": {"id": "00"}, "tool": "customBiggerIsBetter", "benches": [{"name": "B", "value": 1, "unit": "points"}]}]}};
`
	c := New("x")
	if err := c.File(context.Background(), file(t, "data.js", text)); err != nil {
		t.Fatal(err)
	}
	same(t, trendOf(t, c),
		"Custom.B points () +1 00:1",
		"Go.BenchmarkA B/s () +1 0123456789ab:2e+06",
		"Go.BenchmarkA hits/op () +0 0123456789ab:3",
		"Go.BenchmarkA wall/op () -1 00:41 0123456789ab:40",
		"Go.BenchmarkB B/op () -1 00:8",
		"Go.BenchmarkB allocs/op () -1 00:2",
		"Go.BenchmarkB wall/op () -1 00:7")
}

func TestFilesWithoutResults(t *testing.T) {
	for name, text := range map[string]string{"empty.txt": "", "prose.txt": "Benchmarks are fine.\n", "cut.js": `window.BENCHMARK_DATA = {"entries": {`, "none.json": `{"entries": {}}`} {
		err := New("x").File(context.Background(), file(t, name, text))
		if bad := new(InputError); !errors.As(err, &bad) || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if bad := new(InputError); !errors.As(New("x").File(context.Background(), "nowhere"), &bad) {
		t.Error("a file that is not there is no InputError")
	}
}

// A module's runs and its records are points of one series; what was only tried is none.
func TestOwnRuns(t *testing.T) {
	env := model.Environment{GOOS: "linux", GOARCH: "amd64", CPU: "EPYC", CPUs: 2}
	bm := model.Benchmark{Pkg: "m", Name: "BenchmarkA"}
	day := func(d int) time.Time { return time.Date(2026, 11, d, 0, 0, 0, 0, time.UTC) }
	gate := func(d int, kind model.SideKind, allocs float64) *model.Comparison {
		return &model.Comparison{
			ID: fmt.Sprint("run", d), Started: day(d), Env: env, Candidate: model.Side{Kind: kind, Commit: fmt.Sprint("c", d)},
			Benchmarks: []model.Compared{{Benchmark: bm, After: &model.Stats{CPUNs: 100, Allocs: allocs}}, {Benchmark: bm}},
		}
	}
	c := New("m")
	c.Comparison(gate(3, model.SideRef, 3))
	c.Comparison(gate(1, model.SideWorktree, 1))
	c.Comparison(gate(2, model.SidePatch, 2))
	c.Run(&model.Run{ID: "r", Head: "c4", Started: day(4), Env: env, Results: []model.Result{{Benchmark: bm, Before: model.Stats{CPUNs: 90, Allocs: 4}}}})
	c.Record(hotpath.Record{Name: "hot", Pkg: "m", Measured: hotpath.Measured{
		Date: day(5), Go: "go1.26 linux/amd64", CPU: "EPYC (2 CPUs)",
		Figures: []hotpath.Figures{{Benchmark: "BenchmarkA", Values: []hotpath.Figure{{Metric: "cpu/op", Value: 80}, {Metric: "allocs/op", Value: 5}}}},
	}})
	same(t, trendOf(t, c),
		"m.BenchmarkA B/op (linux/amd64) -1 run1:0 c3:0 c4:0",
		"m.BenchmarkA allocs/op (linux/amd64) -1 run1:1 c3:3 c4:4 hot:5",
		"m.BenchmarkA cpu/op (linux/amd64, EPYC (2 CPUs)) -1 run1:100 c3:100 c4:90 hot:80")
}

func TestLeast(t *testing.T) {
	if changepoint.Least != model.TrendLeast {
		t.Errorf("a shift needs %d points, and is said to need %d", changepoint.Least, model.TrendLeast)
	}
}

// A shift has the medians of the levels beside it, and its series comes first.
func TestShiftsComeFirst(t *testing.T) {
	c := New("x")
	for i := range 30 {
		level := 100.0
		if i >= 10 {
			level = 110
		}
		if i >= 20 {
			level = 105
		}
		c.add(key{benchmark: model.Benchmark{Name: "B"}, metric: wall}, -1, model.TrendPoint{Value: level + float64(i%3)})
		c.add(key{benchmark: model.Benchmark{Name: "A"}, metric: wall}, -1, model.TrendPoint{Value: float64(100 + i%3)})
	}
	tr := trendOf(t, c)
	if tr.Series[0].Benchmark.Name != "B" || len(tr.Series[0].Shifts) != 2 || len(tr.Series[1].Shifts) != 0 {
		t.Fatalf("%+v", tr.Series)
	}
	if s := tr.Series[0].Shifts; s[0].At != 10 || s[0].Before != 101 || s[0].After != 111 || s[1].At != 20 || s[1].Before != 111 || s[1].After != 106 {
		t.Errorf("%+v", s)
	}
}
