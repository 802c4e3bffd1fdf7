package main

import (
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pawl-dev/pawl/judge"
)

// kept are the comparisons of real campaigns, as keep writes them, beside the
// tables that they gave.
func kept(t *testing.T) map[string][]Record {
	t.Helper()
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no kept campaign: %v", err)
	}
	out := make(map[string][]Record)
	for _, name := range files {
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		if out[name], err = readText(f); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		f.Close()
	}
	return out
}

// The judge says about the kept duets what pawl said when they were measured.
func TestJudgeOnKeptDuets(t *testing.T) {
	for name, records := range kept(t) {
		n := 0
		for _, r := range records {
			for _, j := range r.Pawl {
				if len(j.Duets) == 0 {
					continue
				}
				answer, screen, err := j.replay(r.Verb == "same" || r.Verb == "overhead")
				if err != nil {
					t.Errorf("%s, %s: %v", name, r.Key, err)
				}
				if j.Screen == string(judge.Undecided) && j.doubted() {
					screen = j.Screen
				}
				if answer != j.Answer || screen != j.Screen {
					t.Errorf("%s, %s, %s: the judge says %q after %q, pawl said %q after %q", name, r.Key, j.Bench, answer, screen, j.Answer, j.Screen)
				}
				n++
			}
		}
		if n == 0 {
			t.Errorf("%s has no duets", name)
		}
	}
}

func TestTablesOfKeptCampaigns(t *testing.T) {
	for name, records := range kept(t) {
		want, err := os.ReadFile(strings.TrimSuffix(name, ".txt") + ".md")
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), tables(records)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// simulated is a record with duets of a known effect, judged as pawl does.
func simulated(t *testing.T, rng *rand.Rand, effect float64, n int) Record {
	t.Helper()
	j := Judged{Bench: "BenchmarkX/a_b", Standing: "clean", Alpha: 0.05, Least: 0.02, Seconds: 3.25, CPU: 2.5}
	for range n {
		j.Duets = append(j.Duets, round(math.Log1p(effect)+0.01*rng.NormFloat64(), digits))
		j.Links = append(j.Links, round(math.Log1p(effect)+0.01*rng.NormFloat64(), digits))
	}
	var err error
	if j.Answer, j.Screen, err = j.replay(false); err != nil {
		t.Fatal(err)
	}
	return Record{
		Verb: "aa", Subject: "x", Effect: 0, Load: "2x",
		Run:   &PawlRun{Code: 4, Wall: 9.125, Measure: 7, Conditions: Conditions{Taken: 0.91, Stalled: 0.4}},
		Pawl:  []Judged{j},
		Equal: &StatRun{P: 0.013, Delta: -0.0213, CPU: 2.49},
	}
}

func TestTextRoundTrip(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	in := []Record{
		{Verb: "calibrate", Subject: "x", Effect: 0.02, Steps: 31, Measured: &Measured{Change: 0.0204, Lo: 0.0199, Hi: 0.0211, Duets: 240, SD: 0.012, PerOp: 1234.5}},
		simulated(t, rng, 0, 30), simulated(t, rng, 0.05, 12),
	}
	in[2].Usual = &StatRun{P: 1, Delta: 0, CPU: 31}
	var b strings.Builder
	if err := writeText(&b, in); err != nil {
		t.Fatal(err)
	}
	out, err := readText(strings.NewReader(b.String()))
	if err != nil {
		t.Fatal(err)
	}
	for i := range out {
		out[i].Key = ""
	}
	if diff := cmp.Diff(in, out); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestReadTextRefuses(t *testing.T) {
	for name, text := range map[string]string{
		"unknown kind":     "hello 1 2",
		"no run":           "benchmark X clean faster - 0.05 0.02 1 1 cpu::",
		"short run":        "run aa x 0 2x 0 1 1; -; -",
		"long run":         "run aa x 0 2x 0 1 1 1 1 1; -; -",
		"fraction":         "run aa x 0 2x 0 1 1 1 1; -; -\nbenchmark X clean faster - 0.05 0.02 1 1 cpu: 1.5:",
		"not a number":     "effect x NaN 1 1 1 1 1 1 1",
		"parts of the run": "run aa x 0 2x 0 1 1 1 1; -",
	} {
		if _, err := readText(strings.NewReader(text + "\n")); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func FuzzReadText(f *testing.F) {
	f.Add("effect x 0.02 31 0.0204 0.0199 0.0211 240 0.012 1234.5\nrun aa x 0 2x 4 9.1 7 0.9 0.4; 0.1 -0.02 2; -\nbenchmark X/a clean faster - 0.05 0.02 1 1 cpu: 10 -20: 3\n")
	f.Fuzz(func(t *testing.T, text string) {
		records, err := readText(strings.NewReader(text))
		if err == nil {
			_ = tables(records)
		}
	})
}

// Gates over benchmarks that are equal but for noise and layout raise few
// alarms, and the replay finds those that a constant bias causes.
func TestFamily(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	make := func(bias float64) pool {
		var p pool
		for range 12 {
			luck := 0.01 * rng.NormFloat64()
			var ds, ls []float64
			for range 40 {
				ds = append(ds, luck+bias+0.01*rng.NormFloat64())
				ls = append(ls, bias+0.015*rng.NormFloat64())
			}
			p.sequences, p.links, p.all = append(p.sequences, ds), append(p.links, ls), append(p.all, ls...)
		}
		return p
	}
	s := &settings{gates: 25, n: 20, units: 60, seed: 1, least: 0.03}
	alarmed := func(p pool) int {
		rng := rand.New(rand.NewPCG(3, 3))
		k := 0
		for range s.gates {
			r := Judged{Alpha: 0.05, Least: s.least}.rules()
			r.MaxUnits = s.units
			f, err := p.family(s.n, r, rng)
			if err != nil {
				t.Fatal(err)
			}
			if f.alarms > 0 {
				k++
			}
		}
		return k
	}
	if k := alarmed(make(0)); k > bound(s.gates, 0.05) {
		t.Errorf("%d of %d gates over equals raise an alarm", k, s.gates)
	}
	if k := alarmed(make(0.06)); k < s.gates*9/10 {
		t.Errorf("only %d of %d gates see a slowdown of 6 %%", k, s.gates)
	}
	if text, err := familyText(t.Context(), make(0), s); err != nil || !strings.Contains(text, "25 gates of 20 benchmarks") {
		t.Errorf("%q, %v", text, err)
	}
	if _, err := familyText(t.Context(), pool{}, s); err == nil {
		t.Error("no error without duets")
	}
}

// A calibration that is repeated takes the place of the earlier one.
func TestLatest(t *testing.T) {
	got := latest([]Record{{Key: "a", Steps: 1}, {Key: "b"}, {Key: "a", Steps: 2}})
	if len(got) != 2 || got[0].Key != "b" || got[1].Steps != 2 {
		t.Errorf("got %+v", got)
	}
}
