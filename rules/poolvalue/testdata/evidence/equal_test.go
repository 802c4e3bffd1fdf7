package equal

import (
	"bytes"
	"testing"

	after "evidence/after"
	before "evidence/before"
)

func FuzzHex(f *testing.F) {
	f.Add([]byte(nil))
	f.Add([]byte("some text"))
	f.Add(bytes.Repeat([]byte{0xff}, 1000)) // longer than what the pool makes
	f.Fuzz(func(t *testing.T, p []byte) {
		for range 3 { // with what was put back
			var was, is bytes.Buffer
			if err1, err2 := before.Hex(&was, p), after.Hex(&is, p); err1 != nil || err2 != nil || was.String() != is.String() {
				t.Errorf("%x: %s %v, then %s %v", p, &was, err1, &is, err2)
			}
		}
	})
}
