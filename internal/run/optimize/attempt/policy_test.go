package attempt

import (
	"slices"
	"testing"

	"github.com/pawl-dev/pawl/internal/model"
)

// What costs little comes before what costs much. Where nothing is known
// of a change, reading comes before running, and behaviour before speed.
func TestOrderOfChecks(t *testing.T) {
	for name, tt := range map[string]struct {
		policy Policy
		order  []string
	}{
		"own": {Own(model.Change{}), []string{
			"what it may not touch", "types", "the compiler's notes", "build", "vet", "allocations that it aimed at", "duets", "allocations of other benchmarks", "inspection", "tests", "tests with the race detector", "behaviour", "other benchmarks",
		}},
		"own that saves allocations": {Own(model.Change{Targets: []model.Target{{Resource: model.Allocs}}}), []string{
			"what it may not touch", "types", "build", "vet", "allocations that it aimed at", "the compiler's notes", "duets",
		}},
		"stranger": {Stranger(Reached{}), []string{
			"inspection", "types", "build", "vet", "tests", "tests with the race detector", "behaviour", "duets of all benchmarks that run it", "peak of the heap",
		}},
	} {
		last := -1
		for _, want := range tt.order {
			all := slices.Concat(tt.policy.checks, tt.policy.inTree, tt.policy.beside, tt.policy.last)
			i := slices.IndexFunc(all, func(c check) bool { return c.name == want })
			if i <= last {
				t.Errorf("%s: %q is number %d, and the one before it %d", name, want, i, last)
			}
			last = i
		}
	}
}

// What is not known refutes nothing. That a stranger's change leaves the
// benchmarks as they are does not either.
func TestOutcomeOfRefusals(t *testing.T) {
	for _, tt := range []struct {
		why           reason
		own, stranger model.Outcome
	}{
		{failed, model.RolledBack, model.RolledBack},
		{byChance, model.Unsettled, model.Unsettled},
		{sameCode, model.RolledBack, model.Unsettled},
		{refuted, model.RolledBack, model.RolledBack},
		{undecided, model.Unsettled, model.Unsettled},
		{moreMemory, model.RolledBack, model.RolledBack},
		{uncompared, model.Unsettled, model.Unsettled},
		{worthless, model.RolledBack, model.RolledBack},
		{worthUnknown, model.Unsettled, model.Unsettled},
	} {
		r := refusal{why: tt.why}
		if own, stranger := Own(model.Change{}).outcome(r), Stranger(Reached{}).outcome(r); own != tt.own || stranger != tt.stranger {
			t.Errorf("reason %d: %s and %s; want %s and %s", tt.why, own, stranger, tt.own, tt.stranger)
		}
	}
}

// One benchmark judges a proposal, the target's where it runs the change, and all
// others that run it guard.
func TestProposed(t *testing.T) {
	plan := func(name string) model.Plan { return model.Plan{Benchmark: model.Benchmark{Name: name}} }
	r := Reached{Plans: []model.Plan{plan("A"), plan("B"), plan("C")}, Others: []model.Plan{plan("D")}}
	for target, want := range map[string]string{"B": "B", "C": "C", "gone": "A"} {
		p := Proposed(r, model.Benchmark{Name: target})
		if len(p.judges) != 1 || p.judges[0].Benchmark.Name != want || len(p.others) != 3 || p.EndsRun() {
			t.Errorf("for %s: judges %v, others %v, ends the run: %t", target, p.judges, p.others, p.EndsRun())
		}
		if len(p.checks) != len(Stranger(r).checks) {
			t.Errorf("a stranger's change has to pass %d checks, and a proposal %d", len(Stranger(r).checks), len(p.checks))
		}
	}
}
