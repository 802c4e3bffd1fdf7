package evidence

import (
	"crypto/sha256"
	"testing"
)

func BenchmarkValid(b *testing.B) {
	c := New()
	block := make([]byte, 64)
	sum := sha256.Sum256(block)
	b.ReportAllocs()
	for b.Loop() {
		if !c.Valid(block, sum[:]) {
			b.Fatal("the block is not valid")
		}
	}
}
