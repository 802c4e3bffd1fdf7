package evidence

import "testing"

func BenchmarkCount(b *testing.B) {
	b.ReportAllocs()
	var c Counter
	line := []byte("requests_total_by_method_and_status request_duration_seconds_by_method requests_total_by_method_and_status")
	c.Count(line)
	for b.Loop() {
		c.Count(line)
	}
}
