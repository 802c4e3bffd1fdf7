// Package endless has a benchmark that does not end, among others.
package endless

import (
	"testing"
	"time"
)

func BenchmarkBefore(b *testing.B) {}

func BenchmarkSub(b *testing.B) {
	b.Run("before", func(b *testing.B) {})
	b.Run("endless", func(b *testing.B) { time.Sleep(time.Hour) })
	b.Run("after", func(b *testing.B) {})
}

func BenchmarkAfter(b *testing.B) {}
