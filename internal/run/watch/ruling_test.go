package watch

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/internal/model"
)

// recorded are log ratios of windows of two seconds, less their mean: of two small HTTP
// servers side by side, on a busy machine of two cores.
var recorded = []float64{
	-0.0053, 0.0048, 0.0279, -0.0307, 0.0125, 0.0234, -0.0738, 0.0033, 0.0123, -0.0029, -0.0229, 0.0094,
	0.0155, -0.0258, -0.0155, -0.0295, 0.0509, -0.0374, -0.0258, 0.008, -0.0358, 0.0198, -0.0078, 0.0043,
	0.0241, -0.0178, 0.0548, 0.0516, 0.0128, -0.0258, -0.0106, -0.0331, -0.0209, 0.0484, 0.0071, 0.0148,
	0.0156, -0.0459, -0.0429, -0.003, -0.0456, -0.0084, -0.0094, 0.0291, 0.0233, 0.0398, -0.014, 0.0112,
	0.0027, 0.0157, 0.0654, 0.0045, 0.0152, -0.0294, 0.0081, -0.0291, 0.0088, 0.0042,
}

// outcomes are the verdicts on versions that differ by an effect, of windows drawn from
// those that were recorded, and how many windows they took.
func outcomes(effect float64, windows, runs int) (share map[model.CanaryVerdict]float64, mean float64) {
	share = map[model.CanaryVerdict]float64{}
	rng := rand.New(rand.NewPCG(7, uint64(effect*1000)))
	for range runs {
		r := newRuling(0.05, 0.006, 0.03, windows)
		for range windows {
			if err := r.add(1, (1+effect)*math.Exp(recorded[rng.IntN(len(recorded))])); err != nil {
				panic(err)
			}
			if r.verdict() != model.CanaryUndecided {
				break
			}
		}
		share[r.verdict()] += 1 / float64(runs)
		mean += float64(len(r.ratios)) / float64(runs)
	}
	return share, mean
}

// Ten minutes of windows of two seconds tell 0 %, 3 % and 10 % apart as promised, and what
// is let pass does not fail.
func TestRuling(t *testing.T) {
	for _, tt := range []struct {
		effect float64
		want   model.CanaryVerdict
		least  float64
		wrong  model.CanaryVerdict
	}{
		{0, model.CanaryPass, 0.95, model.CanaryFail},
		{-0.05, model.CanaryPass, 1, model.CanaryFail},
		{0.03, model.CanaryFail, 0.9, model.CanaryPass},
		{0.10, model.CanaryFail, 1, model.CanaryPass},
	} {
		share, mean := outcomes(tt.effect, 300, 100)
		t.Logf("%+.0f %%: %v after %.0f windows", 100*tt.effect, share, mean)
		if share[tt.want] < tt.least-1e-9 || share[tt.wrong] > 0.05 {
			t.Errorf("%+.0f %%: %v", 100*tt.effect, share)
		}
	}
}

func TestRulingWords(t *testing.T) {
	r := newRuling(0.05, 0.006, 0.03, 60)
	if v := r.verdict(); v != model.CanaryUndecided || !strings.Contains(r.why(v), "at least") {
		t.Errorf("%s: %s", v, r.why(v))
	}
	if err := r.add(1, 0); err == nil {
		t.Error("a cost of nothing is taken")
	}
	for i := range 40 { // a drift that is slower than a window
		if err := r.add(1, 1+0.02*math.Sin(float64(i)/6)); err != nil {
			t.Fatal(err)
		}
	}
	if !r.follows() {
		t.Error("a drift is not noticed")
	}
	even := newRuling(0.05, 0.006, 0.03, 60)
	for i := range 40 {
		if err := even.add(1, math.Exp(recorded[i])); err != nil {
			t.Fatal(err)
		}
	}
	if even.follows() {
		t.Error("windows that do not follow each other seem to")
	}
}
