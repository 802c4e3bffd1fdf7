package evidence

import "testing"

func BenchmarkPlain(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		for _, name := range []string{"None", "Quoted-Printable", "Base64"} {
			if Plain(name) != (len(name) == 4) {
				b.Fatal(name)
			}
		}
	}
}
