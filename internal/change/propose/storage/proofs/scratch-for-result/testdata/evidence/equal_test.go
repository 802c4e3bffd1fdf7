package equal

import (
	"crypto/sha256"
	"testing"

	after "evidence/after"
	before "evidence/before"
)

func FuzzValid(f *testing.F) {
	f.Add([]byte("block"), []byte("sum"), 0)
	f.Add([]byte(nil), []byte(nil), 31)
	f.Fuzz(func(t *testing.T, block, wrong []byte, flip int) {
		b, a := before.New(), after.New()
		right := sha256.Sum256(block)
		near := right
		near[uint(flip)%32] ^= 1
		for i, sum := range [][]byte{right[:], wrong, near[:], right[:31], nil, right[:]} {
			if x, y := b.Valid(block, sum), a.Valid(block, sum); x != y {
				t.Errorf("checksum %d: %v, then %v", i, x, y)
			}
		}
	})
}
