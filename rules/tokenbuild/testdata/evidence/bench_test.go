package evidence

import "testing"

func BenchmarkTokens(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if len(Tokens(`add journal --date 2026-01-31 --set amount=1250.00 --text "office rent, January"`)) != 8 {
			b.Fatal("wrong number of words")
		}
	}
}
