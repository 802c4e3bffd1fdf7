package evidence

import (
	"testing"
	"time"
)

func BenchmarkLive(b *testing.B) {
	var expires []time.Time
	for i := range 100 {
		expires = append(expires, time.Now().Add(time.Duration(i%2*2-1)*time.Hour))
	}
	b.ReportAllocs()
	for b.Loop() {
		if Live(expires) != 50 {
			b.Fatal("half of them are over")
		}
	}
}
