package experiment

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/internal/host/cgroup"
	"github.com/pawl-dev/pawl/internal/host/gocmd"
	"github.com/pawl-dev/pawl/internal/measure/bench"
	"github.com/pawl-dev/pawl/internal/measure/frontier"
	"github.com/pawl-dev/pawl/internal/measure/testbed"
	"github.com/pawl-dev/pawl/internal/measure/trial"
	"github.com/pawl-dev/pawl/internal/measure/verdict"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/judge"
)

// Options are what the user may choose.
type Options struct {
	Tool      string        // pawl's version
	Args      []string      // the command line, for the record
	Dir       string        // a directory of the module
	Patterns  []string      // packages
	Bench     string        // as go test -bench
	Try       []string      // of settingNames
	Base      string        // a git ref whose start is compared with that of now; none without it
	Profiles  []string      // for -pgo, absolute
	Named     []string      // the same as the user calls them
	Memory    float64       // most that a recommendation takes, in present peaks
	Limits    cgroup.Limits // of the program under load
	Budget    time.Duration
	Alpha     float64 // error rate of all claims together
	MinEffect float64
	Timeout   time.Duration // for listing the benchmarks of a package
	Seed      uint64
	Env       []string
	CacheDir  string
	Sandbox   *gocmd.SandboxConfig
	Watch     testbed.Watcher // may be nil
	Now       func() time.Time
}

// A session is one run.
type session struct {
	opt           Options
	out           *model.Tuning
	bed           *testbed.Testbed
	tree          *testbed.Checkout
	local         *trial.Local
	trial         *trial.Trial
	before, after func(context.Context) error // are called before the first question and after the last; may be nil
	pgo           string                      // the profiles of Options, added up; empty without any
	now           setting                     // of builds as they are, where go test does not take it by itself
	quota         *quota                      // nil without one
	asked         int                         // questions so far
	of            int                         // all of them
}

// newSession returns a session that has done nothing yet.
func newSession(opt Options) *session {
	opt.Watch = testbed.Watched(opt.Watch)
	return &session{opt: opt, out: &model.Tuning{
		Schema: model.SchemaVersion, Tool: opt.Tool, Args: opt.Args, Started: opt.Now(), Alpha: opt.Alpha, MinEffect: opt.MinEffect,
		Memory: opt.Memory, Subjects: []model.TuningSubject{},
	}}
}

// Run tries settings on benchmarks. What was found by then comes with any error.
func Run(ctx context.Context, opt Options) (*model.Tuning, error) {
	return newSession(opt).run(ctx)
}

func (s *session) run(ctx context.Context) (*model.Tuning, error) {
	limited, cancel := context.WithDeadline(ctx, s.out.Started.Add(s.opt.Budget))
	defer cancel()
	err := s.benchmarks(limited)
	switch {
	case err == nil:
	case ctx.Err() != nil && len(s.out.Subjects) > 0:
		s.out.Stopped, err = "interrupted", nil
	case ctx.Err() == nil && limited.Err() != nil:
		s.out.Stopped, err = "budget", nil
	}
	return s.out, err
}

func (s *session) open(ctx context.Context) error {
	var err error
	s.bed, err = testbed.Open(ctx, testbed.Options{
		Verb: "tune", Dir: s.opt.Dir, Env: s.opt.Env, CacheDir: s.opt.CacheDir, Start: s.out.Started, Sandbox: s.opt.Sandbox,
		Stage: func(name string) { s.opt.Watch.Stage(name, "") },
		Warn:  func(w model.Warning) { s.out.Warnings = append(s.out.Warnings, w) },
	})
	if err != nil {
		return err
	}
	s.bed.Empty = true // what is found is printed, and nothing else is kept
	if s.tree, err = s.bed.Commit(ctx, ""); err != nil {
		s.close()
		return err
	}
	s.out.Env = s.tree.Env
	s.out.Warnings = slices.Concat(s.bed.Warnings, s.tree.Warnings)
	s.local = trial.NewLocal(s.tree.Suite)
	s.trial = trial.New(s.local, s.opt.Seed)
	if err := s.mergeAll(ctx); err != nil {
		s.close()
		return err
	}
	return nil
}

func (s *session) close() {
	if s.local != nil {
		s.local.Close()
	}
	s.out.Split = s.bed.Meter.Split(s.opt.Now())
	s.bed.Close()
}

// benchmarks opens the session and goes through the packages.
func (s *session) benchmarks(ctx context.Context) error {
	if err := s.open(ctx); err != nil {
		return err
	}
	defer s.close()
	if s.before != nil {
		if err := s.before(ctx); err != nil {
			return err
		}
	}
	return s.measure(ctx)
}

func (s *session) measure(ctx context.Context) error {
	s.out.Warnings = append(s.out.Warnings, bench.SystemWarnings(s.out.Env)...)
	found, err := s.tree.Benchmarked(ctx, s.opt.Patterns, s.opt.Bench)
	if err != nil {
		return err
	}
	if len(found.Packages) == 0 {
		return testbed.NoBenchmark(found, s.opt.Patterns, s.opt.Bench)
	}
	s.out.Module = found.Module
	var all []*built
	defer func() {
		for _, b := range all {
			b.close()
		}
	}()
	for _, path := range found.Names() {
		b, err := s.build(ctx, found.Packages[path])
		if err != nil {
			return err
		}
		all = append(all, b)
		s.of += len(b.benchmarks) * (len(b.variants) + s.tried())
	}
	if s.of == 0 {
		return s.nothing(found.Names())
	}
	for _, b := range all {
		for _, bm := range b.benchmarks {
			if err := s.subject(ctx, b, bm); err != nil {
				return err
			}
		}
	}
	if s.after != nil {
		return s.after(ctx)
	}
	return nil
}

func (s *session) tried() int {
	p := s.present("")
	p.peak = 1
	all, _ := p.runtime(s.opt.Try)
	return len(all)
}

func (s *session) nothing(pkgs []string) error {
	for _, w := range s.out.Warnings {
		if strings.HasPrefix(w.Seen, notTried) {
			return fmt.Errorf("%w: %s", testbed.ErrNothing, w.Seen)
		}
	}
	return testbed.NoResult(pkgs, s.opt.Bench)
}

// notTried begins the warnings about settings that are left out.
const notTried = "not tried: "

func (s *session) present(goamd64 string) present {
	return present{
		goamd64: goamd64, runs: level(cpuFlags()), gogc: s.out.Env.Settings["GOGC"], profile: s.pgo,
		cpus: runtime.NumCPU(), limits: s.limits(),
	}
}

// subject tries all settings on one benchmark. What fails is said, and the next
// one has its turn.
func (s *session) subject(ctx context.Context, b *built, bm model.Benchmark) error {
	sub := model.TuningSubject{Benchmark: &bm, Choice: -1, Trials: []model.Tried{}}
	s.opt.Watch.Stage(bm.String(), "")
	err := s.try(ctx, b, &sub)
	var f *bench.Failure
	if errors.As(err, &f) && ctx.Err() == nil {
		sub.Failed, err = f.Error(), nil
	}
	if err == nil || len(sub.Trials) > 0 {
		advise(&sub, s.opt.Memory)
		s.out.Subjects = append(s.out.Subjects, sub)
	}
	return err
}

// try calibrates a benchmark and puts the questions.
func (s *session) try(ctx context.Context, b *built, sub *model.TuningSubject) error {
	ready, err := s.trial.Prepare(ctx, trial.Preparation{Suite: b.suite, Base: b.base.bin, Benchmark: *sub.Benchmark}, s.opt.Watch.Detail)
	if err != nil {
		return err
	}
	sub.Warnings = append(sub.Warnings, ready.Plan.Warnings...)
	if sub.PeakRSS, err = b.suite.Resident(ctx, b.base.bin, ready.Plan); err != nil {
		return err
	}
	if s.pgo != "" {
		if err := s.alike(ctx, b, ready.Plan, sub); err != nil {
			return err
		}
	}
	variants := slices.Clone(b.variants)
	p := s.present("")
	p.peak = sub.PeakRSS
	sets, not := p.runtime(s.opt.Try)
	s.leave(not)
	for i, set := range sets {
		c, err := b.suite.Copy(b.base.bin, fmt.Sprintf("env%d", i))
		if err != nil {
			return err
		}
		defer os.Remove(c.Path)
		c.Env = set.env
		variants = append(variants, variant{set: set, bin: c})
	}
	for _, v := range variants {
		if err := s.ask(ctx, b, v, ready.Plan, sub); err != nil {
			return err
		}
	}
	return nil
}

// leastShare is the least time of a question, in which little can be said, and
// most the longest.
const (
	leastShare = 3 * time.Second
	mostShare  = time.Minute
	linkShare  = 2 // fresh links may take as many times as much
)

func (s *session) share() time.Duration {
	left := s.opt.Budget - s.opt.Now().Sub(s.out.Started)
	return min(mostShare, max(leastShare, left/time.Duration(max(1, s.of-s.asked))/(1+linkShare)))
}

func (s *session) rules(v variant) verdict.Rules {
	r := verdict.Rules{Judge: judge.RegressRules(), Level: 1 - s.opt.Alpha, OwnLayout: !v.set.built()}
	r.Judge.Alpha, r.Judge.MinEffect = s.opt.Alpha/float64(max(1, s.of)), s.opt.MinEffect
	return r
}

// ask puts one question to the judge.
func (s *session) ask(ctx context.Context, b *built, v variant, plan model.Plan, sub *model.TuningSubject) error {
	s.opt.Watch.Stage(sub.Benchmark.String(), v.set.String())
	if v.set.kind == gomaxprocs {
		plan.Mode, plan.Clock = model.Alternate, model.ClockWall
	}
	share, rules := s.share(), s.rules(v)
	s.asked++
	q := trial.Question{Plan: plan, Base: b.base.bin, Cand: v.bin, Rules: rules, Budget: share}
	if v.linker != nil {
		q.Links, q.LinkBudget = trial.NewLinkPair(b.base.linker, v.linker), linkShare*share
	}
	f, err := s.trial.Compare(ctx, trial.Comparison{Question: q}, func(p trial.Progress) { s.opt.Watch.Detail(p.Text()) })
	if err != nil {
		return err
	}
	t := model.Tried{Setting: v.set.String(), Kind: v.set.kind, Verdict: &f.Verdict, Price: v.set.price, Build: v.build, GCShare: gcShares(f.Samples)}
	if v.size > 0 {
		t.Size = [2]float64{b.base.size, v.size}
	}
	if f.Verdict.Answer == model.Faster {
		if t.Guards, err = s.trial.Guards(ctx, s.local, f.Plan, b.base.bin, v.bin, rules.Judge.Alpha/2, f.Samples); err != nil {
			return err
		}
	}
	if t.PeakRSS, err = b.suite.Resident(ctx, v.bin, f.Plan); err != nil {
		return err
	}
	r := rules.Read(verdict.Evidence{Times: []verdict.Answer{f.Answer.Answer}, Guards: t.Guards})
	t.Standing, t.Why = r.Standing, r.Why
	for _, u := range s.trial.Unsteady() {
		t.Warnings = append(t.Warnings, u.Warning())
	}
	sub.Trials = append(sub.Trials, t)
	return nil
}

func gcShares(pairs [][2]model.Sample) (share [2]float64) {
	for i := range share {
		var gc, all float64
		for _, p := range pairs {
			gc, all = gc+p[i].GCCPUNs, all+p[i].CPUNs
		}
		if all > 0 {
			share[i] = gc / all
		}
	}
	return share
}

// advise marks the frontier and says what to set.
func advise(sub *model.TuningSubject, most float64) {
	points := make([]frontier.Point, len(sub.Trials))
	for i, t := range sub.Trials {
		points[i] = point(t, sub.PeakRSS)
	}
	for i, on := range frontier.On(points) {
		sub.Trials[i].Frontier = on
	}
	sub.Choice = frontier.Best(points, most)
	sub.Advice = reason(*sub, points, most)
}

// point is what a setting does to time and memory.
func point(t model.Tried, peak float64) frontier.Point {
	p := frontier.Point{Proven: t.Standing == model.Improved}
	if t.Verdict != nil {
		p.Change, p.Hi = t.Verdict.Change, t.Verdict.Hi
	}
	if peak > 0 {
		p.Memory = t.PeakRSS / peak
	}
	return p
}
