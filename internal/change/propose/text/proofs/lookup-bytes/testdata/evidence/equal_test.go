package equal

import (
	"testing"

	after "evidence/after"
	before "evidence/before"

	"reflect"
)

func TestCount(t *testing.T) {
	var a before.Counter
	var b after.Counter
	buf := make([]byte, 0, 64)
	for _, line := range []string{"", "a", "a b a", " ", "b  a\xff a\xff", "a name that is longer than thirty-two bytes_________________"} {
		for range 2 {
			buf = append(buf[:0], line...)
			a.Count(buf)
			b.Count(buf)
			for i := range buf {
				buf[i] = '?' // what is kept must not be the bytes themselves
			}
		}
		an, ac := a.All()
		bn, bc := b.All()
		if !reflect.DeepEqual(an, bn) || !reflect.DeepEqual(ac, bc) {
			t.Errorf("%q: before %q %v, after %q %v", line, an, ac, bn, bc)
		}
	}
}
