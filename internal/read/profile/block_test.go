package profile

import "testing"

// TestBlock: half of the bytes are in objects of that size or more.
func TestBlock(t *testing.T) {
	for _, c := range []struct {
		bytes map[int64]int64 // by the size of an object
		more  int64           // of objects whose size is not known
		want  int64
	}{
		{map[int64]int64{8: 80, 16: 160, 32: 320, 64: 640}, 0, 64},
		{map[int64]int64{16: 900, 1024: 1024}, 0, 1024},
		{map[int64]int64{16: 1100, 1024: 1024}, 0, 16},
		{map[int64]int64{16: 100}, 1000, 0},
		{nil, 100, 0},
	} {
		s := &site{second: c.more}
		for size, n := range c.bytes {
			s.add(size, n)
			s.second += n
		}
		if got := s.block(); got != c.want {
			t.Errorf("%v and %d: %d, want %d", c.bytes, c.more, got, c.want)
		}
	}
}
