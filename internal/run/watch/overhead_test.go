package watch

import (
	"math"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/internal/model"
)

// The interval is of the mean of the pairs; the part of the interval in which a capture is
// taken scales it to what watching costs in all.
func TestMeasured(t *testing.T) {
	of := func(ratios ...float64) *model.Overhead {
		logs := make([]float64, len(ratios))
		for i, x := range ratios {
			logs[i] = math.Log(x)
		}
		return measured(&model.Overhead{Started: time.Now(), Seconds: 10, Interval: 60}, logs)
	}
	got := of(1.02, 1.04, 1.03, 1.02, 1.04, 1.03)
	if !got.Bounded() || math.Abs(got.During-0.03) > 1e-3 || got.DuringLo < 0.015 || got.DuringHi > 0.045 || math.Abs(got.All-got.During/6) > 1e-9 || got.AllHi >= got.DuringHi {
		t.Errorf("%+v", got)
	}
	if got := of(1.02, 1.04); got.Bounded() || got.Pairs != 2 {
		t.Errorf("%+v", got)
	}
}
