package evidence

import "testing"

var valid bool

func BenchmarkValid(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		valid = Valid("X-Forwarded-Port") && Valid("Content-Type") && Valid("Access-Control-Expose-Headers")
	}
}
