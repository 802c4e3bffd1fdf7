package equal

import (
	"bytes"
	"math"
	"testing"

	after "evidence/after"
	before "evidence/before"
)

func FuzzEncode(f *testing.F) {
	f.Add(int32(0), int32(-1), uint8(0), uint64(0))
	f.Add(int32(math.MinInt32), int32(math.MaxInt32), uint8(255), math.Float64bits(math.Inf(-1)))
	f.Add(int32(1), int32(2), uint8(3), uint64(0x7ff0000000000001)) // a signalling NaN
	f.Fuzz(func(t *testing.T, m, n int32, kind uint8, bits uint64) {
		var b, a bytes.Buffer
		before.Encode(&b, []int32{m, n})
		after.Encode(&a, []int32{m, n})
		x := math.Float64frombits(bits)
		errB, errA := before.Point(&b, kind, x, -x), after.Point(&a, kind, x, -x)
		if !bytes.Equal(b.Bytes(), a.Bytes()) || errB != errA {
			t.Errorf("%x %v, then %x %v", b.Bytes(), errB, a.Bytes(), errA)
		}
	})
}
