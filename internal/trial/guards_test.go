package trial

import (
	"testing"

	"github.com/pawl-dev/pawl/internal/bench"
)

// The wall guard of one benchmark of many needs more pairs: all of them would be
// worse by chance in one of two to the power of their number.
func TestWallGuardOfMany(t *testing.T) {
	for _, tt := range []struct {
		name    string
		effect  float64
		alpha   float64
		pairs   int
		tripped bool
	}{
		{"one benchmark", 0.5, 0.05 / 2, 6, true},
		{"one of fifty", 0.5, 0.05 / 2 / 50, 11, true},
		{"no worse", 0.05, 0.05 / 2 / 50, 1, false},
	} {
		tr, machine := simulate(1, simulated{effect: tt.effect})
		g, err := tr.wallGuard(t.Context(), plan, &bench.Binary{}, &bench.Binary{}, tt.alpha)
		if err != nil {
			t.Fatal(err)
		}
		if g.Tripped != tt.tripped || len(machine.units) != tt.pairs {
			t.Errorf("%s: tripped %v after %d pairs, want %v after %d", tt.name, g.Tripped, len(machine.units), tt.tripped, tt.pairs)
		}
	}
}
