package state

import (
	"fmt"
	"testing"

	"github.com/pawl-dev/pawl/internal/measure/testbed"
	"github.com/pawl-dev/pawl/internal/model"
)

// What cannot be explained is told in the order of the benchmarks, each time.
func TestUnexplainedInOrder(t *testing.T) {
	v := (&Module{Checkout: &testbed.Checkout{}}).New("base")
	var plans []model.Plan
	for i := range 8 {
		bm := model.Benchmark{Pkg: "p", Name: fmt.Sprintf("Benchmark%d", i)}
		plans = append(plans, model.Plan{Benchmark: bm})
		v.costs[bm] = costs{unexplained: []model.Unexplained{{Benchmark: bm}}}
	}
	_, got := v.Targets(plans)
	for i, u := range got {
		if u.Benchmark != plans[i].Benchmark {
			t.Fatalf("%s is number %d", u.Benchmark, i)
		}
	}
	if len(got) != 8 {
		t.Errorf("%d of 8", len(got))
	}
}
