package worth

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/internal/model"
)

// Sets of functions on a stack: the first, the second, both, none.
const (
	none   = "\x00"
	first  = "\x01"
	second = "\x02"
	both   = "\x03"
)

func twoPromises(gain float64) []Promise {
	return []Promise{
		{ID: "1", Title: "one", Resource: "cpu", Gain: gain, Lo: gain * 0.8, Hi: min(1, gain*1.2), Funcs: []Func{{Name: "m.F"}}},
		{ID: "2", Title: "two", Resource: "cpu", Gain: gain, Lo: gain * 0.8, Hi: min(1, gain*1.2), Funcs: []Func{{Name: "m.G"}}},
	}
}

// accountOf is one of captures of some seconds, whose mix differs from one to the next.
func accountOf(r *rand.Rand, captures int, samples map[string]float64) *Account {
	a := NewAccount(twoPromises(0), "cpu")
	process := math.Exp(lasting / 2 * r.NormFloat64())
	for range captures {
		l := look{process: "0", by: map[string]amount{}}
		for set, n := range samples {
			if set != none {
				n *= process * math.Exp(0.1*r.NormFloat64())
			}
			n = max(0, math.Round(n+math.Sqrt(n)*r.NormFloat64()))
			l.by[set] = amount{n * 1e7, n}
		}
		a.looks = append(a.looks, l)
	}
	return a
}

// A promise that is kept arrives, one that is not does not, and neither verdict is given
// wrongly more often than one time in twenty.
func TestArrivalsSimulated(t *testing.T) {
	const runs, promised = 400, 0.4
	for _, tt := range []struct {
		name     string
		captures int
		samples  float64
		saved    float64
		want     model.ClaimVerdict
		least    int
	}{
		{"all of it", 12, 100, promised, model.ClaimArrived, 380},
		{"nothing", 12, 100, 0, model.ClaimMissing, 340},
		{"worse", 12, 100, -0.2, model.ClaimMissing, 380},
		{"few samples", 2, 5, promised, model.ClaimUndecided, 300},
		// On the border either verdict is wrong, so both together are rare.
		{"just half", 12, 100, promised / 2, model.ClaimUndecided, 380},
		{"just half, of few captures", 5, 40, promised / 2, model.ClaimUndecided, 380},
	} {
		count := map[model.ClaimVerdict]int{}
		r := rand.New(rand.NewPCG(7, 11))
		for range runs {
			before := accountOf(r, tt.captures, map[string]float64{first: tt.samples, none: 4 * tt.samples})
			after := accountOf(r, tt.captures, map[string]float64{first: tt.samples * (1 - tt.saved), none: 4 * tt.samples})
			count[Arrivals(twoPromises(promised)[:1], before, after, 0.05, 1)[0].Verdict]++
		}
		if count[tt.want] < tt.least {
			t.Errorf("%s: %v", tt.name, count)
		}
	}
}

func fixed(samples map[string]float64) *Account {
	a := NewAccount(twoPromises(0), "cpu")
	by := map[string]amount{}
	for set, n := range samples {
		by[set] = amount{n * 1e7, n}
	}
	a.looks = []look{{"0", by}, {"1", by}}
	return a
}

// Changes are judged one by one where their stacks differ, by what none of them changed,
// and together where they are on the same stacks.
func TestArrivalsOfSeveral(t *testing.T) {
	p := twoPromises(0.5)
	before := fixed(map[string]float64{first: 1000, second: 1000, none: 2000})
	got := Arrivals(p, before, fixed(map[string]float64{first: 500, second: 1000, none: 2000}), 0.05, 2)
	if len(got) != 2 || got[0].Verdict != model.ClaimArrived || got[1].Verdict != model.ClaimMissing || math.Abs(got[1].Observed) > 1e-9 {
		t.Errorf("%+v", got)
	}
	before = fixed(map[string]float64{both: 1000, first: 1000, none: 2000})
	got = Arrivals(p, before, fixed(map[string]float64{both: 250, first: 500, none: 2000}), 0.05, 2)
	if len(got) != 1 || got[0].Verdict != model.ClaimArrived || len(got[0].Changes) != 2 || got[0].Promised != 1-0.5*0.75 {
		t.Errorf("%+v", got)
	}
}

func TestArrivalsNotCompared(t *testing.T) {
	p := twoPromises(0.5)
	for _, tt := range []struct {
		why           string
		before, after map[string]float64
	}{
		{"it promised nothing here", map[string]float64{second: 100, none: 100}, map[string]float64{first: 100, none: 100}},
		{"nothing is left to measure", map[string]float64{first: 100}, map[string]float64{first: 50}},
		{"m.F had 200 samples before and has none after", map[string]float64{first: 100, none: 100}, map[string]float64{none: 100}},
		{"too few", map[string]float64{first: 3, none: 100}, map[string]float64{none: 100}},
	} {
		got := Arrivals(p[:1], fixed(tt.before), fixed(tt.after), 0.05, 1)[0]
		if got.Verdict != model.ClaimUndecided || got.Compared || !strings.Contains(got.Why, tt.why) {
			t.Errorf("%s: %+v", tt.why, got)
		}
	}
}
