package worth

import (
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/read/profile"
)

// The profiles in testdata are real: of the program in shop.go.txt, built with
// -trimpath, which ran for 25 seconds with gjson v1.20.0 and
// VictoriaMetrics/metrics v1.35.1 and was asked for its metrics twice, and of
// its benchmarks in shop_test.go.txt with -cpuprofile, -memprofile and
// -memprofilerate 1. The expected shares are those that go tool pprof prints
// for -focus with the same functions.

func data(name string) string { return filepath.Join("testdata", name+".pprof") }

func production(t *testing.T, names ...string) *Production {
	t.Helper()
	var files []string
	for _, n := range names {
		files = append(files, data(n))
	}
	p, err := Read(t.Context(), files...)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func bench(t *testing.T, name string) *profile.Profile {
	t.Helper()
	p, err := profile.ReadFile(t.Context(), data(name))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func near(t *testing.T, what string, got, want, by float64) {
	t.Helper()
	if math.Abs(got-want) > by {
		t.Errorf("%s is %.5f, want %.5f", what, got, want)
	}
}

var (
	handle = model.Benchmark{Pkg: "example.com/shop", Name: "BenchmarkHandle"}
	write  = model.Benchmark{Pkg: "example.com/shop", Name: "BenchmarkWritePrometheus"}

	faster = Gain{Resource: model.CPU, Saved: 0.12, Lo: 0.10, Hi: 0.14}
)

func seen(ws []model.Warning) string {
	var out []string
	for _, w := range ws {
		out = append(out, w.Seen)
	}
	return strings.Join(out, "\n")
}

func TestOfProduction(t *testing.T) {
	p := production(t, "cpu")
	tests := []struct {
		name    string
		funcs   []Func
		share   float64
		in      int64
		found   int
		warning string
	}{
		{"a dependency", []Func{{Name: "github.com/tidwall/gjson.Result.Get"}}, 0.3298, 738, 1, ""},
		{"caller and callee count once", []Func{{Name: "github.com/tidwall/gjson.Result.Get"}, {Name: "github.com/tidwall/gjson.Get"}}, 0.4062, 909, 2, ""},
		{"another major version", []Func{{Name: "github.com/tidwall/gjson/v3.Result.Get"}}, 0.3298, 738, 1, "another major version: github.com/tidwall/gjson"},
		{"a fork", []Func{{Name: "example.org/me/gjson.Result.Get", File: "gjson.go"}}, 0.3298, 738, 1, "a fork: github.com/tidwall/gjson"},
		{"package main", []Func{{Name: "example.com/shop.(*order).total", File: "main.go"}, {Name: "example.com/shop.(*order).add", File: "main.go"}}, 0.7708, 1725, 2, ""},
		{"a goroutine that begins in a closure", []Func{{Name: "example.com/shop.handle", File: "main.go"}}, 0.9571, 2142, 1, ""},
		{"generic, hardly there", []Func{{Name: "example.com/shop.sum[...]", File: "main.go"}}, 1.0 / 2238, 1, 1, ""},
		{"not there", []Func{{Name: "github.com/VictoriaMetrics/metrics.WritePrometheus"}}, 0, 0, 0, "none of 2,238 samples"},
		{"another of the same name", []Func{{Name: "example.com/other.handle", File: "main.go"}}, 0, 0, 0, "none of 2,238 samples"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w, warnings, err := p.Of(Change{Funcs: tt.funcs, Benchmark: handle, Gains: []Gain{faster}})
			if err != nil {
				t.Fatal(err)
			}
			near(t, "share", w.Share, tt.share, 0.0001)
			if w.In != tt.in {
				t.Errorf("%d samples, want %d", w.In, tt.in)
			}
			if len(w.Funcs) != tt.found || w.Samples != 2238 || w.Resource != "cpu" || w.Profile != "cpu.pprof" {
				t.Errorf("got %+v", w)
			}
			if !(w.ShareLo <= w.Share && w.Share <= w.ShareHi && w.SavesLo <= w.Saves && w.Saves <= w.SavesHi) {
				t.Errorf("intervals do not hold their figures: %+v", w)
			}
			if !strings.Contains(seen(warnings), tt.warning) {
				t.Errorf("warnings: %s", seen(warnings))
			}
		})
	}
}

// The share of the changed functions in the benchmark itself divides its gain.
func TestOfGain(t *testing.T) {
	p := production(t, "cpu", "allocs")
	total := []Func{{Name: "example.com/shop.(*order).total", File: "main.go"}}
	c := Change{Funcs: total, Benchmark: handle, Gains: []Gain{faster}, CPU: bench(t, "bench-Handle-cpu"), Allocs: bench(t, "bench-Handle-mem")}
	w, warnings, err := p.Of(c)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "share", w.Share, 0.3512, 0.0001)
	// 119 of the benchmark's samples; 337 less those of its start.
	if w.Gain < 0.12/0.40 || w.Gain > 0.12/0.35 || w.GainLo > 0.10/0.36 || w.GainHi < 0.14/0.35 {
		t.Errorf("gain %.3f [%.3f, %.3f]", w.Gain, w.GainLo, w.GainHi)
	}
	near(t, "saves", w.Saves, w.Share*w.Gain, 1e-12)
	if got := w.String(); !strings.HasPrefix(got, "saves at most 12 % of production CPU (share 35 % ± 2 of 2,238 samples × gain 3") {
		t.Error(got)
	}
	if len(warnings) > 0 {
		t.Errorf("warnings: %s", seen(warnings))
	}

	c.Gains = []Gain{{Resource: model.CPU, Saved: 0.9, Lo: 0.85, Hi: 0.95}}
	w, warnings, err = p.Of(c)
	if err != nil || w.Gain != 1 || !strings.Contains(seen(warnings), "saves 90 %, and the changed functions are 3") {
		t.Errorf("a gain above all of their cost: %v, %v, %s", w.Gain, err, seen(warnings))
	}

	// What may be none does not count before what is certain.
	c.Gains = []Gain{{Resource: model.CPU, Saved: 0.001, Lo: -0.01, Hi: 0.012}, allocGain(model.Exact{Metric: "allocs/op", Before: 10, After: 8})}
	w, _, err = p.Of(c)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "share of the objects", w.Share, 0.4333, 0.0001)
	if w.Resource != "alloc_objects" || w.GainLo <= 0 || w.Gain < 0.2 || w.Gain > 0.8 || w.Estimate {
		t.Errorf("got %+v", w)
	}
	c.Gains[1] = allocGain(model.Exact{Metric: "B/op", Before: 100, After: 90})
	w, _, err = p.Of(c)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "share of the bytes", w.Share, 0.2093, 0.0001)

	// No heap profile: an estimate from the CPU's.
	w, _, err = production(t, "cpu").Of(c)
	if err != nil {
		t.Fatal(err)
	}
	if !w.Estimate || w.Resource != "cpu" || w.Share <= 0 || w.Share > 0.2 || !strings.Contains(w.String(), "estimated") {
		t.Errorf("got %+v: %s", w, w)
	}
	// And the other way round nothing can be said.
	c.Gains = c.Gains[:1]
	if _, _, err := production(t, "allocs").Of(c); err == nil || !strings.Contains(err.Error(), "/debug/pprof/profile") {
		t.Errorf("error %v", err)
	}
}

// The case of VictoriaMetrics/metrics, whose buffer in WritePrometheus was
// pooled (98.6 % less alloc_space) and three weeks later was not, since a
// scraper calls it every 10 to 30 seconds: its benchmark is hot and its worth
// is nothing.
func TestScrapedNowAndThen(t *testing.T) {
	c := Change{
		Funcs:     []Func{{Name: "github.com/VictoriaMetrics/metrics.WritePrometheus", File: "metrics.go"}, {Name: "github.com/VictoriaMetrics/metrics.(*Set).WritePrometheus", File: "set.go"}},
		Benchmark: write,
		Gains: []Gain{
			timeGain(model.Verdict{Change: -0.30, Lo: -0.33, Hi: -0.27}),
			allocGain(model.Exact{Metric: "B/op", Before: 49763, After: 700}),
		},
		CPU: bench(t, "bench-WritePrometheus-cpu"), Allocs: bench(t, "bench-WritePrometheus-mem"),
	}
	w, warnings, err := production(t, "cpu", "allocs").Of(c)
	if err != nil {
		t.Fatal(err)
	}
	if w.Gain < 0.29 || w.Gain > 0.34 || w.Share != 0 || w.Saves != 0 {
		t.Errorf("got %+v", w)
	}
	if !strings.Contains(seen(warnings), "none of 2,238 samples") {
		t.Errorf("warnings: %s", seen(warnings))
	}
	j := Judge(w, 0.01)
	if j.OK || !j.Sure {
		t.Errorf("one percent: %+v", j)
	}
	if j := Judge(w, 0.0001); j.OK || j.Sure || !strings.Contains(j.Try, "2,238") {
		t.Errorf("a hundredth of a percent, which so few samples cannot tell: %+v", j)
	}
	c.Gains = c.Gains[1:]
	w, _, err = production(t, "allocs").Of(c)
	if err != nil {
		t.Fatal(err)
	}
	if j := Judge(w, 0.01); j.OK || !j.Sure || w.Gain < 0.95 {
		t.Errorf("bytes: %+v, %+v", w, j)
	}
}

func TestWarnings(t *testing.T) {
	c := Change{Funcs: []Func{{Name: "github.com/VictoriaMetrics/metrics.WritePrometheus"}}, Benchmark: write, Gains: []Gain{faster}}
	_, warnings, err := production(t, "bench-WritePrometheus-cpu").Of(c)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"is below testing.(*B).runN", "covers 3.", "has 306 samples", "there is no profile of it"} {
		if !strings.Contains(seen(warnings), want) {
			t.Errorf("no %q among:\n%s", want, seen(warnings))
		}
	}
	c.Funcs[0].Name = "github.com/VictoriaMetrics/metrics.NewGauge"
	_, warnings, err = production(t, "bench-WritePrometheus-cpu").Of(c)
	if err != nil || !strings.Contains(seen(warnings), "though others of their packages are there") {
		t.Errorf("%v, %s", err, seen(warnings))
	}
}

func TestRead(t *testing.T) {
	one := production(t, "cpu")
	two := production(t, "cpu", "cpu", "allocs", "cpu")
	c := Change{Funcs: []Func{{Name: "github.com/tidwall/gjson.Get"}}, Benchmark: handle, Gains: []Gain{faster}}
	a, _, err1 := one.Of(c)
	b, _, err2 := two.Of(c)
	if err1 != nil || err2 != nil {
		t.Fatal(err1, err2)
	}
	if b.Share != a.Share || b.Samples != 3*a.Samples || b.ShareHi >= a.ShareHi || b.Profile != "cpu.pprof and 3 more" {
		t.Errorf("merged: %+v, of one: %+v", b, a)
	}
	for file, want := range map[string]string{
		filepath.Join("testdata", "gone.pprof"):  "gone.pprof",
		filepath.Join("testdata", "shop.go.txt"): "pprof's format",
	} {
		if _, err := Read(t.Context(), data("cpu"), file); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", file, err)
		}
	}
	if _, err := Read(t.Context()); err == nil {
		t.Error("of no files")
	}
	if _, _, err := one.Of(Change{Gains: []Gain{faster}}); err == nil {
		t.Error("of no functions")
	}
	if diff := cmp.Diff(Advice().Try != "", true); diff != "" {
		t.Error(diff)
	}
}
