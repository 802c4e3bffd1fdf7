package evidence

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/internal/host/gocmd"
	"github.com/pawl-dev/pawl/internal/measure/bench"
	"github.com/pawl-dev/pawl/internal/measure/trial"
	"github.com/pawl-dev/pawl/internal/measure/verdict"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/judge"
	"github.com/pawl-dev/pawl/rules/rule"
)

// measured is the package that both sides are built as: the compiler's cache
// key and the binary hold the directory, and only the code is to differ.
const measured = "measured"

// A side is one of the two builds.
type side struct {
	bin    *bench.Binary
	linker *bench.Linker
}

// one runs the evidence of one rule. That it fails is a verdict.
func (s *session) one(ctx context.Context, r rule.Rule, alpha float64, budget time.Duration) model.EvidenceResult {
	start := s.opt.Now()
	res := s.result(r)
	if err := s.try(ctx, r.Evidence, &res, alpha, budget); err != nil {
		res.Verdict, res.Why = model.EvidenceFailed, err.Error()
	}
	res.Seconds = s.opt.Now().Sub(start).Seconds()
	return res
}

func (s *session) try(ctx context.Context, ev *rule.Evidence, res *model.EvidenceResult, alpha float64, budget time.Duration) error {
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

// empty makes the module's directory with nothing in it but a go.mod, which the go
// command needs before there are sources.
func (s *session) empty() error {
	if err := os.RemoveAll(s.module()); err != nil {
		return fmt.Errorf("clearing the scratch directory: %w", err)
	}
	if err := os.Mkdir(s.module(), 0o700); err != nil {
		return fmt.Errorf("making a scratch directory: %w", err)
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
		_ = b.linker.Close() // in the scratch directory, which goes as a whole
	}
	if b.bin != nil {
		_ = os.Remove(b.bin.Path)
	}
}

func (s *session) measure(ctx context.Context, ev *rule.Evidence, res *model.EvidenceResult, sides [2]side, alpha float64, budget time.Duration) error {
	before, after := sides[0], sides[1]
	local := trial.NewLocal(s.suite)
	defer local.Close()
	t := trial.New(local, s.opt.Seed)
	defer func() {
		for _, u := range t.Unsteady() {
			res.Warnings = append(res.Warnings, u.Warning())
		}
	}()
	ready, err := t.Prepare(ctx, trial.Preparation{Suite: s.suite, Base: before.bin, Benchmark: model.Benchmark{Pkg: before.bin.Pkg, Name: ev.Bench}}, s.detail)
	if err != nil {
		return err
	}
	if ev.Metric == "wall" {
		ready.Plan.Mode, ready.Plan.Clock = model.Alternate, model.ClockWall
	}
	f, err := t.Compare(ctx, trial.Comparison{
		Question: trial.Question{
			Plan: ready.Plan, Base: before.bin, Cand: after.bin, Rules: s.rules(ev, alpha),
			Budget: budget, LinkBudget: linkShare * budget, Links: trial.NewLinkPair(before.linker, after.linker),
		},
		CountAlpha: 1,
	}, func(p trial.Progress) { s.detail(p.Text()) })
	if err != nil {
		return err
	}
	res.Verdict, res.Why = decide(ev, f.Answer, f.Counts)
	read(res, f)
	return nil
}

// rules are those of one claim. Where it is of allocations, time is beside the
// point as long as it does not rise.
func (s *session) rules(ev *rule.Evidence, alpha float64) verdict.Rules {
	r := verdict.Rules{Judge: judge.AdoptRules(), Level: 1 - s.opt.Alpha, MinUnits: apartRuns}
	r.Judge.Alpha, r.Judge.MinEffect = alpha, leastGain
	if ev.Metric == "allocs" {
		r.Floor, r.AtFloor = verdict.LayoutFloor, true
	}
	return r
}

// read takes over the figures.
func read(r *model.EvidenceResult, f trial.Found) {
	r.Plan, r.Counts, r.Judged = &f.Plan, f.Counts, &f.Verdict
	r.Ratio, r.RatioLo, r.RatioHi = ratios(f.Verdict)
	r.Warnings = append(r.Warnings, f.Plan.Warnings...)
	r.Before, r.After = f.Before, f.After
}

func writeFile(name, text string) error {
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		return fmt.Errorf("writing evidence: %w", err)
	}
	return nil
}
