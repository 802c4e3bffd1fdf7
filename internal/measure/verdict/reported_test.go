package verdict

import (
	"math"
	"testing"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/judge"
)

func TestDirections(t *testing.T) {
	for unit, want := range map[string]Better{
		"p99-ns": Lower, "ns/msg": Lower, "latency_ms": Lower, "peak-MB": Lower, "B/op": Lower, "allocs/row": Lower,
		"MB/s": Higher, "ops/s": Higher, "req/sec": Higher, "wire-bytes/s": Higher, "qps": Higher,
		"errors/s": "", "hits/op": "", "ratio": "", "%": "", "steps/op": "", "s/": Lower,
	} {
		if got := Directions(nil).Of(unit); got != want {
			t.Errorf("%s: %q, want %q", unit, got, want)
		}
	}
	if got := (Directions{"p99-ns": Ignored}).Of("p99-ns"); got != Ignored {
		t.Errorf("what the user says does not come first: %q", got)
	}
	for in, want := range map[string]string{"p99-ns:lower": "p99-ns", "a:b:higher": "a:b", "x:ignore": "x", "x": "", ":lower": "", "x:less": "", "a b:lower": ""} {
		if unit, _, err := ParseDirection(in); unit != want || (err == nil) != (want != "") {
			t.Errorf("%q: %q, %v; want %q", in, unit, err, want)
		}
	}
}

// Figures of two values at even odds, all of one side alike: as seldom as the permutation test has it, or more so.
func TestApartByChance(t *testing.T) {
	for n, want := range map[int]float64{1: 1, 4: 2.0 / 70, 5: 1.0 / 126} {
		if got := apartByChance(n); math.Abs(got-want) > 1e-12 {
			t.Errorf("%d pairs: %v, want %v", n, got, want)
		}
	}
}

// pairsOf are pairs of runs with these figures of "x".
func pairsOf(of ...[2]float64) [][2]model.Sample {
	var out [][2]model.Sample
	for _, f := range of {
		out = append(out, [2]model.Sample{{Metrics: map[string]float64{"x": f[0]}}, {Metrics: map[string]float64{"x": f[1]}}})
	}
	return out
}

func repeated(b, c float64, n int) (out [][2]float64) {
	for range n {
		out = append(out, [2]float64{b, c})
	}
	return out
}

func TestExactly(t *testing.T) {
	const alpha = 0.025 // which five pairs that lie apart reach
	for name, c := range map[string]struct {
		better Better
		of     [][2]float64
		want   model.Standing
		done   bool
	}{
		"stays":                     {"", repeated(3, 3, 3), model.Clean, true},
		"a zero stays":              {Lower, repeated(0, 0, 3), model.Clean, true},
		"negative figures":          {Lower, repeated(-2, -1, 5), model.Regressed, true},
		"too few to repeat":         {Lower, repeated(3, 3, 2), model.Open, false},
		"worse":                     {Lower, repeated(3, 4, 5), model.Regressed, true},
		"worse, and better higher":  {Higher, repeated(4, 3, 7), model.Regressed, true},
		"better":                    {Higher, repeated(3, 4, 7), model.Improved, true},
		"chance brings four":        {Lower, repeated(3, 4, 4), model.Open, false},
		"nobody says":               {"", repeated(3, 4, 7), model.Open, true},
		"varies":                    {Lower, [][2]float64{{3, 3}, {3.1, 3}, {3, 3}}, model.Open, false},
		"varies, and nobody says":   {"", [][2]float64{{3, 3}, {3.1, 3}, {3, 3}}, model.Open, true},
		"the last digit of a float": {Lower, [][2]float64{{0.1 + 0.2, 0.3}, {0.3, 0.3}, {0.3, 0.1 + 0.2}}, model.Clean, true},
	} {
		m, done := Reported{"x", c.better}.Exactly(pairsOf(c.of...), alpha)
		if m.Standing != c.want || done != c.done || m.Why == "" {
			t.Errorf("%s: %s, %v (%s); want %s, %v", name, m.Standing, done, m.Why, c.want, c.done)
		}
	}
	half := pairsOf(repeated(3, 3, 4)...)
	half[1][1].Metrics = nil
	if m, done := (Reported{"x", Lower}).Exactly(half, alpha); m.Standing != model.Open || !done {
		t.Errorf("reported in some runs only: %+v", m)
	}
}

// What got worse is a slowdown of the cost, whichever way the metric goes, and is
// shown as the metric has it.
func TestReadReported(t *testing.T) {
	r := Rules{Judge: judge.RegressRules(), OwnLayout: true}
	r.Judge.MinEffect = 0.02
	for _, c := range []struct {
		better Better
		factor float64 // candidate ÷ base
		want   model.Standing
		lower  bool // the figure fell
	}{
		{Lower, 1.2, model.Regressed, false}, {Lower, 0.8, model.Improved, true},
		{Higher, 0.8, model.Regressed, true}, {Higher, 1.2, model.Improved, false},
	} {
		s, d := NewSeries(r), Reported{"x", c.better}
		for i := range 40 {
			jitter := 1 + 0.002*float64(i%5-2)
			x, err := d.LogRatio(pairsOf([2]float64{100, 100 * c.factor * jitter})[0])
			if err != nil {
				t.Fatal(err)
			}
			if err := s.Add(x); err != nil {
				t.Fatal(err)
			}
		}
		m := r.ReadReported(model.Reported{Unit: "x", Better: string(c.better)}, s.Answer(model.Benchmark{}, "x", false))
		v := m.Verdict
		if m.Standing != c.want || (v.Change < 0) != c.lower || math.Abs(v.Change-(c.factor-1)) > 0.01 || !(v.Lo <= v.Change && v.Change <= v.Hi) {
			t.Errorf("%s, times %v: %s, %+v", c.better, c.factor, m.Standing, v)
		}
		if l := loss(m); c.want == model.Regressed && l < 0.1 {
			t.Errorf("a loss of %v", l)
		}
	}
	if _, err := (Reported{"x", Lower}).LogRatio(pairsOf([2]float64{0, 1})[0]); err == nil {
		t.Error("zero has no ratio")
	}
}
