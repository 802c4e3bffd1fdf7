package evidence

import "testing"

func BenchmarkScore(b *testing.B) {
	pages := make([]Page, 64)
	for i := range pages {
		pages[i].Head[0], pages[i].Body[1] = byte(i), byte(i)
	}
	for b.Loop() {
		if Score(pages) != 2016 || Best(pages) != 0 {
			b.Fatal("the score is wrong")
		}
	}
}
