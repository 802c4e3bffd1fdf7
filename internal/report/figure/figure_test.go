package figure

import (
	"math"
	"testing"

	"github.com/pawl-dev/pawl/internal/model"
)

func TestFigures(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{Change(-0.465), "−46.5 %"},
		{Change(0.021), "+2.1 %"},
		{Change(-0.0004), "0.0 %"},
		{Change(11.5), "+1150 %"},
		{Change(math.Inf(1)), "+∞ %"},
		{Change(-math.MaxFloat64), "−∞ %"},
		{Change(math.NaN()), "? %"},
		{Ratio(-1), "−100 %"},
		{Ratio(-0.042), "−4.2 %"},
		{Ratio(0.5), "+50 %"},
		{Bounds(model.Verdict{Lo: -0.213, Hi: -0.179}), "[−21.3, −17.9] %"},
		{Bounds(model.Verdict{Lo: -0.01, Hi: math.Inf(1)}), "[−1.0, open] %"},
		{Share(0.2), "20 %"},
		{Share(0.041), "4.1 %"},
		{Share(0.0001), "< 0.1 %"},
		{Share(0), "0 %"},
		{Amount(model.Allocs, 1), "1 alloc"},
		{Amount(model.Allocs, 0.004), "0.004 allocs"},
	} {
		if c.got != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
}

// An interval of one benchmark among many is never said to be of 100 %.
func TestLevel(t *testing.T) {
	for _, x := range []struct {
		level float64
		want  string
	}{{0.95, "95 % interval"}, {0.99, "99 % interval"}, {1 - 0.05/9, "99.4 % interval"}, {1 - 0.05/500, "99.9 % interval"}, {0, ""}} {
		if got := Level(&model.Verdict{Level: x.level}); got != x.want {
			t.Errorf("%v: %q; want %q", x.level, got, x.want)
		}
	}
}
