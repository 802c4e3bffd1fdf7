package evidence

import "testing"

var names = []string{"alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta"}

func BenchmarkList(b *testing.B) {
	b.ReportAllocs()
	i := 0
	next := func() (string, bool) {
		if i++; i > len(names) {
			return "", false
		}
		return names[i-1], true
	}
	for b.Loop() {
		i = 0
		if len(List(next)) != 54 {
			b.Fatal(List(next))
		}
	}
}
