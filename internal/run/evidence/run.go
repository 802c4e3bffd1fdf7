package evidence

import (
	"context"
	"errors"
	"fmt"
	"go/version"
	"path/filepath"
	"time"

	"github.com/pawl-dev/pawl/internal/host/gocmd"
	"github.com/pawl-dev/pawl/internal/measure/bench"
	"github.com/pawl-dev/pawl/internal/measure/testbed"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/words"
	"github.com/pawl-dev/pawl/rules/rule"
)

// Options are what a run needs to know.
type Options struct {
	Tool     string   // pawl's version
	Args     []string // the command line, for the record
	Dir      string   // the directory whose toolchain is meant
	Env      []string
	CacheDir string // os.UserCacheDir; where verdicts are kept
	Budget   time.Duration
	Alpha    float64 // error rate of all verdicts together
	Seed     uint64
	Watch    testbed.Watcher // may be nil
	Now      func() time.Time
}

// The time of one rule: its duets take its share of what is left of the budget,
// but no more than perRule, and no less than leastShare, in which nothing could
// be said. Fresh links, which few rules need, may take linkShare times as much.
const (
	perRule    = time.Minute
	leastShare = 5 * time.Second
	linkShare  = 2
)

// A session is one run.
type session struct {
	opt     Options
	rep     *model.Evidence
	start   time.Time
	dir     string // of scratch, without links
	scratch *gocmd.Scratch
	g       *gocmd.Go
	suite   *bench.Suite
}

// Run runs the evidence of rules and keeps the verdicts. Those without evidence
// are listed with the reason. What was found out by then comes also with an
// error, and when ctx ends.
func Run(ctx context.Context, rules []rule.Rule, opt Options) (*model.Evidence, error) {
	opt.Watch = testbed.Watched(opt.Watch)
	s := &session{opt: opt, start: opt.Now()}
	s.rep = &model.Evidence{Schema: model.EvidenceSchema, Tool: opt.Tool, Args: opt.Args, Started: s.start, Results: []model.EvidenceResult{}, Exempt: []model.EvidenceExemption{}}
	var run []rule.Rule
	for _, r := range rules {
		if why := Exempt(r); why != "" {
			s.rep.Exempt = append(s.rep.Exempt, model.EvidenceExemption{Rule: r.Name, IDs: r.IDs, Why: why, NoRule: r.Missing != ""})
		} else {
			run = append(run, r)
		}
	}
	if len(run) == 0 {
		return s.rep, nil
	}
	meter := gocmd.NewMeter(s.start)
	defer func() { s.rep.Split = meter.Split(opt.Now()) }()
	if err := s.open(ctx, meter); err != nil {
		return s.rep, errors.Join(err, s.close())
	}
	within, cancel := context.WithDeadline(ctx, s.start.Add(opt.Budget))
	defer cancel()
	err := s.all(within, run)
	return s.rep, errors.Join(err, s.close())
}

// open makes the module and finds the go command for it: that of the directory
// where pawl was called, so that the verdict is one on the toolchain in use
// there.
func (s *session) open(ctx context.Context, meter *gocmd.Meter) error {
	s.stage("asking the go command", "")
	here, err := gocmd.Query(ctx, s.opt.Dir, s.opt.Env, "GOVERSION")
	if err != nil {
		return err
	}
	if s.scratch, err = gocmd.NewScratch("", "evidence"); err != nil {
		return err
	}
	if s.dir, err = filepath.EvalSymlinks(s.scratch.Dir); err != nil {
		return fmt.Errorf("making a scratch directory: %w", err)
	}
	if err := s.empty(); err != nil {
		return err
	}
	config := gocmd.Config{Dir: s.module(), Env: environment(s.opt.Env), GOWORK: "off", State: filepath.Join(s.dir, "state"), Meter: meter}
	if s.g, err = gocmd.New(ctx, config); err != nil {
		return err
	}
	if s.g.Version != here && version.IsValid(here) {
		config.Env = append(config.Env, "GOTOOLCHAIN="+here)
		if s.g, err = gocmd.New(ctx, config); err != nil {
			return err
		}
	}
	if least := "go" + rule.EvidenceGo; version.IsValid(s.g.Version) && version.Compare(s.g.Version, least) < 0 {
		return fmt.Errorf("%s is selected here, and the evidence needs %s or newer; run pawl evidence in another directory, or set GOTOOLCHAIN=%s.0+auto", s.g.Version, least, least)
	}
	s.rep.Env = bench.Environment(ctx, s.g)
	s.stage("preparing the clock", "")
	if s.suite, err = bench.Prepare(ctx, s.g, filepath.Join(s.dir, "bench")); err != nil {
		return err
	}
	s.rep.Warnings = append(bench.SystemWarnings(s.rep.Env), s.suite.Warnings()...)
	return nil
}

// environment returns env for the module of the evidence: nothing is fetched,
// and build flags that are meant for other modules do not reach it. Without
// the directory in them, builds are the same in each run and come from the cache.
func environment(env []string) []string {
	return append(env[:len(env):len(env)], "GOFLAGS=-mod=mod -trimpath", "GOPROXY=off")
}

func (s *session) close() error {
	if s.scratch == nil {
		return nil
	}
	return s.scratch.Remove()
}

// all goes through the rules, within the budget. What is not reached is
// undecided, by name.
func (s *session) all(ctx context.Context, rules []rule.Rule) error {
	known, err := openKnown(s.opt.CacheDir)
	if err != nil {
		return err
	}
	rules = s.ofVersion(rules)
	for i, r := range rules {
		left := s.opt.Budget - s.opt.Now().Sub(s.start)
		if left <= 0 || ctx.Err() != nil {
			s.stopped(ctx, rules[i:])
			return nil
		}
		share := min(perRule, max(left/time.Duration(len(rules)-i), leastShare))
		s.stage(fmt.Sprintf("rule %d of %d", i+1, len(rules)), r.Name)
		res := s.one(ctx, r, s.opt.Alpha/float64(len(rules)), share)
		if ctx.Err() != nil {
			s.stopped(ctx, rules[i:])
			return nil
		}
		s.rep.Results = append(s.rep.Results, res)
		s.line(fmt.Sprintf("%s: %s: %s", r.Name, res.Verdict, words.FirstLine(res.Why)))
		if err := known.save(r, res); err != nil {
			return err
		}
	}
	return nil
}

// ofVersion leaves out, as exempt, the rules that hold for other Go versions
// only.
func (s *session) ofVersion(rules []rule.Rule) []rule.Rule {
	var out []rule.Rule
	for _, r := range rules {
		if why := ends(r, s.g.Version); why != "" {
			s.rep.Exempt = append(s.rep.Exempt, model.EvidenceExemption{Rule: r.Name, IDs: r.IDs, Why: why})
			continue
		}
		out = append(out, r)
	}
	return out
}

// ends says why a rule does not hold for a Go version; "" when it does.
func ends(r rule.Rule, goVersion string) string {
	v := version.Lang(goVersion)
	switch {
	case version.IsValid(r.Go) && version.IsValid(v) && version.Compare(v, r.Go) < 0:
		return "it holds from " + r.Go + ", and this is " + goVersion
	case version.IsValid(r.Until) && version.IsValid(v) && version.Compare(v, r.Until) > 0:
		return "it holds to " + r.Until + ", and this is " + goVersion
	}
	return ""
}

func (s *session) stopped(ctx context.Context, rest []rule.Rule) {
	why := fmt.Sprintf("not run: the budget of %s is spent; give -budget more, or name fewer rules", s.opt.Budget)
	s.rep.Stopped = "budget"
	if ctx.Err() != nil && !errors.Is(ctx.Err(), context.DeadlineExceeded) {
		why, s.rep.Stopped = "not run: interrupted", "interrupted"
	}
	for _, r := range rest {
		res := s.result(r)
		res.Verdict, res.Why = model.EvidenceUndecided, why
		s.rep.Results = append(s.rep.Results, res)
	}
}

func (s *session) result(r rule.Rule) model.EvidenceResult {
	return model.EvidenceResult{
		Rule: r.Name, Title: r.Title, IDs: r.IDs, Bench: r.Evidence.Bench, Metric: r.Evidence.Metric,
		Claimed: r.Evidence.Claimed, ClaimedRatio: r.Evidence.Ratio,
		GoVersion: s.rep.Env.GoVersion, CPU: s.rep.Env.CPU, Time: s.opt.Now(),
	}
}

func (s *session) stage(name, detail string) { s.opt.Watch.Stage(name, detail) }

func (s *session) detail(text string) { s.opt.Watch.Detail(text) }

func (s *session) line(text string) { s.opt.Watch.Line(text) }
