package compare

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/internal/host/gocmd"
	"github.com/pawl-dev/pawl/internal/measure/bench"
	"github.com/pawl-dev/pawl/internal/measure/testbed"
	"github.com/pawl-dev/pawl/internal/measure/trial"
	"github.com/pawl-dev/pawl/internal/measure/verdict"
	"github.com/pawl-dev/pawl/internal/model"
)

// A heard is a Watcher that keeps the lines that stay.
type heard struct{ lines []string }

func (h *heard) Stage(_, _ string) {}
func (h *heard) Detail(string)     {}
func (h *heard) Line(text string)  { h.lines = append(h.lines, text) }

func contestOf(name string, cpu [2]float64, n int64) *contest {
	bm := model.Benchmark{Pkg: "m", Name: "Benchmark" + name}
	q := &contest{match: match{bm: bm}, c: model.Compared{Benchmark: bm, Standing: model.Open}}
	q.rules = judging{session: newSession(Options{Verb: "gate", Alpha: 0.05, MinEffect: 0.03, Now: time.Now})}.rules(0.05)
	for i := range q.census.Pair {
		q.census.Pair[i] = model.Sample{N: n, CPUNs: cpu[i], WallNs: 2 * cpu[i]}
	}
	return q
}

// What pawl says before it measures is an estimate from what it has seen, and
// says what becomes of the rest.
func TestAnnounce(t *testing.T) {
	for _, tt := range []struct {
		budget time.Duration
		all    int
		want   string
	}{
		{time.Hour, 1, "1 benchmark: needs about "},
		{10 * time.Second, 9, " of -budget are left: begins with those that look slowest"},
	} {
		h := &heard{}
		r := newRounds(judging{session: newSession(Options{Verb: "gate", Budget: tt.budget, Watch: h, Now: time.Now})}, nil)
		for range tt.all {
			r.all = append(r.all, contestOf("X", [2]float64{1e6, 1e6}, 16))
		}
		r.announce()
		if len(h.lines) != 1 || !strings.Contains(h.lines[0], tt.want) || strings.Contains(h.lines[0], "-1") {
			t.Errorf("%q, want %q", h.lines, tt.want)
		}
		if r.all[0].unit != 2*usualUnit {
			t.Errorf("a machine that takes twice as long: %v a duet", r.all[0].unit)
		}
	}
}

// Of two sources nothing is called clean before fresh links were looked at, and that takes time.
func TestNeedOfLook(t *testing.T) {
	q := contestOf("X", [2]float64{1e6, 1e6}, 16)
	gate := q.need()
	q.rules = judging{session: newSession(Options{Verb: "compare", Alpha: 0.05, MinEffect: 0.03, Now: time.Now})}.rules(0.05)
	q.base, q.cand = &build{}, &build{}
	one := q.need()
	q.base.linker, q.cand.linker = &bench.Linker{}, &bench.Linker{}
	pool([]match{q.match})
	if sources := q.need(); gate >= sources || sources-one != linkShare*verdict.Looks*usualUnit {
		t.Errorf("a gate takes %v, two sources %v, and %v where nothing can be linked", gate, sources, one)
	}
}

// What looks slowest is measured first, and what is known to be worse last.
func TestOrder(t *testing.T) {
	slow, same, tiny, worse := contestOf("Slow", [2]float64{1e6, 2e6}, 16), contestOf("Same", [2]float64{1e6, 1e6}, 16), contestOf("Tiny", [2]float64{1, 9}, 16), contestOf("Worse", [2]float64{1e6, 3e6}, 16)
	worse.bad = []verdict.Regression{{Metric: "allocs/op"}}
	if !(slow.looks() > same.looks() && same.looks() == tiny.looks() && tiny.looks() > worse.looks()) {
		t.Errorf("%v, %v, %v, %v", slow.looks(), same.looks(), tiny.looks(), worse.looks())
	}
}

// A gate that has refused a change asks for no time of what allocates more, and does not say
// that its budget ended.
func TestAnswered(t *testing.T) {
	s := newSession(Options{Verb: "gate", Budget: time.Hour, Watch: &heard{}, Now: time.Now})
	s.cmp.Benchmarks = []model.Compared{{Benchmark: model.Benchmark{Name: "First"}, Standing: model.Regressed}}
	r := newRounds(judging{session: s}, nil) // which could measure nothing
	q := contestOf("Second", [2]float64{}, 1)
	q.c.Counts = []model.Exact{{Metric: "allocs/op", Before: 3, After: 4}}
	q.read(nil)
	r.all = append(r.all, q)
	if err := r.times(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := r.settle(t.Context(), q); err != nil {
		t.Fatal(err)
	}
	if got := s.cmp.Benchmarks[1]; got.Standing != model.Regressed || got.Why != "allocs/op 3 → 4" || s.cmp.Stopped != "" {
		t.Errorf("%s: %s; stopped %q", got.Standing, got.Why, s.cmp.Stopped)
	}
}

// Where the budget ends, each benchmark says what is known of it, and none is
// passed over.
func TestUnfinished(t *testing.T) {
	over, stop := context.WithDeadline(t.Context(), time.Unix(0, 0))
	defer stop()
	s := newSession(Options{Verb: "gate", Budget: time.Minute, Now: func() time.Time { return time.Now().Add(-time.Minute) }})
	r := newRounds(judging{session: s}, nil)
	counted, regressed, nothing := contestOf("Counted", [2]float64{}, 1), contestOf("Regressed", [2]float64{}, 1), contestOf("Nothing", [2]float64{}, 1)
	counted.c.Counts = []model.Exact{{Metric: "allocs/op", Before: 3, After: 3}}
	regressed.c.Counts = []model.Exact{{Metric: "allocs/op", Before: 3, After: 4}}
	for _, q := range []*contest{counted, regressed} {
		q.read(nil)
	}
	for _, q := range []*contest{counted, regressed, nothing} {
		if err := r.settle(over, q); err != nil {
			t.Fatal(err)
		}
	}
	r.excluded()
	got := s.cmp.Benchmarks
	if got[0].Standing != model.Open || !strings.HasPrefix(got[0].Why, "time was not compared: the budget of 1m0s") {
		t.Errorf("%s: %s", got[0].Standing, got[0].Why)
	}
	if got[1].Standing != model.Regressed || got[1].Why != "allocs/op 3 → 4" {
		t.Errorf("%s: %s", got[1].Standing, got[1].Why)
	}
	if got[2].Standing != model.Open || !strings.HasPrefix(got[2].Why, "not run: the budget of 1m0s") {
		t.Errorf("%s: %s", got[2].Standing, got[2].Why)
	}
	if s.cmp.Stopped != outOfTime || len(s.cmp.Warnings) != 1 || !strings.HasPrefix(s.cmp.Warnings[0].Seen, "2 benchmarks undecided") {
		t.Errorf("%s, %v", s.cmp.Stopped, s.cmp.Warnings)
	}
}

// How large a slowdown is excluded is said of what passes undecided.
func TestExcluded(t *testing.T) {
	s := &session{cmp: &model.Comparison{Benchmarks: []model.Compared{
		{Standing: model.Open, Verdict: &model.Verdict{Units: 12, Lo: -0.01, Hi: 0.042}},
		{Standing: model.Open, Verdict: &model.Verdict{Units: 2, Lo: -1, Hi: 1e6}},
		{Standing: model.Clean, Verdict: &model.Verdict{Units: 12, Hi: 0.5}},
	}}}
	(&rounds{judging: judging{session: s}}).excluded()
	if want := "2 benchmarks undecided: a slowdown of more than 4.2 % is excluded in 1 of them, and of the others nothing is known"; s.cmp.Warnings[0].Seen != want {
		t.Errorf("%q, want %q", s.cmp.Warnings[0].Seen, want)
	}
}

// A difference on one link of each side is no regression before fresh links.
func TestLinkedIsNotOver(t *testing.T) {
	q := contestOf("X", [2]float64{1e6, 1e6}, 16)
	q.found = &trial.Found{Answer: trial.Answer{Answer: verdict.Answer{Verdict: model.Verdict{Answer: model.Slower, Change: 0.05}}}}
	if !q.linked() {
		t.Error("5 % on one link were taken for the source's")
	}
	q.rules.OwnLayout = true
	if q.linked() {
		t.Error("of two binaries the layout is their own")
	}
}

// Of the CPU time of a benchmark that waits only a slowdown counts, and that before
// the wall time is known.
func TestCPUOfWaiting(t *testing.T) {
	q := contestOf("X", [2]float64{1e6, 1e6}, 16)
	q.timed = true
	for standing, want := range map[model.Standing]int{model.Open: 0, model.Clean: 0, model.Improved: 0, model.Regressed: 1} {
		q.c.Metrics = []model.Reported{{Unit: "cpu/op", Standing: standing}}
		if got := q.metricsToRead(); len(got) != want {
			t.Errorf("%s: read %v", standing, got)
		}
	}
	q.found = &trial.Found{Plan: model.Plan{Mode: model.Alternate}, Counted: [][2]model.Sample{{{N: 10, CPUNs: 1e6}}}}
	if !q.waits() {
		t.Error("10 ms of CPU time in a slice are enough to be compared")
	}
	if q.found.Counted[0][0].CPUNs = 1e4; q.waits() {
		t.Error("of 0.1 ms of CPU time in a slice, most is start-up")
	}
}

// A benchmark that was not looked at when the budget ended is undecided, by name.
func TestUnreached(t *testing.T) {
	b := &build{tests: map[string]string{"m_test.go": "func BenchmarkA(b *testing.B) {}\nfunc BenchmarkB(b *testing.B) {}\n"}}
	base := &version{found: &testbed.Find{Packages: map[string]gocmd.Package{"m": {}}}, builds: map[string]*build{"m": b}}
	s := &session{cmp: &model.Comparison{Benchmarks: []model.Compared{{Benchmark: model.Benchmark{Pkg: "m", Name: "BenchmarkA/sub"}, Standing: model.Unchanged}}}}
	(&trees{session: s}).unreached(base, "why")
	if got := s.cmp.Benchmarks; len(got) != 2 || got[1].Benchmark.Name != "BenchmarkB" || got[1].Standing != model.Open || got[1].Why != "why" {
		t.Errorf("%+v", got)
	}
}
