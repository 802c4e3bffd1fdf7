package measure

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/pawl-dev/pawl/internal/bench"
	"github.com/pawl-dev/pawl/internal/gocmd"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/record"
	"github.com/pawl-dev/pawl/internal/stand"
	"github.com/pawl-dev/pawl/internal/store"
	"github.com/pawl-dev/pawl/internal/trial"
	"github.com/pawl-dev/pawl/judge"
)

// soloRuns is how many runs a wall time is the median of.
const soloRuns = 5

// noisyBudget is what a warm-up takes for granted when it says what it sees;
// nobody reads that here.
const noisyBudget = 30 * time.Second

// A Watcher is told what is going on; see stand.Watcher.
type Watcher = stand.Watcher

// Settings are what Take and Check have in common.
type Settings struct {
	Verb     string // for the name of the run
	Tool     string // pawl's version
	Args     []string
	Dir      string // a folder of the module
	Timeout  time.Duration
	Seed     uint64
	Env      []string
	CacheDir string               // os.UserCacheDir
	Sandbox  *gocmd.SandboxConfig // for benchmarks and guardrails; nil for none
	Now      func() time.Time
	Watch    Watcher // may be nil
}

// A session is a copy of the module with what has been built and measured.
type session struct {
	set   Settings
	run   *model.Run
	stand *stand.Stand
	tree  *stand.Checkout
	local *trial.Local
	trial *trial.Trial
	bins  map[string]*bench.Binary // by import path
	stock map[string]*bench.Binary
}

// open copies the user's tree.
func open(ctx context.Context, set Settings) (*session, error) {
	s := &session{set: set, bins: make(map[string]*bench.Binary), stock: make(map[string]*bench.Binary)}
	started := set.Now()
	s.run = &model.Run{Schema: model.SchemaVersion, Tool: set.Tool, Verb: set.Verb, Args: set.Args, Started: started}
	var err error
	s.stand, err = stand.Open(ctx, stand.Options{
		Verb: set.Verb, Dir: set.Dir, Env: set.Env, CacheDir: set.CacheDir, Start: started, Sandbox: set.Sandbox,
		Stage: func(name string) { s.stage(name, "") },
		Warn:  func(w model.Warning) { s.run.Warnings = append(s.run.Warnings, w) },
	})
	if err != nil {
		return nil, err
	}
	if s.tree, err = s.stand.Commit(ctx, ""); err != nil {
		s.close()
		return nil, err
	}
	p := s.stand.Place
	s.run.ID, s.run.Dir, s.run.Head, s.run.Dirty, s.run.Env = s.stand.Run.ID, s.stand.Run.Dir, p.Head, p.Dirty, s.tree.Env
	s.run.Module = record.ModulePath(s.tree.Snap.ModuleDir)
	s.run.Warnings = slices.Concat(s.stand.Warnings, s.tree.Warnings)
	s.local = trial.NewLocal(s.tree.Suite)
	s.trial = trial.New(s.local, set.Seed)
	return s, s.stand.Run.Save(*s.run)
}

// close says that the run has ended and removes what it keeps outside the
// state folder.
func (s *session) close() {
	if s.local != nil {
		s.local.Close()
	}
	s.stand.Close()
}

// end saves the run. It is to be called before close, also when ctx is done.
func (s *session) end(stopped string) error {
	s.run.Stopped = stopped
	s.run.Split = s.stand.Meter.Split(s.set.Now())
	return s.stand.Run.Save(*s.run)
}

func (s *session) stage(name, detail string) {
	if s.set.Watch != nil {
		s.set.Watch.Stage(name, detail)
	}
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
	s.stage("building", p.ImportPath)
	b, err := s.tree.Suite.Build(ctx, p, name, gocmd.BuildOpts{Overlay: !stock})
	var ge *gocmd.Error
	if errors.As(err, &ge) {
		return nil, &stand.BrokenTree{Name: "the tree", What: "does not build", Detail: ge.Output, Next: s.tree.LeftHint("mend it and try again")}
	}
	if err != nil {
		return nil, err
	}
	have[p.ImportPath] = b
	return b, nil
}

// list finds the benchmarks of one package that a pattern selects.
func (s *session) list(ctx context.Context, p gocmd.Package, pattern string) ([]model.Benchmark, []bench.Failure, error) {
	b, err := s.binary(ctx, p, false)
	if err != nil {
		return nil, nil, err
	}
	s.stage("finding benchmarks", p.ImportPath)
	return s.tree.Suite.Benchmarks(ctx, b, pattern, s.set.Timeout)
}

// A taken is what was measured of one benchmark.
type taken struct {
	bm      model.Benchmark
	figures record.Figures
	counts  map[string]record.Range
	pairs   [][2]model.Sample
}

// counts measures CPU time, allocs/op and B/op.
func (s *session) counts(ctx context.Context, b *bench.Binary, bm model.Benchmark) (taken, model.Plan, error) {
	s.stage("measuring", bm.String())
	t := taken{bm: bm, counts: make(map[string]record.Range)}
	plan, err := s.tree.Suite.Calibrate(ctx, b, bm, 0)
	if err != nil {
		return t, plan, err
	}
	noise, pairs, err := s.trial.WarmUp(ctx, plan, b, judge.RegressRules(), noisyBudget)
	if err != nil {
		return t, plan, err
	}
	full, half := pairs[:len(pairs)-1], pairs[len(pairs)-1]
	var cpu []float64
	for _, p := range full {
		cpu = append(cpu, p[0].CPUNs, p[1].CPUNs)
	}
	t.pairs = full
	t.figures.Benchmark = bm.Name
	t.figures.Values = []record.Figure{{Metric: record.CPU, Value: trial.Median(cpu), Spread: noise.SD}}
	for _, e := range trial.Compare(full) {
		r := countRange(e, full, half)
		t.counts[e.Metric] = r
		t.figures.Values = append(t.figures.Values, record.Figure{Metric: e.Metric, Value: (r.Lo + r.Hi) / 2, Varies: e.Noisy})
	}
	return t, plan, nil
}

// countRange says between what a count lies. One that repeats has what a slice
// allocates once taken off; one that does not is what was seen.
func countRange(e model.Exact, full [][2]model.Sample, half [2]model.Sample) record.Range {
	if !e.Noisy {
		v := trial.Slope(e.Metric, full[0][0], half[0], e.Before)
		return record.Range{Lo: v, Hi: v, Tolerance: e.Tolerance}
	}
	r := record.Range{Tolerance: e.Tolerance}
	for i, p := range full {
		for j, sample := range p {
			v := sample.AllocsPerOp()
			if e.Metric == record.Bytes {
				v = sample.BytesPerOp()
			}
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
	t.counts[record.Retained] = record.Range{Lo: v, Hi: v, Tolerance: max(retainedTolerance, v/100)}
	t.figures.Values = append(t.figures.Values, record.Figure{Metric: record.Retained, Value: v})
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
	f := record.Figure{Metric: record.Wall, Value: trial.Median(walls)}
	if f.Value > 0 {
		f.Spread = (slices.Max(walls) - slices.Min(walls)) / 2 / f.Value
	}
	t.figures.Values = slices.Insert(t.figures.Values, 1, f)
	return nil
}

// save keeps the samples in the run's folder.
func (s *session) save(t taken) error {
	for arm, name := range []model.Arm{model.Base, model.Candidate} {
		out, err := s.stand.Run.Samples(store.SetName(t.bm)+".record", name, s.run.Env)
		if err != nil {
			return err
		}
		for _, p := range t.pairs {
			sample := p[arm]
			sample.Arm = name
			err = errors.Join(err, out.Write(sample))
		}
		if err := errors.Join(err, out.Close()); err != nil {
			return err
		}
	}
	return nil
}
