package profile

import (
	"testing"

	"github.com/pawl-dev/pawl/internal/model"
)

// What runN itself calls is the testing package's own, however the binary was
// built. Taken for the benchmark, it would make all of a b.Loop set-up.
func TestOriginOfLoop(t *testing.T) {
	bm := model.Benchmark{Pkg: "m", Name: "BenchmarkA"}
	for name, root := range map[string]string{"plain": "/go/src/", "trimpath": ""} {
		below := func(top ...model.Frame) []model.Frame {
			return append(top,
				model.Frame{Func: "testing.(*B).runN", File: root + "testing/benchmark.go"},
				model.Frame{Func: "testing.(*B).run1.func1", File: root + "testing/benchmark.go"})
		}
		reset := below(model.Frame{Func: "runtime.x", File: root + "runtime/x.go"}, model.Frame{Func: "testing.(*B).Reset", File: root + "testing/benchmark.go"})
		if got := originOf(reset, bm); got != other {
			t.Errorf("%s: what runN calls has origin %d, want %d", name, got, other)
		}
		loop := below(model.Frame{Func: "m.F", File: "m.go", Module: true}, model.Frame{Func: "m.BenchmarkA", File: "m_test.go"})
		if got := originOf(loop, bm); got != first {
			t.Errorf("%s: the benchmark has origin %d, want %d", name, got, first)
		}
	}
}
