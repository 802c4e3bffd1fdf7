package bench

import (
	"testing"
	"time"

	"github.com/pawl-dev/pawl/internal/model"
)

// A census counts several benchmarks in one process, with as many iterations of
// each as it was asked for.
func TestCensus(t *testing.T) {
	t.Parallel()
	for _, hooks := range []bool{true, false} {
		f := styles(t, hooks)
		b := f.binary(t, "good")
		found, late, err := f.suite.Census(t.Context(), b, "^BenchmarkAllocs$|^BenchmarkNothing$|Sub/^a$", 16, time.Minute)
		if err != nil || late || len(found) != 3 {
			t.Fatalf("hooks %v: %v, late %t, %v", hooks, found, late, err)
		}
		for bm, s := range found {
			if s.N != 16 || s.Benchmark != bm {
				t.Errorf("hooks %v: %v: %d iterations of %v", hooks, bm, s.N, s.Benchmark)
			}
		}
		if s := found[model.Benchmark{Pkg: b.Pkg, Name: "BenchmarkAllocs"}]; s.AllocsPerOp() < 1 {
			t.Errorf("hooks %v: %v objects per op", hooks, s.AllocsPerOp())
		}
	}
}
