package equal

import (
	"math"
	"math/rand"
	"testing"

	after "evidence/after"
	before "evidence/before"
)

func TestDeviation(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	for range 200000 {
		data := []float64{math.Float64frombits(r.Uint64()), math.Ldexp(r.Float64(), r.Intn(2100)-1070), r.NormFloat64()}
		data = data[:1+r.Intn(3)]
		a, b := before.Deviation(data), after.Deviation(data)
		if math.Float64bits(a) != math.Float64bits(b) && (a == a || b == b) {
			t.Fatalf("%v: before %x, after %x", data, a, b)
		}
	}
}
