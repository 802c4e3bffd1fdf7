package equal

import (
	"bytes"
	"testing"

	after "evidence/after"
	before "evidence/before"
)

func FuzzSeal(f *testing.F) {
	f.Add([]byte(nil), []byte("second"))
	f.Add([]byte("first"), make([]byte, 1500))
	f.Fuzz(func(t *testing.T, first, second []byte) {
		b, err := before.New([]byte("0123456789abcdef"))
		if err != nil {
			t.Fatal(err)
		}
		a, err := after.New([]byte("0123456789abcdef"))
		if err != nil {
			t.Fatal(err)
		}
		for i, m := range [][]byte{first, second, first} {
			if x, y := b.Seal(nil, m), a.Seal(nil, m); !bytes.Equal(x, y) {
				t.Errorf("message %d: %x, then %x", i, x, y)
			}
		}
	})
}
