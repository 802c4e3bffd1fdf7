package equal

import (
	"bytes"
	"errors"
	"io"
	"testing"
	"testing/iotest"

	after "evidence/after"
	before "evidence/before"
)

func FuzzNext(f *testing.F) {
	f.Add([]byte{0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 1, 4})
	f.Add([]byte{0, 0, 0, 1, 0, 0, 0, 2, 9, 9, 9})
	f.Add([]byte(nil))
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, broken := range []bool{false, true} {
			source := func() io.Reader {
				src := iotest.OneByteReader(bytes.NewReader(data))
				if broken {
					src = io.MultiReader(src, iotest.ErrReader(errors.New("broken")))
				}
				return src
			}
			b, a := before.New(source()), after.New(source())
			for range len(data)/8 + 2 {
				k1, n1, err1 := b.Next()
				k2, n2, err2 := a.Next()
				if k1 != k2 || n1 != n2 || (err1 == nil) != (err2 == nil) || err1 != nil && err1.Error() != err2.Error() {
					t.Fatalf("%d, %d, %v, then %d, %d, %v", k1, n1, err1, k2, n2, err2)
				}
			}
		}
	})
}
