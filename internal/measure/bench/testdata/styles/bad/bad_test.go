// Package bad has benchmarks that fail in all the ways there are.
package bad

import (
	"os"
	"testing"
	"time"
)

func BenchmarkFatal(b *testing.B) { b.Fatal("fatal words") }

func BenchmarkPanics(b *testing.B) {
	b.Run("before", func(b *testing.B) {
		for b.Loop() {
		}
	})
	b.Run("sub", func(b *testing.B) { panic("panic words") })
	b.Run("after", func(b *testing.B) {
		for b.Loop() {
		}
	})
}

func BenchmarkFine(b *testing.B) {
	for b.Loop() {
	}
}

func BenchmarkErrors(b *testing.B) {
	b.Run("sub", func(b *testing.B) {
		for b.Loop() {
		}
		b.Error("error words")
	})
}

func BenchmarkExits(b *testing.B) { os.Exit(0) }

func BenchmarkExitsThree(b *testing.B) { os.Exit(3) }

func BenchmarkGoroutinePanics(b *testing.B) {
	go panic("in a goroutine")
	select {}
}

func BenchmarkAlsoFine(b *testing.B) {
	for b.Loop() {
	}
}

// BenchmarkLater fails beyond the first iterations.
func BenchmarkLater(b *testing.B) {
	for i := 0; i < b.N; i++ {
		if i == 500 {
			b.Fatal("later words")
		}
	}
}

func BenchmarkHangs(b *testing.B) {
	if b.N > 1 {
		time.Sleep(time.Hour)
	}
}
