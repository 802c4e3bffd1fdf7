package evidence

import "testing"

func BenchmarkReverse(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if len(Reverse("2001:db8::68")) != 73 {
			b.Fatal("wrong length")
		}
	}
}
