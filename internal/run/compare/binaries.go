package compare

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/pawl-dev/pawl/internal/host/foreign"
	"github.com/pawl-dev/pawl/internal/host/gocmd"
	"github.com/pawl-dev/pawl/internal/measure/bench"
	"github.com/pawl-dev/pawl/internal/measure/results"
	"github.com/pawl-dev/pawl/internal/measure/testbed"
	"github.com/pawl-dev/pawl/internal/model"
)

// binaries compares two test binaries that were built elsewhere. They run in
// the user's directory, and nothing is kept but what is printed: there may be no
// module here.
func (s *session) binaries(ctx context.Context) error {
	temp, err := gocmd.NewScratch("", "compare")
	if err != nil {
		return err
	}
	defer temp.Remove()
	scratch := temp.Dir
	s.save.scratch = scratch
	s.save.name = s.start.Format("20060102T150405.000000") + "-" + s.opt.Verb
	if s.save.dir = s.opt.Out; s.save.dir != "" {
		if err := os.MkdirAll(s.save.dir, 0o700); err != nil {
			return fmt.Errorf("keeping the samples: %w", err)
		}
	}
	meter := gocmd.NewMeter(s.start)
	if s.opt.Sandbox != nil {
		c := *s.opt.Sandbox
		c.Env, c.Readable = s.opt.Env, append(c.Readable, s.opt.Dir, scratch, foreign.Path(s.opt.Dir, s.cmp.Base.Name), foreign.Path(s.opt.Dir, s.cmp.Candidate.Name))
		if c.Output = filepath.Join(scratch, "out"); os.Mkdir(c.Output, 0o700) != nil {
			return fmt.Errorf("making a directory for profiles in %s", scratch)
		}
		settings, _ := filepath.Glob(filepath.Join(s.opt.Dir, ".*")) // .pawl, .git, .env
		c.Hidden = append(c.Hidden, settings...)
		box, err := gocmd.OpenSandbox(ctx, c)
		if err != nil {
			return err
		}
		defer box.Close()
		meter.Confine(box, box)
		s.warn(box.Warnings()...)
	}
	g := gocmd.Bare(s.opt.Env, meter)
	suite, err := bench.Bare(g, scratch)
	if err != nil {
		return err
	}
	var bins [2]*bench.Binary
	for i, side := range []*model.Side{&s.cmp.Base, &s.cmp.Candidate} {
		if bins[i], err = bench.Open(foreign.Path(s.opt.Dir, side.Name), s.opt.Dir); err != nil {
			return testbed.Usage(fmt.Sprintf("%s: %v", side.Name, err))
		}
		s.warn(bins[i].Warnings()...)
		side.GoVersion, side.Settings = bins[i].GoVersion, bins[i].Settings
	}
	s.warn(bench.Differences(bins[0], bins[1])...)
	if bins[0].Pkg != bins[1].Pkg {
		s.warn(model.Warning{Seen: fmt.Sprintf("the binaries are of %s and %s", bins[0].Pkg, bins[1].Pkg), Cause: "one of them is of another module or package, or says nothing about itself", Try: "benchmarks of the same name are compared; see that they are the same"})
		bins[1].Pkg = bins[0].Pkg
	}
	s.warn(suite.Warnings()...)
	s.cmp.Env = bench.Environment(ctx, g)
	s.cmp.Env.GoVersion = bins[0].GoVersion
	if bins[0].Hash == bins[1].Hash {
		s.warn(model.Warning{Seen: "both binaries are the same, byte for byte", Cause: "one file twice, or one source that was built twice", Try: "they are compared all the same; any difference is noise"})
	}
	j := newJudging(s, suite)
	defer j.local.Close()
	pattern := cmp.Or(s.opt.Bench, ".")
	matches, err := listing{s, j.trial}.pairs(ctx, [2]*build{{suite: suite, bin: bins[0]}, {suite: suite, bin: bins[1]}}, pattern, nil)
	if err != nil {
		return err
	}
	if len(matches)+len(s.cmp.Benchmarks) == 0 {
		return fmt.Errorf("%w: no benchmark of the binaries matches -bench %q", testbed.ErrNothing, pattern)
	}
	err = s.judged(ctx, j, matches)
	s.cmp.Samples = s.save.files
	s.cmp.Split = meter.Split(s.opt.Now())
	return err
}

func (s *session) samples(ctx context.Context) (*model.Comparison, error) {
	var in [2]results.Input
	for i, name := range []string{s.opt.Base, s.opt.Candidate} {
		f, err := foreign.Open(ctx, foreign.Path(s.opt.Dir, name))
		if err != nil {
			return nil, fmt.Errorf("reading %s: %w", name, err)
		}
		defer f.Close()
		in[i] = results.Input{Name: name, R: f}
	}
	c, err := foreign.Do(ctx, func() (*model.Comparison, error) {
		return results.Compare(ctx, in[0], in[1], results.Options{Alpha: s.opt.Alpha, MinEffect: s.opt.MinEffect, Metrics: s.opt.Metrics})
	})
	if c != nil {
		c.Schema, c.Tool, c.Verb, c.Args, c.Started = s.cmp.Schema, s.cmp.Tool, s.cmp.Verb, s.cmp.Args, s.cmp.Started
		c.Alpha, c.MinEffect = s.opt.Alpha, s.opt.MinEffect
	}
	return c, err
}
