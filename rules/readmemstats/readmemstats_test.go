package readmemstats

import (
	"runtime"
	"runtime/metrics"
	"testing"
)

// TestMetrics checks that the running Go has all the metrics, as uint64.
func TestMetrics(t *testing.T) {
	have := map[string]metrics.ValueKind{}
	for _, d := range metrics.All() {
		have[d.Name] = d.Kind
	}
	for field, names := range sums {
		for _, name := range names {
			if have[name] != metrics.KindUint64 {
				t.Errorf("%s: %s has kind %v on %s", field, name, have[name], runtime.Version())
			}
		}
	}
}
