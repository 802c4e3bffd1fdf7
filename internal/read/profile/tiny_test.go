package profile

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pawl-dev/pawl/internal/model"
)

// cost is the cost of one line, with its bytes, below further functions.
func cost(line int, perOp, bytes float64, below ...string) model.Cost {
	stack := []model.Frame{{Func: "a.F", File: "a/a.go", Line: line, Module: true}}
	for _, f := range below {
		stack = append(stack, model.Frame{Func: f, File: "/go/x.go", Line: 1})
	}
	return model.Cost{Benchmark: bench, Resource: model.Allocs, Stack: stack, PerOp: perOp, Bytes: bytes}
}

func TestAddTiny(t *testing.T) {
	const pool = "sync.(*Pool).Get"
	for _, c := range []struct {
		name        string
		costs, race []model.Cost
		measured    float64
		want        []string
		missing     float64
		text        string
	}{
		{
			name:  "nothing is missing",
			costs: []model.Cost{cost(1, 2, 96)}, race: []model.Cost{cost(1, 2, 96), cost(2, 1, 16)},
			measured: 2.01, want: []string{"a/a.go:1 2 96 0"},
		}, {
			name:  "one site is missing, one shows in part",
			costs: []model.Cost{cost(1, 2, 96), cost(2, 0.97, 15.5)},
			race:  []model.Cost{cost(1, 2.3, 96), cost(2, 1, 16), cost(3, 1, 16)}, measured: 4,
			want: []string{"a/a.go:1 2 96 0.5", "a/a.go:2 1 15.5 0.25", "a/a.go:3 1 0 0.25"},
		}, {
			name:  "a pool that the race detector empties does not count",
			costs: []model.Cost{cost(1, 2, 96)},
			race:  []model.Cost{cost(1, 2, 96), cost(2, 1, 16), cost(4, 0.25, 4, pool)}, measured: 3,
			want: []string{"a/a.go:1 2 96 0.667", "a/a.go:2 1 0 0.333"},
		}, {
			name:  "the sum is not met",
			costs: []model.Cost{cost(1, 2, 96)},
			race:  []model.Cost{cost(1, 2, 96), cost(2, 1, 16)}, measured: 3.5,
			want: []string{"a/a.go:1 2 96 0"}, missing: 1.5, text: "likely at a/a.go:2",
		}, {
			name:  "two sites of one line",
			costs: []model.Cost{cost(1, 2, 96)},
			race:  []model.Cost{cost(1, 2, 96), cost(2, 1, 16, "b.G"), cost(2, 1, 16, "b.H")}, measured: 3.5,
			want: []string{"a/a.go:1 2 96 0"}, missing: 1.5, text: "shows only the first of each; likely at a/a.go:2",
		}, {
			name:  "larger objects are never taken",
			costs: []model.Cost{cost(1, 2, 96)},
			race:  []model.Cost{cost(1, 2, 96), cost(2, 1, 17)}, measured: 3,
			want: []string{"a/a.go:1 2 96 0"}, missing: 1, text: "Go packs objects under 16 B",
		}, {
			name:  "the profile has more than was measured",
			costs: []model.Cost{cost(1, 2, 96)}, measured: 1,
			want: []string{"a/a.go:1 2 96 0"}, missing: -1, text: "set-up",
		}, {
			name: "nothing at all", measured: 1,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, lost := AddTiny(c.costs, c.race, c.measured)
			if diff := cmp.Diff(c.want, summary(got)); diff != "" {
				t.Errorf("costs (-want +got):\n%s", diff)
			}
			switch {
			case c.text == "" && len(lost) > 0:
				t.Errorf("unexplained: %v; want none", lost)
			case c.text != "" && (len(lost) != 1 || num(lost[0].PerOp) != num(c.missing) || !strings.Contains(lost[0].Text, c.text) || strings.Count(lost[0].Text, "a/a.go:2") > 1):
				t.Errorf("unexplained: %v; want %v with %q", lost, c.missing, c.text)
			}
		})
	}
}
