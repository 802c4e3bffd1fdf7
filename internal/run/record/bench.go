package record

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/pawl-dev/pawl/internal/host/gocmd"
	"github.com/pawl-dev/pawl/internal/keep/hotpath"
	"github.com/pawl-dev/pawl/internal/keep/store"
	"github.com/pawl-dev/pawl/internal/measure/bench"
	"github.com/pawl-dev/pawl/internal/measure/testbed"
	"github.com/pawl-dev/pawl/internal/measure/trial"
	"github.com/pawl-dev/pawl/internal/measure/verdict"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/judge"
)

// soloRuns is how many runs a wall time is the median of.
const soloRuns = 5

// noisyBudget is what a warm-up takes for granted when it says what it sees;
// nobody reads that here.
const noisyBudget = 30 * time.Second

// Settings are what Take and Check have in common.
type Settings struct {
	Verb     string // for the name of the run
	Tool     string // pawl's version
	Args     []string
	Dir      string // a directory of the module
	Timeout  time.Duration
	Seed     uint64
	Env      []string
	CacheDir string               // os.UserCacheDir
	Sandbox  *gocmd.SandboxConfig // for benchmarks and guardrails; nil for none
	Now      func() time.Time
	Watch    testbed.Watcher // may be nil
}

// A session is a copy of the module with what has been built and measured.
type session struct {
	set   Settings
	run   *model.Run
	bed   *testbed.Testbed
	tree  *testbed.Checkout
	local *trial.Local
	trial *trial.Trial
	bins  map[string]*bench.Binary // by import path
	stock map[string]*bench.Binary
}

// open copies the user's tree.
func open(ctx context.Context, set Settings) (*session, error) {
	set.Watch = testbed.Watched(set.Watch)
	s := &session{set: set, bins: make(map[string]*bench.Binary), stock: make(map[string]*bench.Binary)}
	started := set.Now()
	s.run = &model.Run{Schema: model.SchemaVersion, Tool: set.Tool, Verb: set.Verb, Args: set.Args, Started: started}
	var err error
	s.bed, err = testbed.Open(ctx, testbed.Options{
		Verb: set.Verb, Dir: set.Dir, Env: set.Env, CacheDir: set.CacheDir, Start: started, Sandbox: set.Sandbox,
		Stage: func(name string) { s.set.Watch.Stage(name, "") },
		Warn:  func(w model.Warning) { s.run.Warnings = append(s.run.Warnings, w) },
	})
	if err != nil {
		return nil, err
	}
	if s.tree, err = s.bed.Commit(ctx, ""); err != nil {
		s.close()
		return nil, err
	}
	p := s.bed.Place
	s.run.ID, s.run.Dir, s.run.Head, s.run.Dirty, s.run.Env = s.bed.Run.ID, s.bed.Run.Dir, p.Head, p.Dirty, s.tree.Env
	s.run.Module = hotpath.ModulePath(s.tree.Snap.ModuleDir)
	s.run.Warnings = slices.Concat(s.bed.Warnings, s.tree.Warnings)
	s.local = trial.NewLocal(s.tree.Suite)
	s.trial = trial.New(s.local, set.Seed)
	return s, s.bed.Run.Save(*s.run)
}

// close says that the run has ended and removes what it keeps outside the
// state directory.
func (s *session) close() {
	if s.local != nil {
		s.local.Close()
	}
	s.bed.Empty = len(s.run.Plans) == 0
	s.bed.Close()
}

// end saves the run. It is to be called before close, also when ctx is done.
func (s *session) end(stopped string) error {
	s.run.Stopped = stopped
	s.run.Split = s.bed.Meter.Split(s.set.Now())
	return s.bed.Run.Save(*s.run)
}

// binary builds the test binary of a package once, with the clock or, stock,
// without.
func (s *session) binary(ctx context.Context, p gocmd.Package, stock bool) (*bench.Binary, error) {
	have, name := s.bins, "record"
	if stock {
		have, name = s.stock, "recstk" // of the same length, so that paths are too
	}
	if b := have[p.ImportPath]; b != nil {
		return b, nil
	}
	s.set.Watch.Stage("building", p.ImportPath)
	b, err := s.tree.Suite.Build(ctx, p, name, gocmd.BuildOpts{Overlay: !stock})
	var ge *gocmd.Error
	if errors.As(err, &ge) {
		return nil, &testbed.BrokenTree{Name: "the tree", What: "does not build", Detail: ge.Output, Next: s.tree.LeftHint("fix it and try again")}
	}
	if err != nil {
		return nil, err
	}
	have[p.ImportPath] = b
	return b, nil
}

func (s *session) list(ctx context.Context, p gocmd.Package, pattern string) ([]model.Benchmark, []bench.Failure, error) {
	b, err := s.binary(ctx, p, false)
	if err != nil {
		return nil, nil, err
	}
	s.set.Watch.Stage("finding benchmarks", p.ImportPath)
	return s.tree.Suite.Benchmarks(ctx, b, pattern, s.set.Timeout)
}

// A taken is what was measured of one benchmark.
type taken struct {
	bm      model.Benchmark
	figures hotpath.Figures
	counts  map[string]hotpath.Range
	pairs   [][2]model.Sample
}

// counts measures CPU time, allocs/op and B/op.
func (s *session) counts(ctx context.Context, b *bench.Binary, bm model.Benchmark) (taken, model.Plan, error) {
	s.set.Watch.Stage("measuring", bm.String())
	t := taken{bm: bm, counts: make(map[string]hotpath.Range)}
	ready, err := s.trial.Prepare(ctx, trial.Preparation{
		Suite: s.tree.Suite, Base: b, Benchmark: bm, Rules: judge.RegressRules(), Budget: noisyBudget,
	}, func(string) {})
	if err != nil {
		return t, ready.Plan, err
	}
	t.pairs = ready.Units
	var cpu []float64
	for _, p := range t.pairs {
		cpu = append(cpu, p[0].CPUNs, p[1].CPUNs)
	}
	t.figures.Benchmark = bm.Name
	t.figures.Values = []hotpath.Figure{{Metric: hotpath.CPU, Value: verdict.Median(cpu), Spread: ready.Noise.SD}}
	for _, e := range verdict.Counts(t.pairs, 1) {
		r := countRange(e, t.pairs, ready.Half)
		t.counts[e.Metric] = r
		t.figures.Values = append(t.figures.Values, hotpath.Figure{Metric: e.Metric, Value: (r.Lo + r.Hi) / 2, Varies: e.Noisy})
	}
	// Those that vary have no figure: a core that two processes share is no place to
	// take one from a clock.
	for _, r := range verdict.Directions(nil).ReportedIn(t.pairs) {
		if m, _ := r.Exactly(t.pairs, 1); m.Exact && m.Before == m.After {
			t.counts[r.Unit] = hotpath.Range{Lo: m.After, Hi: m.After}
			t.figures.Values = append(t.figures.Values, hotpath.Figure{Metric: r.Unit, Value: m.After})
		}
	}
	return t, ready.Plan, nil
}

// countRange says between what a count lies. One that repeats has what a slice
// allocates once taken off; one that does not is what was seen.
func countRange(e model.Exact, full [][2]model.Sample, half [2]model.Sample) hotpath.Range {
	if !e.Noisy {
		v := verdict.Slope(e.Metric, full[0][0], half[0], e.Before)
		return hotpath.Range{Lo: v, Hi: v, Tolerance: e.Tolerance}
	}
	r := hotpath.Range{Tolerance: e.Tolerance}
	for i, p := range full {
		for j, sample := range p {
			v := verdict.PerOp(e.Metric)(sample)
			if i+j == 0 {
				r.Lo, r.Hi = v, v
			}
			r.Lo, r.Hi = min(r.Lo, v), max(r.Hi, v)
		}
	}
	return r
}

// retainedTolerance is how exact the figure of what is retained is; see
// bench.Heap.
const retainedTolerance = 1024

// retained measures what the loop keeps between its iterations. Where that
// cannot be found out there is no figure.
func (s *session) retained(ctx context.Context, b *bench.Binary, plan model.Plan, t *taken) error {
	v, err := s.tree.Suite.Retained(ctx, b, plan)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, bench.ErrNoHooks), errors.Is(err, bench.ErrFewMarks):
		return nil
	case err != nil:
		return err
	}
	t.counts[hotpath.Retained] = hotpath.Range{Lo: v, Hi: v, Tolerance: max(retainedTolerance, v/100)}
	t.figures.Values = append(t.figures.Values, hotpath.Figure{Metric: hotpath.Retained, Value: v})
	return nil
}

// wall measures wall time as go test does: with the testing package as
// installed, and under the user's own settings.
func (s *session) wall(ctx context.Context, p gocmd.Package, plan model.Plan, t *taken) error {
	b, err := s.binary(ctx, p, true)
	if err != nil {
		return err
	}
	var walls []float64
	for range soloRuns {
		w, _, err := s.tree.Suite.Solo(ctx, b, t.bm, plan.N, 0)
		if err != nil {
			return fmt.Errorf("running %s with the stock testing package: %w", t.bm.Name, err)
		}
		walls = append(walls, w)
	}
	f := hotpath.Figure{Metric: hotpath.Wall, Value: verdict.Median(walls)}
	if f.Value > 0 {
		f.Spread = (slices.Max(walls) - slices.Min(walls)) / 2 / f.Value
	}
	t.figures.Values = slices.Insert(t.figures.Values, 1, f)
	return nil
}

func (s *session) save(t taken) error {
	return s.bed.Run.SavePairs(store.SetName(t.bm)+".record", t.pairs, s.run.Env)
}
