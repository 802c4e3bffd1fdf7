package bench

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// What a benchmark reports comes with its run, from the hooks and from the text of
// a binary without them.
func TestMetrics(t *testing.T) {
	t.Parallel()
	hooked, err := parseRecords("run BenchmarkX n=8 cpu=80 wall=90 allocs=0 bytes=0\n" +
		"metric BenchmarkX 4031000000000000 steps/op\n" + // 17
		"metric BenchmarkX 40b0000000000000 a=b/op\n" + // 4096
		"metric BenchmarkX 7ff8000000000001 nan\n" +
		"metric BenchmarkX 0 ns/op\n" +
		"metric BenchmarkX 4000000000000000 allocs/op\n" +
		"metric BenchmarkY 4000000000000000 steps/op\n" +
		"result BenchmarkX failed=0\n")
	if err != nil {
		t.Fatal(err)
	}
	stock := scanVerbose("BenchmarkX\nBenchmarkX-2   \t       8\t        90.00 ns/op\t  12.50 MB/s\t        17.00 steps/op\t      4096 a=b/op\t       0 B/op\t       0 allocs/op\n")
	stripProcs(stock, "BenchmarkX")
	for name, records := range map[string][]record{"hooked": hooked, "stock": stock} {
		m, ok := last(records, "BenchmarkX")
		if diff := cmp.Diff(map[string]float64{"steps/op": 17, "a=b/op": 4096}, m.metrics); !ok || diff != "" {
			t.Errorf("%s: %v %s", name, ok, diff)
		}
	}
	for _, bad := range []string{"metric BenchmarkX", "metric BenchmarkX xyz steps", "metric BenchmarkX 0 two words"} {
		if _, err := parseRecord(bad); err == nil {
			t.Errorf("%q is read", bad)
		}
	}
}
