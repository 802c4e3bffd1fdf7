package evidence

import "testing"

func BenchmarkSeal(b *testing.B) {
	s, err := New(make([]byte, 16))
	if err != nil {
		b.Fatal(err)
	}
	message, dst := make([]byte, 64), make([]byte, 0, 128)
	b.ReportAllocs()
	for b.Loop() {
		if len(s.Seal(dst, message)) != 80 {
			b.Fatal("the message is cut")
		}
	}
}
