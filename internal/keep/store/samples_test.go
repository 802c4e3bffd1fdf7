package store

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/perf/benchfmt"

	"github.com/pawl-dev/pawl/internal/model"
)

var env = model.Environment{GoVersion: "go1.26.8", GOOS: "linux", GOARCH: "amd64", CPU: "AMD EPYC 9B14"}

func sample(arm model.Arm, unit int) model.Sample {
	return model.Sample{
		Benchmark: model.Benchmark{Pkg: "github.com/lightningnetwork/lnd/brontide", Name: "BenchmarkWriteMessage"},
		Arm:       arm, Unit: unit, N: 2400, WallNs: 51210.25, CPUNs: 50498.123456,
		Allocs: 12001, Bytes: 177_096_480, GCs: 70, Stops: 1, AllCPUNs: 131_400_000, Clock: model.ClockProcess,
	}
}

func writeSamples(t *testing.T, arm model.Arm, samples ...model.Sample) []byte {
	t.Helper()
	var buf bytes.Buffer
	w := NewSamples(&buf, env, "20260102T120000-optimize", arm)
	for _, s := range samples {
		if err := w.Write(s); err != nil {
			t.Fatal(err)
		}
	}
	return buf.Bytes()
}

func TestSamplesRoundTrip(t *testing.T) {
	other := sample(model.Base, 7)
	other.Benchmark = model.Benchmark{Pkg: "example.com/x", Name: "BenchmarkX/size=4k-3"}
	other.Clock, other.Allocs, other.Bytes, other.WallNs = model.ClockWall, 0, 0, 0
	huge := sample(model.Base, 8)
	huge.Bytes, huge.N = 1<<52-1, 3
	short, below := sample(model.Base, 9), sample(model.Base, 10)
	short.Benchmark.Name, below.Benchmark.Name = "Benchmark", "Benchmark/sub" // a function may be called so
	linked := sample(model.Base, 11)
	linked.Link, linked.Ordered = 3, true
	want := []model.Sample{sample(model.Base, 0), sample(model.Base, 1), other, huge, short, below, linked}
	got, warnings, err := ReadSamples(bytes.NewReader(writeSamples(t, model.Base, want...)), "base.txt")
	if err != nil || len(warnings) != 0 {
		t.Fatal(err, warnings)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("samples differ (-want +got):\n%s", diff)
	}
}

// benchstat makes a table of each file configuration that it meets, so the two
// arms must have the same, and all samples of one benchmark too.
func TestBenchstatComparesTheArms(t *testing.T) {
	config := map[string]bool{}
	results := 0
	for _, arm := range []model.Arm{model.Base, model.Candidate} {
		data := writeSamples(t, arm, sample(arm, 0), sample(arm, 1), sample(arm, 2))
		in := benchfmt.NewReader(bytes.NewReader(data), string(arm))
		for in.Scan() {
			r, ok := in.Result().(*benchfmt.Result)
			if !ok {
				t.Fatalf("%v", in.Result())
			}
			results++
			var keys []string
			for _, c := range r.Config {
				keys = append(keys, c.Key+"="+string(c.Value))
			}
			config[strings.Join(keys, " ")] = true
			if len(r.Values) != 4 || r.Values[1].Unit != "cpu-sec/op" || r.Values[3].Value != 12001.0/2400 {
				t.Errorf("values %v", r.Values)
			}
		}
		if in.Err() != nil {
			t.Fatal(in.Err())
		}
	}
	if len(config) != 1 || results != 6 {
		t.Errorf("%d results under %d configurations: %v", results, len(config), config)
	}
}

func TestSamplesFileSurvivesAKill(t *testing.T) {
	s := open(t)
	r := newRun(t, s, "optimize", noon)
	set := SetName(sample(model.Base, 0).Benchmark)
	var path string
	add := func(unit int) {
		w, err := r.Samples(set, model.Base, env)
		if err != nil {
			t.Fatal(err)
		}
		path = w.Path()
		if err := w.Write(sample(model.Base, unit)); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
	add(0)
	if want := filepath.Join(r.Dir, "samples", "brontide.WriteMessage.base.txt"); path != want {
		t.Errorf("samples at %s, want %s", path, want)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	// A line cut in a figure still reads as a sample: 51210 becomes 51.
	cut := append(whole, "BenchmarkWriteMessage 2400 51 ns/op"...)
	if err := os.WriteFile(path, cut, 0o644); err != nil {
		t.Fatal(err)
	}
	if got, warnings, err := ReadSamplesFile(path); len(got) != 1 || len(warnings) != 1 || err != nil {
		t.Errorf("%d samples, warnings %v, %v", len(got), warnings, err)
	}
	add(1)
	got, warnings, err := ReadSamplesFile(path)
	if err != nil || len(warnings) != 0 {
		t.Fatal(err, warnings)
	}
	want := []model.Sample{sample(model.Base, 0), sample(model.Base, 1)}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("samples differ (-want +got):\n%s", diff)
	}
}

func TestWriteRefuses(t *testing.T) {
	for name, spoil := range map[string]func(*model.Sample){
		"other arm":     func(s *model.Sample) { s.Arm = model.Candidate },
		"no iterations": func(s *model.Sample) { s.N = 0 },
		"name":          func(s *model.Sample) { s.Benchmark.Name = "BenchmarkX 1 2 ns/op" },
		"no name":       func(s *model.Sample) { s.Benchmark.Name = "" },
		"infinite":      func(s *model.Sample) { s.CPUNs = math.Inf(1) },
		"no number":     func(s *model.Sample) { s.WallNs = math.NaN() },
	} {
		var buf bytes.Buffer
		s := sample(model.Base, 0)
		spoil(&s)
		if err := NewSamples(&buf, env, "r", model.Base).Write(s); err == nil || buf.Len() != 0 {
			t.Errorf("%s: %v, wrote %q", name, err, buf.String())
		}
	}
}

func TestReadsWhatGoTestPrints(t *testing.T) {
	const text = "goos: linux\npkg: example.com/x\nBenchmarkX-8   \t 1000\t 1234 ns/op\t 3 B/op\t 1 allocs/op\nPASS\n"
	got, warnings, err := ReadSamples(strings.NewReader(text), "out")
	want := []model.Sample{{
		Benchmark: model.Benchmark{Pkg: "example.com/x", Name: "BenchmarkX-8"}, Unit: -1,
		N: 1000, WallNs: 1234, Allocs: 1000, Bytes: 3000,
	}}
	if diff := cmp.Diff(want, got); diff != "" || err != nil || len(warnings) != 0 {
		t.Errorf("differ (-want +got):\n%s\n%v %v", diff, err, warnings)
	}
}

func FuzzReadSamples(f *testing.F) {
	var buf bytes.Buffer
	w := NewSamples(&buf, env, "r", model.Base)
	if err := w.Write(sample(model.Base, 3)); err != nil {
		f.Fatal(err)
	}
	f.Add(buf.Bytes())
	f.Add([]byte("BenchmarkX 5 1e300 allocs/op\nBenchmarkX 0 1 B/op\nBenchmarkX 3 -1 B/op\nBenchmarkX 9 NaN ns/op\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		samples, _, _ := ReadSamples(bytes.NewReader(data), "fuzz")
		for _, s := range samples {
			if s.N <= 0 {
				t.Errorf("a sample of %d iterations", s.N)
			}
		}
	})
}
