package verdict

import (
	"testing"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/judge"
)

// Links in one order say by themselves whether there is an effect: the luck of the
// one link of each side before them is not theirs.
func TestLookOrdered(t *testing.T) {
	r := Rules{Judge: judge.RegressRules()}
	for ordered, want := range map[bool]bool{false: true, true: false} {
		a := Answer{Verdict: model.Verdict{Change: -0.005}}
		if got := a.Look(r, []float64{0.011, 0.013}, ordered); got != want || a.Looked != want {
			t.Errorf("in one order %t: no effect %t", ordered, got)
		}
	}
}
