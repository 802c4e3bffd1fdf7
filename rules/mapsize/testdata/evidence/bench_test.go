package evidence

import "testing"

func BenchmarkCollect(b *testing.B) {
	accounts := make([]int, 10_000)
	for i := range accounts {
		accounts[i] = i * 7919 % 1_000_003
	}
	b.ReportAllocs()
	for b.Loop() {
		if len(Collect(accounts)) != len(accounts) {
			b.Fatal("accounts are missing")
		}
	}
}
