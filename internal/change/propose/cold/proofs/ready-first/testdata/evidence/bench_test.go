package evidence

import (
	"testing"
	"time"
)

func BenchmarkTake(b *testing.B) {
	l := New(2, time.Minute)
	ctx := b.Context()
	b.ReportAllocs()
	for b.Loop() {
		token, err := l.Take(ctx)
		if err != nil {
			b.Fatal(err)
		}
		l.Give(token)
	}
}
