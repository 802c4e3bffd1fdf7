package equal

import (
	"testing"

	after "evidence/after"
	before "evidence/before"
)

func FuzzScore(f *testing.F) {
	f.Add([]byte(nil))
	f.Add([]byte{1, 2, 3, 4})
	f.Add([]byte{9, 9, 9, 9, 1, 255, 3, 255, 255, 255, 255, 255})
	f.Fuzz(func(t *testing.T, data []byte) {
		n := min(len(data)/4, 100)
		b, a := make([]before.Page, n), make([]after.Page, n)
		for i := range n {
			d := data[4*i:]
			b[i].Head[0], b[i].Head[1], b[i].Body[0], b[i].Body[1] = d[0], d[1], d[2], d[3]
			a[i] = after.Page(b[i])
		}
		for at := range 2 {
			if x, y := before.Score(b, at), after.Score(a, at); x != y {
				t.Errorf("score %d, then %d", x, y)
			}
			if x, y := before.Best(b, at), after.Best(a, at); x != y {
				t.Errorf("best %d, then %d", x, y)
			}
		}
	})
}
