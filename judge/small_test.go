package judge

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestLocationAgainstBruteForce(t *testing.T) {
	r := rand.New(rand.NewPCG(51, 1))
	for n := 1; n < 60; n++ {
		a := make([]float64, n)
		for i := range a {
			a[i] = math.Round(20*r.NormFloat64()) / 1000 // with ties
		}
		slices.Sort(a)
		want := sortedMedian(a)
		if n >= pairsFrom {
			var means []float64
			for i := range a {
				for j := i; j < n; j++ {
					means = append(means, (a[i]+a[j])/2)
				}
			}
			slices.Sort(means)
			want = sortedMedian(means)
		}
		if got := location(a); math.Abs(got-want) > 1e-15 {
			t.Errorf("%d values: %v, want %v", n, got, want)
		}
	}
}

func TestMadSD(t *testing.T) {
	for _, c := range []struct {
		values []float64
		want   float64
	}{
		{nil, 0},
		{[]float64{3}, 0},
		{[]float64{1, 3}, 1.4826},
		{[]float64{1, 2, 3, 4, 1000}, 1.4826},
	} {
		if got := madSD(c.values); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("madSD(%v) = %v, want %v", c.values, got, c.want)
		}
	}
}

// Twenty benchmarks that did not change, watched for sixty units each: a false
// alarm in the whole family is rare, and a real slowdown still stands out.
func TestManySequences(t *testing.T) {
	r := rand.New(rand.NewPCG(52, 1))
	n, alarms, found := runs(200, 3000), 0, 0
	for range n {
		es := make([]float64, 21)
		for i := range es {
			p, effect := newProcess(0), 0.0
			if i == 20 {
				effect = 0.05
			}
			for range 60 {
				p.add(effect + 0.025*r.NormFloat64())
			}
			es[i] = p.top[above]
		}
		needed := float64(len(es)) / 0.05
		if slices.Max(es[:20]) >= needed {
			alarms++
		}
		if es[20] >= needed {
			found++
		}
	}
	atMost(t, "families with a false alarm", alarms, n, 0.05)
	if found < n*99/100 {
		t.Errorf("a slowdown by 5 %% is found in %d of %d", found, n)
	}
}

func TestAlphaAtSpendsAlpha(t *testing.T) {
	sum := 0.0
	for i := range 100000 {
		sum += AlphaAt(0.05, i+1)
	}
	if sum > 0.05 || sum < 0.0499 {
		t.Errorf("all tests together spend %v, want 0.05", sum)
	}
}

func TestCounts(t *testing.T) {
	for _, c := range []struct {
		name      string
		base, new []float64
		want      CountDecision
		confirmed bool
	}{
		{"one run each, equal", []float64{5}, []float64{5}, CountDecision{Equal, 5, 5, 1}, true},
		{"one run each, differs", []float64{5}, []float64{2}, CountDecision{Differs, 5, 2, 1}, false},
		{"confirmed", []float64{5, 5, 5}, []float64{2, 2, 2, 2}, CountDecision{Differs, 5, 2, 3}, true},
		{"frame of the benchmark", []float64{5.001, 5.001}, []float64{5, 5}, CountDecision{Equal, 5.001, 5, 2}, true},
		{"base varies", []float64{5, 6, 5}, []float64{2, 2, 2}, CountDecision{Noisy, 5, 2, 3}, true},
		{"candidate varies about the same", []float64{5, 5, 5}, []float64{5, 5.2, 5}, CountDecision{Noisy, 5, 5, 3}, true},
		{"none left", []float64{1, 1, 1}, []float64{0, 0, 0}, CountDecision{Differs, 1, 0, 3}, true},
	} {
		got, err := Counts(c.base, c.new, 0.005)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s:\n%s", c.name, diff)
		}
		if got.Confirmed() != c.confirmed {
			t.Errorf("%s: Confirmed() = %v", c.name, got.Confirmed())
		}
	}
	for name, arm := range map[string][]float64{"empty": nil, "NaN": {math.NaN()}, "negative": {-1}, "infinite": {math.Inf(1)}} {
		if _, err := Counts([]float64{1}, arm, 0); err == nil {
			t.Errorf("%s arm: no error", name)
		}
	}
}
