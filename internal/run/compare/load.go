package compare

import (
	"context"
	"fmt"
	"time"

	"github.com/pawl-dev/pawl/internal/host/gocmd"
	"github.com/pawl-dev/pawl/internal/measure/bench"
	"github.com/pawl-dev/pawl/internal/measure/loadtest"
	"github.com/pawl-dev/pawl/internal/model"
)

// LoadOptions are what a comparison of two programs needs beside Options.
type LoadOptions struct {
	Command   string
	Ready     time.Duration
	Alternate bool
}

// Load compares two programs under a load command: Options.Base and Candidate
// are commands that start them.
func Load(ctx context.Context, opt Options, lo LoadOptions) (*model.Comparison, error) {
	s := newSession(opt)
	s.cmp.Base = model.Side{Name: opt.Base, Kind: model.SideProgram}
	s.cmp.Candidate = model.Side{Name: opt.Candidate, Kind: model.SideProgram}
	meter := gocmd.NewMeter(s.start)
	// Before anything runs: the programs load the machine.
	s.cmp.Env = bench.Environment(ctx, gocmd.Bare(opt.Env, meter))
	s.warn(bench.SystemWarnings(s.cmp.Env)...)
	s.stage("starting the programs", "")
	found, warnings, err := loadtest.Compare(ctx, loadtest.Options{
		Base: opt.Base, Candidate: opt.Candidate, Command: lo.Command, Dir: opt.Dir, Env: opt.Env,
		Alpha: opt.Alpha, MinEffect: opt.MinEffect, Budget: opt.Budget, Ready: lo.Ready, Seed: opt.Seed,
		Alternate: lo.Alternate, Meter: meter, Watch: s.watchLoad,
	})
	s.cmp.Load = found
	s.warn(warnings...)
	s.cmp.Split = meter.Split(opt.Now())
	if ctx.Err() != nil && found != nil {
		s.cmp.Stopped, err = "interrupted", nil
	}
	return s.cmp, err
}

// seen says what a warm-up has shown.
func seen(n model.Noise) string {
	if n.Blind() {
		return "sees no difference in that little time"
	}
	return fmt.Sprintf("sees %.1f %%, takes about %.0f s", 100*n.Sees, n.Seconds)
}

// watchLoad tells the user how far the load runs have come.
func (s *session) watchLoad(p loadtest.Progress) {
	stage := "base and candidate under load"
	if p.WarmUp {
		stage = "base against base under load"
	}
	s.stage(stage, "")
	text := fmt.Sprintf("%d pairs", p.Units)
	if n := p.Noise; n != nil && p.Units == 0 {
		text = seen(*n)
	}
	if !p.WarmUp && len(p.Metrics) > 0 {
		text += fmt.Sprintf(", %s %+.1f %%", p.Metrics[0].Name, 100*p.Metrics[0].Verdict.Change)
	}
	s.detail(text)
}
