package results

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pawl-dev/pawl/internal/keep/store"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/judge"
)

var (
	env  = model.Environment{GoVersion: "go1.26.8", GOOS: "linux", GOARCH: "amd64", CPU: "AMD EPYC 9B14"}
	pack = model.Benchmark{Pkg: "example.com/wire", Name: "BenchmarkPack/k-3"}
)

// duets makes pairs of samples whose log ratios have the given mean and
// standard deviation, on a machine whose speed wanders by ten times as much.
func duets(bm model.Benchmark, n int, effect, sd float64, seed uint64) [][2]model.Sample {
	r := rand.New(rand.NewPCG(seed, 1))
	out := make([][2]model.Sample, n)
	for i := range out {
		speed := 50_000 * math.Exp(10*sd*r.NormFloat64())
		for arm, a := range []model.Arm{model.Base, model.Candidate} {
			t := speed
			if arm == 1 {
				t *= math.Exp(effect + sd*r.NormFloat64())
			}
			out[i][arm] = model.Sample{
				Benchmark: bm, Arm: a, N: 2000, CPUNs: t, WallNs: 2 * t, Allocs: 6000, Bytes: 640_000,
				Clock: model.ClockProcess, Unit: i,
			}
		}
	}
	return out
}

// linked puts pairs on links, so many on each.
func linked(pairs [][2]model.Sample, per int) [][2]model.Sample {
	for i := range pairs {
		for arm := range pairs[i] {
			pairs[i][arm].Link, pairs[i][arm].Unit = 1+i/per, i%per
		}
	}
	return pairs
}

// file writes one arm as pawl does.
func file(t *testing.T, arm int, run string, pairs ...[2]model.Sample) string {
	t.Helper()
	var buf bytes.Buffer
	w := store.NewSamples(&buf, env, run, []model.Arm{model.Base, model.Candidate}[arm])
	for _, p := range pairs {
		if err := w.Write(p[arm]); err != nil {
			t.Fatal(err)
		}
	}
	return buf.String()
}

func files(t *testing.T, pairs [][2]model.Sample) (base, cand string) {
	return file(t, 0, "r1", pairs...), file(t, 1, "r1", pairs...)
}

// The verdict is the judge's on the very log ratios.
func TestReplayIsTheJudges(t *testing.T) {
	for _, effect := range []float64{0.5, 0, -0.5} {
		pairs := duets(pack, 20, effect, 0.02, 7)
		rules := judge.RegressRules()
		rules.MaxUnits = replayUnits
		seq := judge.NewSequence(rules)
		for _, p := range pairs {
			if err := seq.Add(math.Log(p[1].CPUNs / p[0].CPUNs)); err != nil {
				t.Fatal(err)
			}
		}
		d := seq.Decision()
		base, cand := files(t, pairs)
		c := compare(t, base, cand)
		if len(c.Benchmarks) != 1 || c.Benchmarks[0].Verdict == nil {
			t.Fatalf("%+v", c.Benchmarks)
		}
		b := c.Benchmarks[0]
		got := *b.Verdict
		want := model.Verdict{
			Benchmark: pack, Metric: "cpu/op", Answer: model.Answer(d.Answer), Change: d.Estimate, Lo: d.Lo, Hi: d.Hi,
			Level: 0.95, Units: 20, Evidence: d.E, NoiseSD: d.NoiseSD,
		}
		near := cmp.Comparer(func(a, b float64) bool { return math.Abs(a-b) <= 1e-9*max(1, math.Abs(a)) })
		if diff := cmp.Diff(want, got, near); diff != "" {
			t.Errorf("effect %v: -want +got:\n%s", effect, diff)
		}
		standing := map[judge.Answer]model.Standing{judge.Slower: model.Regressed, judge.Faster: model.Improved, judge.NoEffect: model.Clean}[d.Answer]
		if b.Standing != standing {
			t.Errorf("effect %v: %s (%s), want %s", effect, b.Standing, b.Why, standing)
		}
		if b.Benchmark != pack || len(b.Counts) != 2 || !b.Counts[0].Equal() || b.Before.Allocs != 3 || seen(c) != "" {
			t.Errorf("effect %v: %+v\n%s", effect, b, seen(c))
		}
	}
}

func TestPairedStandings(t *testing.T) {
	plain := func(effect float64) [][2]model.Sample { return duets(pack, 20, effect, 0.01, 3) }
	more := func(pairs [][2]model.Sample) [][2]model.Sample {
		for i := range pairs {
			pairs[i][1].Allocs += 2000
		}
		return pairs
	}
	wall := func(pairs [][2]model.Sample) [][2]model.Sample {
		for i := range pairs {
			for arm := range pairs[i] {
				pairs[i][arm].Clock, pairs[i][arm].CPUNs = model.ClockWall, 1
			}
		}
		return pairs
	}
	for name, tc := range map[string]struct {
		pairs    [][2]model.Sample
		standing model.Standing
		why      string
		warning  string
		units    int
		screen   bool
	}{
		"layout could do it":     {plain(0.03), model.Open, "on one link of each side", "not separable from layout", 20, false},
		"fresh links":            {append(plain(0.04), linked(duets(pack, 60, 0.04, 0.01, 5), 4)...), model.Regressed, "cpu/op slower by 4.", "", 15, true},
		"links take it back":     {append(plain(0.04), linked(duets(pack, 60, 0, 0.01, 5), 4)...), model.Clean, "an effect of 2.0 % or more is excluded", "", 15, true},
		"a look at two links":    {append(plain(0), linked(duets(pack, 12, 0, 0.01, 5), 6)...), model.Clean, "and fresh links show none", "", 20, false},
		"two that do not agree":  {append(plain(0), linked(duets(pack, 12, 0.04, 0.01, 5), 6)...), model.Open, "on 2 pairs of fresh links", "not separable", 2, true},
		"links alone":            {linked(duets(pack, 60, 0.04, 0.01, 5), 4), model.Regressed, "cpu/op slower", "", 15, false},
		"a trifle, proven":       {linked(duets(pack, 80, 0.006, 0.002, 5), 4), model.Clean, "", "", 20, false},
		"allocs rise":            {more(plain(0)), model.Regressed, "allocs/op 3 → 4", "", 20, false},
		"too few to tell":        {plain(0)[:4], model.Open, "after 4 duets", "not decided after 4 units: a verdict needs at least 8", 4, false},
		"wall clock":             {wall(plain(0.5)), model.Regressed, "wall/op slower by 6", "alternating slices", 20, false},
		"a trial was run twice":  {append(plain(0.5)[:7], plain(0.5)...), model.Regressed, "cpu/op slower", "", 27, false},
		"links, then once again": {append(linked(duets(pack, 20, 0.04, 0.01, 5), 4), linked(duets(pack, 60, 0.04, 0.01, 6), 4)...), model.Regressed, "slower", "", 20, false},
	} {
		t.Run(name, func(t *testing.T) {
			base, cand := files(t, tc.pairs)
			c := compare(t, base, cand)
			b := c.Benchmarks[0]
			if b.Verdict == nil {
				t.Fatalf("no verdict: %s\n%s", b.Why, seen(c))
			}
			warned := seen(c)
			for _, w := range b.Verdict.Warnings {
				warned += w.Seen + ": " + w.Cause + "\n"
			}
			if b.Standing != tc.standing || !strings.Contains(b.Why, tc.why) || b.Verdict.Units != tc.units || (b.Screen != nil) != tc.screen || !strings.Contains(warned, tc.warning) {
				t.Errorf("%s (%s), %d units, screen %v\n%s", b.Standing, b.Why, b.Verdict.Units, b.Screen, warned)
			}
		})
	}
}

func TestNotTheArmsOfOneRun(t *testing.T) {
	pairs := duets(pack, 20, 0.5, 0.01, 3)
	base, cand := files(t, pairs)
	goTest := "pkg: example.com/wire\n" + rows("BenchmarkPack/k-3-8", 1000, slow, "")
	for name, tc := range map[string]struct{ base, cand, want string }{
		"other runs":  {base, file(t, 1, "r2", pairs...), "they name the runs r1, r2"},
		"same arm":    {base, file(t, 0, "r1", pairs...) + "\n", "both hold the base"},
		"one file":    {base + cand, cand, "a file holds both arms"},
		"no run":      {file(t, 0, "", pairs...), file(t, 1, "", pairs...), "they name the runs none"},
		"go test":     {base, goTest, "only one of the files was written by pawl"},
		"rounds":      {file(t, 0, "r1", append(pairs[:5:5], pairs...)...), cand, "samples are without a usable partner"},
		"unknown arm": {strings.ReplaceAll(base, "arm=base", "arm=left"), cand, "arms “left” and “candidate” are not known"},
	} {
		c := compare(t, tc.base, tc.cand)
		for _, b := range c.Benchmarks {
			if b.Verdict != nil || b.Standing != model.Open || !strings.Contains(b.Why, "unpaired: no claim") {
				t.Errorf("%s: %s (%s), verdict %v", name, b.Standing, b.Why, b.Verdict)
			}
		}
		if len(c.Benchmarks) != 1 || !strings.Contains(seen(c), tc.want) {
			t.Errorf("%s: %d benchmarks, warnings:\n%s", name, len(c.Benchmarks), seen(c))
		}
	}
}

func TestIncompleteAndSwapped(t *testing.T) {
	pairs := duets(pack, 20, 0.5, 0.01, 3)
	pairs[4][1].N = 1000 // not the same work
	base, _ := files(t, pairs)
	cand := file(t, 1, "r1", append(pairs[:10:10], pairs[11:]...)...)
	c := compare(t, base, cand[:len(cand)-30]) // and the last remark is cut
	b := c.Benchmarks[0]
	// 20 less the one of another b.N, the one that is missing, and the one whose
	// remark does not say for certain which it is.
	if b.Verdict == nil || b.Verdict.Units != 17 || b.Standing != model.Regressed || !strings.Contains(seen(c), "5 samples are without a usable partner") {
		t.Errorf("%+v\n%s", b, seen(c))
	}
	base, cand = files(t, duets(pack, 20, 0.5, 0.01, 3))
	c = compare(t, cand, base)
	if b := c.Benchmarks[0]; b.Standing != model.Improved || !strings.Contains(seen(c), "old.txt holds the candidate of its run") {
		t.Errorf("%s (%s)\n%s", b.Standing, b.Why, seen(c))
	}
}

// Several benchmarks share the error rate; the interval that is shown does not.
func TestManyShareTheError(t *testing.T) {
	var all [][2]model.Sample
	for i := range 10 {
		all = append(all, duets(model.Benchmark{Pkg: "example.com/wire", Name: fmt.Sprintf("Benchmark%d", i)}, 9, 0.5, 0.01, uint64(i))...)
	}
	base, cand := files(t, all)
	c := compare(t, base, cand)
	one, oneCand := files(t, all[:9])
	alone := compare(t, one, oneCand).Benchmarks[0]
	first := c.Benchmarks[0]
	if alone.Standing != model.Regressed || first.Standing != model.Open {
		t.Errorf("nine duets alone: %s, among ten: %s", alone.Standing, first.Standing)
	}
	if first.Verdict.Lo != alone.Verdict.Lo || first.Verdict.Level != 0.95 {
		t.Errorf("shown %+v and %+v", first.Verdict, alone.Verdict)
	}
}

// A file of many samples is judged in reasonable time.
func TestManyUnits(t *testing.T) {
	base, cand := files(t, duets(pack, 3000, 0, 0.02, 9))
	c, err := Compare(context.Background(), Input{"a", strings.NewReader(base)}, Input{"b", strings.NewReader(cand)}, Options{Alpha: 0.01, MinEffect: 0.03})
	if err != nil || c.Benchmarks[0].Standing != model.Clean || c.Benchmarks[0].Verdict.Level != 0.99 {
		t.Errorf("%v %+v", err, c.Benchmarks)
	}
}
