package evidence

import "testing"

var names = []string{"acct:1234567890", "acct:1", "acct:987654", "acct:55"}

func BenchmarkAccount(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		for _, name := range names {
			if !Account(name) {
				b.Fatal("not found")
			}
		}
	}
}
