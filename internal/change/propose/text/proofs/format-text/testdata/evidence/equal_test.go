package equal

import (
	"math"
	"strings"
	"testing"

	after "evidence/after"
	before "evidence/before"
)

func TestText(t *testing.T) {
	for _, table := range []string{"", "x", "100%d", "\xff\x00", strings.Repeat("long ", 40)} {
		for _, shard := range []uint8{0, 1, 15, 16, 255} {
			for _, row := range []int64{0, -1, 9, 10, math.MaxInt64, math.MinInt64} {
				for _, score := range []float64{0, math.Copysign(0, -1), -0.0005, 1e300, math.Inf(1), math.Inf(-1), math.NaN(), math.SmallestNonzeroFloat64} {
					k := before.Key{Table: table, Shard: shard, Row: row, Score: score}
					if x, y := before.Text(k), after.Text(after.Key(k)); x != y {
						t.Errorf("%v: before %q, after %q", k, x, y)
					}
				}
			}
		}
	}
}
