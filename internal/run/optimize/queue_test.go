package optimize

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/pawl-dev/pawl/internal/measure/bench"
	"github.com/pawl-dev/pawl/internal/model"
)

func listed(names ...string) (out []bench.Listed) {
	for _, n := range names {
		out = append(out, bench.Listed{Benchmark: model.Benchmark{Pkg: "m", Name: "Benchmark" + n}})
	}
	return out
}

// drain takes all benchmarks out of a queue, by their turn. modes are of those that are known
// to be no duets once they are calibrated.
func drain(q *queue, modes map[string]model.Mode) (names []string) {
	for i := q.next(); i >= 0; i = q.next() {
		w := q.waiting[i]
		if w.plan == nil {
			p := model.Plan{Benchmark: w.bm, Mode: model.Duet}
			if m, ok := modes[w.String()]; ok {
				p.Mode = m
			}
			q.waiting[i].plan = &p
			continue
		}
		names = append(names, q.take(i).String())
	}
	return names
}

// A run that begins with a few benchmarks sees one of each function before a second of any,
// that which costs most first, those that are slow after all others, and what waits or runs in
// parallel at the end.
func TestQueue(t *testing.T) {
	list := listed("Par", "Wait", "A/1", "A/2", "A/3", "Slow/1", "B", "C/1", "C/2", "C/3")
	list[0].Parallel, list[2].First, list[4].First, list[5].First = true, 2*time.Millisecond, time.Millisecond, time.Second
	list[7].First, list[8].First, list[9].First = time.Microsecond, 1100*time.Nanosecond, time.Second // the first two cost about the same
	for lasts, want := range map[bool][]string{
		true:  {"A/3", "B", "C/1", "A/2", "C/2", "A/1", "Slow/1", "C/3", "Par", "Wait"},
		false: {"Par", "Wait", "A/1", "A/2", "A/3", "Slow/1", "B", "C/1", "C/2", "C/3"},
	} {
		q := &queue{lasts: lasts}
		q.add(list[:4])
		q.add(list[4:])
		if diff := cmp.Diff(want, drain(q, map[string]model.Mode{"Wait": model.Alternate})); diff != "" {
			t.Errorf("lasts %t: %s", lasts, diff)
		}
		if q.found != len(list) || q.next() >= 0 {
			t.Errorf("lasts %t: found %d, and %v are left", lasts, q.found, q.names())
		}
	}
}

// What was put back comes first, and packages that nobody has listed are no benchmarks.
func TestQueueBack(t *testing.T) {
	q := &queue{lasts: true}
	q.add(listed("A", "B", "C"))
	q.waiting = append(q.waiting, waiting{bm: model.Benchmark{Pkg: "other"}})
	b := q.take(1)
	q.back([]model.Plan{{Benchmark: b.bm, Mode: model.Duet}})
	if diff := cmp.Diff([]string{"B", "A", "C", "all of other"}, q.names()); diff != "" {
		t.Error(diff)
	}
	q.take(0)
	if got, want := q.measured(), "1 of at least 3 benchmarks are measured and profiled"; got != want {
		t.Errorf("%q; want %q", got, want)
	}
}

// The plan that is reported has what was found later, under names of its own, and says where lines are others by then.
func TestPlanAlso(t *testing.T) {
	a, b := model.Benchmark{Name: "BenchmarkA"}, model.Benchmark{Name: "BenchmarkB"}
	target := func(id string, bm model.Benchmark) model.Target {
		return model.Target{ID: id, Benchmark: bm, At: model.Pos{File: bm.Name + ".go"}}
	}
	after := func(t model.Target) model.Target { t.After = 1; return t }
	run := &model.Run{Targets: []model.Target{target("T1", a)}, Prospects: []model.Prospect{{Target: target("T1", a)}}}
	var p plan
	p.of(run)
	run.Attempts = []model.Attempt{
		{Outcome: model.Kept, Change: model.Change{Edits: []model.Edit{{File: "BenchmarkB.go"}, {File: "BenchmarkB.go"}}}},
		{Outcome: model.RolledBack, Change: model.Change{Edits: []model.Edit{{File: "BenchmarkB.go"}}}},
		{Outcome: model.Kept, Change: model.Change{Edits: []model.Edit{{File: "BenchmarkA.go"}}}},
	}
	run.Targets = []model.Target{target("T1", b), target("T2", a), target("T3", b)}
	run.Prospects = []model.Prospect{{Target: target("T3", b), Title: "idea"}, {Target: target("T2", a)}, {Target: target("T1", b)}}
	p.also(run, []model.Plan{{Benchmark: b}})
	p.restore(run)
	if diff := cmp.Diff([]model.Target{target("T1", a), after(target("T2", b)), after(target("T3", b))}, run.Targets); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]model.Prospect{{Target: target("T1", a)}, {Target: after(target("T3", b)), Title: "idea"}, {Target: after(target("T2", b))}}, run.Prospects); diff != "" {
		t.Error(diff)
	}
}
