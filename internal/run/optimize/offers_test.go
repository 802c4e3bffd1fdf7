package optimize

import (
	"slices"
	"testing"

	"github.com/pawl-dev/pawl/internal/model"
)

// What else there is to do on a statement is tried before the next statement,
// though its target comes later in the list.
func TestByRank(t *testing.T) {
	a, b := model.Benchmark{Name: "BenchmarkA"}, model.Benchmark{Name: "BenchmarkB"}
	targets := []model.Target{
		{ID: "T1", Benchmark: a, Rank: 1}, {ID: "T2", Benchmark: b, Rank: 1}, {ID: "T3", Benchmark: a, Rank: 2},
		{ID: "T4", Benchmark: b, Rank: 1}, {ID: "T5", Benchmark: a, Rank: 1},
	}
	var changes []model.Change
	for _, x := range targets[1:] {
		changes = append(changes, model.Change{ID: "for " + x.ID, Targets: []model.Target{x}})
	}
	byRank(changes, targets)
	var got []string
	for _, c := range changes {
		got = append(got, c.ID)
	}
	if want := []string{"for T5", "for T2", "for T4", "for T3"}; !slices.Equal(got, want) {
		t.Errorf("%v; want %v", got, want)
	}
}
