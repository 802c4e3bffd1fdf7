package rank

import (
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/internal/model"
)

// Statements that cost for one cause are changed together: the first comes where all of them do.
func TestJoin(t *testing.T) {
	join := func(line int, share float64) model.Cost {
		return cost(model.CPU, 100*share, share, 0, std("strings.Builder.Grow"), std("strings.Join"), on("f", line))
	}
	for _, c := range []struct {
		what  string
		costs []model.Cost
		first int // line
		says  string
	}{
		{"one function called twice", []model.Cost{join(6, 0.2), join(7, 0.25), cost(model.CPU, 30, 0.3, 0, on("g", 18))}, 7,
			"; 2 statements of a.f have that cause, and cost 45 % together"},
		{"less than another", []model.Cost{join(6, 0.1), join(7, 0.15), cost(model.CPU, 30, 0.3, 0, on("g", 18))}, 18, ""},
		{"one line", []model.Cost{join(6, 0.2), cost(model.CPU, 30, 0.3, 0, on("g", 18))}, 18, ""},
		{"operators", []model.Cost{
			cost(model.CPU, 20, 0.2, 0, std("runtime.mapassign_faststr"), on("f", 5)),
			cost(model.CPU, 20, 0.2, 0, std("runtime.mapassign_faststr"), on("f", 7)),
			cost(model.CPU, 30, 0.3, 0, on("g", 18)),
		}, 18, ""},
	} {
		targets, _ := Targets(Input{Source: hotFile, CPU: map[model.Benchmark][]model.Cost{bm: c.costs}})
		if got := targets[0]; got.At.Line != c.first || got.Rank != 1 || c.says != "" && !strings.HasSuffix(got.Reason.Text, c.says) {
			t.Errorf("%s: first is line %d, rank %d: %s; want line %d, …%s", c.what, got.At.Line, got.Rank, got.Reason.Text, c.first, c.says)
		}
	}
}
