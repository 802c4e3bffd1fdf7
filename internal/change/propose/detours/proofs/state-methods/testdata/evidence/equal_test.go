package equal

import (
	"testing"

	after "evidence/after"
	before "evidence/before"
)

func TestWords(t *testing.T) {
	text := " a text#\n \nof two words #comment # more\nand # others"
	for from := range len(text) {
		for to := from; to <= len(text); to++ {
			w, l := before.Words(text[from:to])
			if w2, l2 := after.Words(text[from:to]); w != w2 || l != l2 {
				t.Errorf("%q: %d, %d, then %d, %d", text[from:to], w, l, w2, l2)
			}
		}
	}
}
