package equal

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	after "evidence/after"
	before "evidence/before"
)

type (
	number int
	word   string
	flag   bool
)

func (n number) String() string { return "number" }

func TestRow(t *testing.T) {
	var none *number
	cells := []any{
		nil, none, "", "a\x00\xff", word("w"), number(3), flag(true), true, false, []byte("ab"), 'x', byte(3), uintptr(9), errors.New("e"), time.Second,
		0, -1, math.MaxInt, math.MinInt, int64(math.MinInt64), uint64(math.MaxUint64), uint(7), int8(-3), float32(0.1), complex(1, 2), [2]int{1, 2},
		0.0, math.Copysign(0, -1), math.Inf(1), math.Inf(-1), math.NaN(), math.MaxFloat64, math.SmallestNonzeroFloat64,
		1e5, 1e6, 123456.0, 1234567.0, 1e20, 1e21, 1e22, 1e-4, 1e-5, 0.1, 1.0 / 3,
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		n := r.Uint64()
		cells = append(cells, math.Float64frombits(n), float64(n>>r.UintN(64)), int(n), int64(n), n)
	}
	for _, c := range cells {
		if a, b := before.Row(nil, []any{c}), after.Row(nil, []any{c}); string(a) != string(b) {
			t.Errorf("%T %v: before %q, after %q", c, c, a, b)
		}
	}
}
