package evidence

import "testing"

var place = 1 // that of a score, which the compiler does not know

func BenchmarkScore(b *testing.B) {
	pages := make([]Page, 64)
	for i := range pages {
		pages[i].Head[1], pages[i].Body[1] = byte(i), byte(i)
	}
	for b.Loop() {
		if Score(pages, place) != 4032 || Best(pages, place) != 63 {
			b.Fatal("the score is wrong")
		}
	}
}
