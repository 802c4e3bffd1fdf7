package evidence

import (
	"context"
	"testing"
)

func BenchmarkHandle(b *testing.B) {
	b.ReportAllocs()
	ctx, cfg := context.Background(), Config{Greeting: "hello ", Limits: [16]int{10}}
	for b.Loop() {
		if Handle(ctx, cfg, "ada") != "hello ada" {
			b.Fatal("no greeting")
		}
	}
}
