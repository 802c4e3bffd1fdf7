package frontier

import (
	"math"
	"slices"
	"testing"
)

func TestOn(t *testing.T) {
	points := []Point{
		{Change: -0.10, Memory: 1.5},
		{Change: -0.20, Hi: -0.1, Memory: 1.4, Proven: true}, // beats the first
		{Change: -0.30, Memory: 4},                           // the least time
		{Change: 0.10, Memory: 0.8},                          // less memory for more time
		{Change: 0.10, Memory: 1},                            // the present settings beat it
		{Change: 0.05, Memory: 0.995},                        // as much memory as at present
		{Change: -0.30, Memory: 1.3},                         // not proven, and so it beats nothing
		{Change: -0.05},                                      // memory not known: as at present
	}
	if got, want := On(points), []bool{false, true, true, true, false, false, true, true}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if got := On([]Point{{Change: -0.1, Hi: -0.05, Memory: 1, Proven: true}, {Change: -0.1, Hi: -0.05, Memory: 1, Proven: true}}); !slices.Equal(got, []bool{true, true}) {
		t.Errorf("of two equals: %v", got)
	}
}

func TestBest(t *testing.T) {
	points := []Point{
		{Change: -0.30, Hi: -0.25, Proven: true, Memory: 4},
		{Change: -0.20, Hi: -0.15, Proven: true, Memory: 2},
		{Change: -0.25, Hi: -0.05, Memory: 1}, // not proven
		{Change: -0.20, Hi: -0.15, Proven: true, Memory: 1.5},
		{Change: -0.90, Hi: math.NaN(), Proven: true, Memory: 1},
	}
	for most, want := range map[float64]int{10: 0, 2: 3, 1.2: -1} {
		if got := Best(points, most); got != want {
			t.Errorf("within %g: %d, want %d", most, got, want)
		}
	}
	if Best(nil, 2) != -1 {
		t.Error("nothing was tried, and something is recommended")
	}
}
