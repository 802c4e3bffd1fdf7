package judge

import (
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// fixed is a sequence with both signs and two wild values.
var fixed = []float64{
	-0.031, 0.004, -0.018, -0.052, 0.011, -0.007, -0.024, 0.093, -0.013, -0.041,
	-0.002, -0.036, 0.019, -0.028, -0.015, -0.260, -0.022, 0.006, -0.033, -0.009,
}

// The values come from an independent implementation in log space.
func TestProcessReference(t *testing.T) {
	after := []int{1, 4, 5, 8, 12, 16, 20}
	for _, c := range []struct {
		at   float64
		side side
		want []float64
	}{
		{0, below, []float64{1.5432299999365093, 1.0557967852490633, 0.8968468170527275, 0.35350540391849616, 0.6474842118209987, 1.1733963892779504, 1.8488423576052184}},
		{0, above, []float64{0.4567700000634906, 0.30244035935658137, 0.32190916136458414, 0.34288853945646675, 0.17688928540001594, 0.09262621947763071, 0.072228704622638}},
		{-0.01, above, []float64{0.4567700000634906, 0.30244035935658137, 0.35308422834908165, 0.4748095017216603, 0.2582675465213744, 0.1485758218710659, 0.13294903821725682}},
		{0.03, below, []float64{1.5432299999365093, 7.390410500014906, 10.209829269209221, 3.8561648950096763, 22.129499797889974, 146.7502208807145, 1116.5587833677594}},
	} {
		p := newProcess(c.at)
		var got []float64
		for _, d := range fixed {
			p.add(d)
			for _, n := range after {
				if len(p.past) == n {
					got = append(got, p.now[c.side])
				}
			}
		}
		for i := range c.want {
			if math.Abs(got[i]/c.want[i]-1) > 1e-9 {
				t.Errorf("at %g, side %d, after %d units: e = %v, want %v", c.at, c.side, after[i], got[i], c.want[i])
			}
		}
	}
}

// Thousands of units must neither overflow nor make wealth out of rounding.
func TestProcessLongRun(t *testing.T) {
	p := newProcess(0)
	for range 3000 {
		p.add(0.01)
	}
	if !(p.top[above] > 1e290) || math.IsInf(p.top[above], 0) {
		t.Errorf("wealth after 3000 equal units is %v", p.top[above])
	}
	for range 3000 {
		p.add(-0.01)
	}
	if p.now[above] > 1 || p.now[below] > 1e10 || math.IsNaN(p.now[above]+p.now[below]) {
		t.Errorf("wealth after as many of the opposite: %v", p.now)
	}
}

func addAll(t testing.TB, s *Sequence, units ...float64) {
	t.Helper()
	for _, d := range units {
		if err := s.Add(d); err != nil {
			t.Fatal(err)
		}
	}
}

func repeat(d float64, n int) []float64 {
	units := make([]float64, n)
	for i := range units {
		units[i] = d
	}
	return units
}

func TestAddRejects(t *testing.T) {
	s := NewSequence(AdoptRules())
	addAll(t, s, 0.1)
	before := s.Decision()
	for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1), 1e4, -math.MaxFloat64} {
		if err := s.Add(bad); err == nil || !strings.Contains(err.Error(), "unit 2") {
			t.Errorf("Add(%v) = %v, want an error that names unit 2", bad, err)
		}
	}
	if diff := cmp.Diff(before, s.Decision()); diff != "" {
		t.Errorf("a refused unit left traces:\n%s", diff)
	}
}

func TestNewSequencePanics(t *testing.T) {
	for _, spoil := range []func(*Rules){
		func(r *Rules) { r.Kind = "" },
		func(r *Rules) { r.Alpha = 0 },
		func(r *Rules) { r.Beta = math.NaN() },
		func(r *Rules) { r.MinEffect = 1 },
		func(r *Rules) { r.MaxUnits = 0 },
	} {
		r := AdoptRules()
		spoil(&r)
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("no panic for %+v", r)
				}
			}()
			NewSequence(r)
		}()
	}
}

func TestUnboundedAtFirst(t *testing.T) {
	rules := RegressRules()
	if rules.MinUnits() != 8 {
		t.Errorf("MinUnits = %d, want 8", rules.MinUnits())
	}
	s := NewSequence(rules)
	want := Decision{Answer: Undecided, Lo: -1, Hi: math.Inf(1), E: 1}
	if diff := cmp.Diff(want, s.Decision()); diff != "" {
		t.Errorf("empty sequence:\n%s", diff)
	}
	addAll(t, s, repeat(0.05, 7)...)
	d := s.Decision()
	if d.Answer != Undecided || d.Bounded() {
		t.Errorf("after 7 units: %+v", d)
	}
	if lo, hi := d.Finite(); lo != -1 || hi != MaxHi {
		t.Errorf("Finite() = %v, %v", lo, hi)
	}
	addAll(t, s, 0.05)
	if d = s.Decision(); d.Answer != Slower || !d.Bounded() || !d.Done || d.E < 40 {
		t.Errorf("after 8 equal units: %+v", d)
	}
	if truth := math.Expm1(0.05); math.Abs(d.Lo-truth) > 2e-6 || math.Abs(d.Hi-truth) > 2e-6 || math.Abs(d.Estimate-truth) > 1e-12 {
		t.Errorf("units without noise: %v in [%v, %v], want %v", d.Estimate, d.Lo, d.Hi, truth)
	}
}

func TestTies(t *testing.T) {
	for _, rules := range []Rules{AdoptRules(), RegressRules()} {
		s := NewSequence(rules)
		addAll(t, s, repeat(0, 8)...)
		d := s.Decision()
		if d.Answer != NoEffect || d.Estimate != 0 || d.NoiseSD != 0 || math.Abs(d.Lo) > 2e-6 || math.Abs(d.Hi) > 2e-6 {
			t.Errorf("%s: eight units of no difference: %+v", rules.Kind, d)
		}
	}
}

func TestCapped(t *testing.T) {
	rules := RegressRules()
	rules.MaxUnits = 10
	s := NewSequence(rules)
	for i := range 10 {
		if s.Decision().Done {
			t.Fatalf("done after %d units", i)
		}
		addAll(t, s, 0.1*float64(1-2*(i%2)))
	}
	if d := s.Decision(); !d.Done || d.Answer != Undecided {
		t.Errorf("at the last unit: %+v", d)
	}
}

// A caller who needs more than the answer may go on: the answer is taken
// back by nothing, and "no worthwhile effect" gives way to a direction.
func TestGoingOn(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 1))
	s := NewSequence(AdoptRules())
	var seen []Answer
	for range 400 {
		addAll(t, s, 0.008+0.025*r.NormFloat64())
		if a := s.Decision().Answer; len(seen) == 0 || seen[len(seen)-1] != a {
			seen = append(seen, a)
		}
	}
	if diff := cmp.Diff([]Answer{Undecided, NoEffect, Slower}, seen); diff != "" {
		t.Errorf("answers of a slowdown by 0.8 %%:\n%s", diff)
	}
	if !s.ExcludesSlowdown(0.03, 0.05) || s.ExcludesSlowdown(0.008, 0.05) {
		t.Errorf("evidence against a slowdown of 3 %%: %g, of 0.8 %%: %g", s.EvidenceBelow(0.03), s.EvidenceBelow(0.008))
	}
	if got, want := s.EvidenceAbove(0), s.Decision().E; got != want {
		t.Errorf("EvidenceAbove(0) = %v, want the decision's %v", got, want)
	}
	addAll(t, s, repeat(-0.2, 100)...)
	if d := s.Decision(); d.Answer != Slower {
		t.Errorf("a final answer was taken back: %+v", d)
	}
}

func TestEvidencePanics(t *testing.T) {
	s := NewSequence(AdoptRules())
	for name, call := range map[string]func(){
		"change of -1":  func() { s.EvidenceAbove(-1) },
		"change of NaN": func() { s.EvidenceBelow(math.NaN()) },
		"beta of 0":     func() { s.ExcludesSlowdown(0.03, 0) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			call()
		}()
	}
}

func TestDrift(t *testing.T) {
	r := rand.New(rand.NewPCG(32, 1))
	s := NewSequence(RegressRules())
	for i := range 200 {
		effect := 0.05
		if i >= 60 {
			effect = -0.05
		}
		addAll(t, s, effect+0.01*r.NormFloat64())
	}
	d := s.Decision()
	if !d.Drifted || d.Answer != Slower || d.Lo > d.Hi || d.Estimate < d.Lo || d.Estimate > d.Hi {
		t.Errorf("an effect that turned round: %+v", d)
	}
}

// An answer never contradicts its interval, and never comes without one.
func TestAnswerAgreesWithInterval(t *testing.T) {
	for _, seed := range cases[uint64](33, 34, 35) {
		agrees(t, rand.New(rand.NewPCG(seed, 1)), runs(150, 1700))
	}
}

func agrees(t *testing.T, r *rand.Rand, n int) {
	t.Helper()
	grew := 0
	for run := range n {
		rules := []Rules{AdoptRules(), RegressRules()}[run%2]
		noise := []noise{gauss, t3, spikes}[run%3]
		effect := 0.1 * (r.Float64() - 0.5)
		s := NewSequence(rules)
		last := Decision{Lo: -1, Hi: math.Inf(1)}
		for range 40 {
			addAll(t, s, effect+0.012*noise.draw(r))
			d := s.Decision()
			if (d.Answer == Faster && d.Hi > 0) || (d.Answer == Slower && d.Lo < 0) || (d.Answer != Undecided && !d.Bounded()) {
				t.Fatalf("run %d: %+v", run, d)
			}
			if !d.Drifted && (d.Lo < last.Lo-0.001 || d.Hi > last.Hi+0.001) {
				grew++
				t.Logf("run %d: the interval grew from [%v, %v] to [%v, %v]", run, last.Lo, last.Hi, d.Lo, d.Hi)
			}
			last = d
		}
	}
	// A gap in the set that lies between two probes may come to light later.
	if units := 40 * n; grew > units/50000 {
		t.Errorf("the interval grew at %d of %d units", grew, units)
	}
}

// Whatever comes in, the figures are numbers in order.
func FuzzSequence(f *testing.F) {
	f.Add([]byte{0, 0, 0, 0, 0, 0, 0, 0, 0})
	f.Add([]byte{1, 255, 1, 255, 128, 127, 3, 3, 3, 9, 9, 9})
	f.Add([]byte("a fair coin makes every unit symmetric"))
	f.Fuzz(func(t *testing.T, data []byte) {
		s := NewSequence(RegressRules())
		for i, b := range data[:min(len(data), 80)] {
			x := float64(int8(b))
			if i%5 == 4 {
				x = math.Copysign(math.Exp(x/20), x) // sizes of all orders
			} else {
				x /= 1000
			}
			addAll(t, s, x)
		}
		d := s.Decision()
		for _, x := range []float64{d.Estimate, d.Lo, d.E, d.NoiseSD, s.EvidenceBelow(0.03)} {
			if math.IsNaN(x) || math.IsInf(x, 0) {
				t.Fatalf("%+v", d)
			}
		}
		if d.Lo < -1 || !(d.Lo <= d.Hi) || d.Estimate <= -1 || d.E < 1 || d.NoiseSD < 0 {
			t.Fatalf("%+v", d)
		}
	})
}

// What becomes of a change is for the caller to say: the package has no
// words for it.
func TestWords(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	banned := regexp.MustCompile(`(?i)\bk(ept|eep(s|ing)?)\b|\brol{2}(s|ed|ing)? ?back\b`)
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if word := banned.Find(text); word != nil {
			t.Errorf("%s says %q", file, word)
		}
	}
}

func BenchmarkDecision(b *testing.B) {
	for _, c := range []struct {
		name  string
		units int
	}{{"8units", 8}, {"60units", 60}, {"200units", 200}} {
		b.Run(c.name, func(b *testing.B) {
			r := rand.New(rand.NewPCG(34, 1))
			s := NewSequence(RegressRules())
			for range c.units {
				addAll(b, s, 0.01+0.03*r.NormFloat64())
			}
			b.ReportAllocs()
			for b.Loop() {
				s.last = nil
				s.Decision()
			}
		})
	}
}

func BenchmarkAdd(b *testing.B) {
	r := rand.New(rand.NewPCG(35, 1))
	s := NewSequence(RegressRules())
	for b.Loop() {
		if len(s.units) == 200 {
			s = NewSequence(RegressRules())
		}
		addAll(b, s, 0.03*r.NormFloat64())
	}
}
