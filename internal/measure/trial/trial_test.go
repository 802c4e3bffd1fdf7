package trial

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/internal/measure/bench"
	"github.com/pawl-dev/pawl/internal/measure/verdict"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/judge"
)

// A simulated Runner: the candidate takes 1+effect times the base's time, with
// log-normal noise, and whichever starts second gets slot more.
type simulated struct {
	effect, sd, slot float64
	allocs           [2]uint64
	once             uint64 // objects that a slice allocates whatever N is
	rng              *rand.Rand
	units            []Unit
	fail             int // unit that fails; 0 for none
}

var errBroken = errors.New("broken")

func (s *simulated) Unit(_ context.Context, p model.Plan, _, _ *bench.Binary, u Unit) ([2]model.Sample, error) {
	s.units = append(s.units, u)
	if s.fail > 0 && u.Index == s.fail {
		return [2]model.Sample{}, errBroken
	}
	ns := [2]float64{100, 100 * (1 + s.effect)}
	if u.BaseFirst {
		ns[1] *= 1 + s.slot
	} else {
		ns[0] *= 1 + s.slot
	}
	var pair [2]model.Sample
	for i := range pair {
		pair[i] = model.Sample{
			Benchmark: p.Benchmark, N: p.N, Allocs: uint64(p.N)*s.allocs[i] + s.once,
			CPUNs: ns[i] * math.Exp(s.sd/math.Sqrt2*s.rng.NormFloat64()),
		}
		pair[i].WallNs = 2 * pair[i].CPUNs
	}
	return pair, nil
}

func simulate(seed uint64, s simulated) (*Trial, *simulated) {
	s.rng = rand.New(rand.NewPCG(seed, 1))
	return New(&s, seed), &s
}

var plan = model.Plan{Benchmark: model.Benchmark{Pkg: "p", Name: "BenchmarkX"}, N: 1000, Mode: model.Duet}

func ask(t *testing.T, tr *Trial, q Question) Answer {
	t.Helper()
	q.Plan, q.Base, q.Cand = plan, &bench.Binary{}, &bench.Binary{}
	if q.Rules.Judge.Kind == "" {
		q.Rules.Judge = judge.AdoptRules()
	}
	a, err := tr.Ask(t.Context(), q, nil)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func TestAnswers(t *testing.T) {
	tests := []struct {
		name   string
		effect float64
		want   model.Answer
	}{
		{"much faster", -0.10, model.Faster},
		{"the same", 0, model.NoEffect},
	}
	for _, tt := range tests {
		tr, _ := simulate(7, simulated{effect: tt.effect, sd: 0.02})
		a := ask(t, tr, Question{})
		if a.Verdict.Answer != tt.want {
			t.Errorf("%s: %+v", tt.name, a.Verdict)
		}
		if !(a.Verdict.Lo <= tt.effect && tt.effect <= a.Verdict.Hi) {
			t.Errorf("%s: interval [%v, %v] misses the truth", tt.name, a.Verdict.Lo, a.Verdict.Hi)
		}
	}
}

// The driver draws the order: an advantage of the one that starts second must not
// become a finding, as it would in a fixed order.
func TestSlotEffectIsNoFinding(t *testing.T) {
	wrong := 0
	const runs = 200
	for seed := range uint64(runs) {
		tr, _ := simulate(seed, simulated{sd: 0.01, slot: 0.01})
		switch ask(t, tr, Question{}).Verdict.Answer {
		case model.Faster, model.Slower:
			wrong++
		}
	}
	// 5 % is the promise; 20 of 200 is beyond it by more than three standard
	// deviations.
	if wrong > 20 {
		t.Errorf("%d of %d comparisons of equals found a difference", wrong, runs)
	}
}

// atFloor asks whether a slowdown by more than the floor is excluded.
var atFloor = verdict.Rules{Floor: verdict.LayoutFloor, AtFloor: true, MinUnits: 12}

func TestFloor(t *testing.T) {
	// An allocation win that costs nothing: the trial ends once a slowdown
	// above the floor is excluded, not before MinUnits.
	tr, _ := simulate(3, simulated{sd: 0.01})
	a := ask(t, tr, Question{Rules: atFloor})
	if !a.FloorExcluded || a.Verdict.Units < 12 || a.Verdict.Units > 30 {
		t.Errorf("floor excluded %v after %d units, want true soon after 12", a.FloorExcluded, a.Verdict.Units)
	}
	// One that costs 10 % must never pass for excluded.
	for seed := range uint64(50) {
		tr, _ := simulate(seed, simulated{effect: 0.10, sd: 0.02})
		if a := ask(t, tr, Question{Rules: atFloor}); a.FloorExcluded {
			t.Fatalf("seed %d: a slowdown by 10 %% passes for at most 3 %%", seed)
		}
	}
}

func TestUnitsAreRandomAndRefreshed(t *testing.T) {
	tr, s := simulate(1, simulated{sd: 0.05})
	ask(t, tr, Question{Rules: verdict.Rules{Judge: judge.Rules{Kind: judge.Regress, Alpha: 1e-9, Beta: 1e-9, MinEffect: 0.001, MaxUnits: 60}}})
	if len(s.units) != 60 {
		t.Fatalf("%d units, want 60", len(s.units))
	}
	first, fresh := 0, 0
	for i, u := range s.units {
		if u.Index != i {
			t.Errorf("unit %d has index %d", i, u.Index)
		}
		if u.BaseFirst {
			first++
		}
		if u.Fresh {
			fresh++
		}
	}
	if first < 15 || first > 45 {
		t.Errorf("base first in %d of 60", first)
	}
	if fresh != 60/unitsPerSetting || !s.units[0].Fresh {
		t.Errorf("%d fresh settings, want %d, the first at the start", fresh, 60/unitsPerSetting)
	}
}

// Units that were run for their counts are not run again, and not lost.
func TestPrior(t *testing.T) {
	tr, s := simulate(1, simulated{effect: -0.1, sd: 0.02, allocs: [2]uint64{5, 3}})
	_, pairs, err := tr.Counts(t.Context(), plan, &bench.Binary{}, &bench.Binary{}, 1)
	if err != nil {
		t.Fatal(err)
	}
	before := len(s.units)
	a := ask(t, tr, Question{Prior: pairs})
	if ran := len(s.units) - before; len(pairs) != 3 || len(a.Samples) != ran+3 || a.Verdict.Units != ran+3 {
		t.Errorf("%d prior units and %d more give %d samples", len(pairs), ran, len(a.Samples))
	}
}

// What was measured before a failure is kept with it.
func TestFailureKeepsSamples(t *testing.T) {
	tr, _ := simulate(1, simulated{sd: 0.05, fail: 5})
	a, err := tr.Ask(t.Context(), Question{Plan: plan, Base: &bench.Binary{}, Cand: &bench.Binary{}, Rules: verdict.Rules{Judge: judge.AdoptRules()}}, nil)
	if !errors.Is(err, errBroken) || len(a.Samples) != 5 || a.Verdict.Units != 5 {
		t.Errorf("got %d samples, %d units, %v", len(a.Samples), a.Verdict.Units, err)
	}
}

func TestCounts(t *testing.T) {
	tests := []struct {
		name   string
		allocs [2]uint64
		once   uint64
		units  int
		fell   bool
	}{
		{"equal takes one unit", [2]uint64{3, 3}, 0, 1, false},
		{"equal, with what is allocated once, takes another N", [2]uint64{3, 3}, 70, 2, false},
		{"a difference is confirmed, also at another N", [2]uint64{5, 3}, 70, 4, true},
		{"a rise is no win", [2]uint64{3, 4}, 70, 4, false},
	}
	for _, tt := range tests {
		tr, s := simulate(1, simulated{allocs: tt.allocs, once: tt.once})
		counts, _, err := tr.Counts(t.Context(), plan, &bench.Binary{}, &bench.Binary{}, 1)
		if err != nil {
			t.Fatal(err)
		}
		if len(s.units) != tt.units || counts[0].Fell() != tt.fell || !counts[1].Equal() {
			t.Errorf("%s: %d units, %+v", tt.name, len(s.units), counts)
		}
		if tt.units > 1 && (counts[0].Before != float64(tt.allocs[0]) || counts[0].After != float64(tt.allocs[1])) {
			t.Errorf("%s: %v → %v, want %v: what is allocated once counts", tt.name, counts[0].Before, counts[0].After, tt.allocs)
		}
	}
}

func TestWarmUp(t *testing.T) {
	tr, s := simulate(5, simulated{sd: 0.03})
	n, pairs, err := tr.WarmUp(t.Context(), plan, &bench.Binary{}, judge.AdoptRules(), time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	if len(pairs) != warmUpUnits+1 || len(s.units) != warmUpUnits+1 {
		t.Errorf("%d pairs of %d units", len(pairs), len(s.units))
	}
	if n.SD < verdict.NoiseSD([]float64{0}) || n.Sees <= 0 || n.Sees > 0.5 {
		t.Errorf("implausible: %+v", n)
	}
	// A noise takes no more units where twice as much would hide nothing.
	tr, s = simulate(5, simulated{sd: 0.001})
	n, _, err = tr.WarmUp(t.Context(), plan, &bench.Binary{}, judge.AdoptRules(), time.Minute)
	if err != nil || n.Duets != leastUnits || len(s.units) != leastUnits+1 || n.Sees != judge.AdoptRules().MinEffect {
		t.Errorf("%d units, %v: %+v", len(s.units), err, n)
	}
}

// An undecided verdict whose interval leaves out zero says what a claim among
// several needs.
func TestWhatAClaimLacks(t *testing.T) {
	rules := judge.RegressRules()
	rules.Alpha /= 4
	for _, tt := range []struct {
		units  int
		effect float64
		lacks  string
	}{
		{rules.MinUnits() - 1, 0.08, "a claim needs 98.75 % confidence, since it is one of several, and that takes 10 of them"},
		{rules.MinUnits() + 4, 0.0145, "and that interval is [−"},
		{rules.MinUnits(), 0, ""},
	} {
		rules.MaxUnits = tt.units
		tr, _ := simulate(4, simulated{effect: tt.effect, sd: 0.02})
		a := ask(t, tr, Question{Rules: verdict.Rules{Judge: rules, Level: 0.95}})
		v := a.Verdict
		if v.Answer != model.Undecided || (v.Lo > 0) != (tt.lacks != "") || !strings.Contains(a.Lacks, tt.lacks) || tt.lacks == "" && a.Lacks != "" {
			t.Errorf("%d units: %s [%v, %v]: %q", tt.units, v.Answer, v.Lo, v.Hi, a.Lacks)
		}
		if w := v.Warnings[len(v.Warnings)-1]; tt.lacks != "" && w.Cause != a.Lacks {
			t.Errorf("%d units: the warning says %q", tt.units, w.Cause)
		}
	}
}

// simulation skips a test of many runs with -short, as the race detector has it:
// nothing in it runs side by side.
func simulation(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("simulates many runs")
	}
}
