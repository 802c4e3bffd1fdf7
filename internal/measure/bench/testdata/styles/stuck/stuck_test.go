// Package stuck has a TestMain that does not come to its benchmarks.
package stuck

import (
	"testing"
	"time"
)

func TestMain(m *testing.M) { time.Sleep(time.Hour) }

func BenchmarkNever(b *testing.B) {
	for i := 0; i < b.N; i++ {
	}
}
