package evidence

import "testing"

var tokens []Token

func BenchmarkTokens(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		tokens = Tokens(tokens[:0], "(price + 25) * count >= limit - 3")
	}
}
