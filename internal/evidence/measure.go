package evidence

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/internal/bench"
	"github.com/pawl-dev/pawl/internal/gocmd"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/trial"
	"github.com/pawl-dev/pawl/judge"
	"github.com/pawl-dev/pawl/rules/rule"
)

// measured is the package that both sides are built as: the compiler's cache
// key and the binary hold the folder, and only the code is to differ.
const measured = "measured"

// A side is one of the two builds.
type side struct {
	bin    *bench.Binary
	linker *bench.Linker
}

// one runs the evidence of one rule. That it fails is a verdict.
func (s *session) one(ctx context.Context, r rule.Rule, alpha float64, budget time.Duration) Result {
	start := s.opt.Now()
	res := s.result(r)
	if err := s.try(ctx, r.Evidence, &res, alpha, budget); err != nil {
		res.Verdict, res.Why = Failed, err.Error()
	}
	res.Seconds = s.opt.Now().Sub(start).Seconds()
	return res
}

func (s *session) try(ctx context.Context, ev *rule.Evidence, res *Result, alpha float64, budget time.Duration) error {
	if err := s.layOut(ev); err != nil {
		return err
	}
	s.detail("comparing what before and after do")
	if err := s.equal(ctx); err != nil {
		return err
	}
	s.detail("building")
	var sides [2]side
	defer func() {
		for _, b := range sides {
			b.remove()
		}
	}()
	for i, name := range []string{"before", "after"} {
		var err error
		if sides[i], err = s.build(ctx, name); err != nil {
			return err
		}
	}
	return s.measure(ctx, ev, res, sides, alpha, budget)
}

func (s *session) module() string { return filepath.Join(s.dir, "module") }

// empty makes the module's folder with nothing in it but a go.mod, which the go
// command needs before there are sources.
func (s *session) empty() error {
	if err := os.RemoveAll(s.module()); err != nil {
		return fmt.Errorf("clearing the scratch folder: %w", err)
	}
	if err := os.Mkdir(s.module(), 0o700); err != nil {
		return fmt.Errorf("making a scratch folder: %w", err)
	}
	return writeFile(filepath.Join(s.module(), "go.mod"), "module evidence\n\ngo "+rule.EvidenceGo+"\n")
}

// layOut writes the sources of a rule in place of those of the last one.
func (s *session) layOut(ev *rule.Evidence) error {
	if err := s.empty(); err != nil {
		return err
	}
	if err := rule.Layout(ev.Files, s.module()); err != nil {
		return err
	}
	if err := os.Mkdir(filepath.Join(s.module(), measured), 0o700); err != nil {
		return fmt.Errorf("writing evidence: %w", err)
	}
	return nil
}

// equal runs the tests that compare before and after.
func (s *session) equal(ctx context.Context) error {
	_, err := s.g.Run(ctx, gocmd.Test, "test", "-vet=off", "-count=1", "-timeout=2m", "./equal")
	var failed *gocmd.Error
	if errors.As(err, &failed) {
		return fmt.Errorf("before and after are not shown to be equal:\n%s", strings.TrimSpace(failed.Output))
	}
	return err
}

// build builds one side, as the same package as the other.
func (s *session) build(ctx context.Context, name string) (side, error) {
	dir := filepath.Join(s.module(), measured)
	for to, from := range map[string]string{"code.go": name + ".go", "bench_test.go": "bench_test.go"} {
		data, err := os.ReadFile(filepath.Join(s.module(), name, from))
		if err != nil {
			return side{}, fmt.Errorf("reading evidence: %w", err)
		}
		if err := writeFile(filepath.Join(dir, to), string(data)); err != nil {
			return side{}, err
		}
	}
	var b side
	var err error
	b.bin, b.linker, err = s.suite.BuildLinkable(ctx, gocmd.Package{ImportPath: "evidence/" + measured, Dir: dir}, name, gocmd.BuildOpts{Overlay: true})
	return b, err
}

func (b side) remove() {
	if b.linker != nil {
		_ = b.linker.Close() // in the scratch folder, which goes as a whole
	}
	if b.bin != nil {
		_ = os.Remove(b.bin.Path)
	}
}

// measure puts the claim to the judge.
func (s *session) measure(ctx context.Context, ev *rule.Evidence, res *Result, sides [2]side, alpha float64, budget time.Duration) error {
	before, after := sides[0], sides[1]
	s.detail("calibrating")
	plan, err := s.suite.Calibrate(ctx, before.bin, model.Benchmark{Pkg: before.bin.Pkg, Name: ev.Bench}, 0)
	if err != nil {
		return err
	}
	if ev.Metric == "wall" {
		plan.Mode, plan.Clock = model.Alternate, model.ClockWall
	}
	local := trial.NewLocal(s.suite)
	defer local.Close()
	t := trial.New(local, s.opt.Seed)
	defer func() {
		for _, u := range t.Unsteady() {
			res.Warnings = append(res.Warnings, u.Warning())
		}
	}()
	counts, prior, err := t.Counts(ctx, plan, before.bin, after.bin, 1)
	if err != nil {
		return err
	}
	plan, prior = trial.Fit(plan, prior)
	rules := judge.AdoptRules()
	rules.Alpha, rules.MinEffect = alpha, leastGain
	q := trial.Question{
		Plan: plan, Base: before.bin, Cand: after.bin, Rules: rules, Prior: prior, Level: 1 - s.opt.Alpha,
		Budget: budget, LinkBudget: linkShare * budget, MinUnits: apartRuns,
		Links: trial.LinkPair{Base: before.linker, Cand: after.linker},
	}
	if ev.Metric == "allocs" { // time is beside the point, as long as it does not rise
		q.Floor, q.AtFloor = trial.LayoutFloor, true
	}
	a, err := t.Judge(ctx, q, func(p trial.Progress) {
		s.detail(fmt.Sprintf("%d %s, %s", p.Units, unit(p.Links), Times(1/(1+p.Decision.Estimate))))
	})
	if err != nil {
		return err
	}
	res.Verdict, res.Why = decide(ev, a, counts)
	res.read(plan, a, counts)
	return nil
}

func unit(links bool) string {
	if links {
		return "pairs of fresh links"
	}
	return "duets"
}

// read takes over the figures.
func (r *Result) read(p model.Plan, a trial.Answer, counts []model.Exact) {
	r.Plan, r.Counts, r.Judged = &p, counts, &a.Verdict
	r.Ratio, r.RatioLo, r.RatioHi = ratios(a.Verdict)
	r.Warnings = append(r.Warnings, p.Warnings...)
	var st [2]model.Stats
	for arm := range st {
		var cpu, wall []float64
		for _, pair := range a.Samples {
			cpu, wall = append(cpu, pair[arm].CPUNs), append(wall, pair[arm].WallNs)
		}
		st[arm].CPUNs, st[arm].WallNs = trial.Median(cpu), trial.Median(wall)
	}
	for _, e := range counts {
		if e.Metric == "allocs/op" {
			st[0].Allocs, st[1].Allocs = e.Before, e.After
		} else {
			st[0].Bytes, st[1].Bytes = e.Before, e.After
		}
	}
	r.Before, r.After = &st[0], &st[1]
}

func writeFile(name, text string) error {
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		return fmt.Errorf("writing evidence: %w", err)
	}
	return nil
}
