package equal

import (
	"testing"

	after "evidence/after"
	before "evidence/before"
)

func FuzzLine(f *testing.F) {
	f.Add("", 0, uint16(0), false, []byte(nil), int64(0))
	f.Add("a\"b\n", -1, uint16(65535), true, []byte{0, 255}, int64(-1<<63))
	f.Add("\xff%d\u202e\x00", 1<<62, uint16(1), true, []byte("x"), int64(99))
	f.Fuzz(func(t *testing.T, s string, n int, code uint16, ok bool, id []byte, size int64) {
		if b, a := before.Line(s, n), after.Line(s, n); b != a {
			t.Errorf("%q, then %q", b, a)
		}
		if b, a := before.Entry(s, code, ok, id, size), after.Entry(s, code, ok, id, size); b != a {
			t.Errorf("%q, then %q", b, a)
		}
	})
}
