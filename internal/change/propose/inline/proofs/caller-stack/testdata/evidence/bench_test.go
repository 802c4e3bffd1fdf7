package evidence

import "testing"

var common int

func BenchmarkCommon(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		common += Common("www.miek.nl.", "api.mail.miek.nl.")
	}
}
