package evidence

import (
	"math/rand"
	"testing"
)

func BenchmarkWords(b *testing.B) {
	const chars = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_ .,;:!?()[]{}"
	random := rand.New(rand.NewSource(1))
	text := make([]byte, 4096)
	for i := range text {
		text[i] = chars[random.Intn(len(chars))]
	}
	words := string(text)
	for b.Loop() {
		if Words(words) == 0 {
			b.Fatal("no word")
		}
	}
}
