package diagnose

import (
	"math"
	"testing"
)

// Values from tables of Student's and the binomial distribution.
func TestTails(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ got, want float64 }{
		{studentTail(2.228, 10), 0.05}, {studentTail(2.845, 20), 0.01}, {studentTail(12.706, 1), 0.05}, {studentTail(0, 5), 1},
		{studentTail(1.959964, 1e7), 0.05}, {StudentQuantile(0.05, 10), 2.228}, {StudentQuantile(0.001, 20), 3.850},
		{normalQuantile(0.05), 1.959964}, {normalQuantile(1e-12), 7.1305}, {normalQuantile(1), 0}, {normalQuantile(0), 37},
		{upTo(0.5, 8, 3), 0.0546875}, {upTo(0.5, 1, 1), 0.5}, {upTo(0.3, 2, 1), 0.09}, // P(X ≥ 8 of 10) at a half
		{upTo(0.5, 50001, 50000), 0.498738}, {upTo(0.1, 0, 5), 1}, {upTo(0.1, 5, 0), 0},
	} {
		if math.Abs(tt.got-tt.want) > 1e-3*tt.want+1e-9 {
			t.Errorf("got %v; want %v", tt.got, tt.want)
		}
	}
}
