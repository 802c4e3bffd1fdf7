package experiment

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/internal/host/cgroup"
	"github.com/pawl-dev/pawl/internal/host/gocmd"
	"github.com/pawl-dev/pawl/internal/measure/bench"
	"github.com/pawl-dev/pawl/internal/measure/loadtest"
	"github.com/pawl-dev/pawl/internal/measure/testbed"
	"github.com/pawl-dev/pawl/internal/measure/verdict"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/words"
)

// A Program is what is tried under a load command.
type Program struct {
	Start string // the command that starts it, with {program} for what is built of Main
	Main  string // the main package; empty where Start names a program that is there
	Load  string // the load command
}

// place is where a command names the program that is built.
const place = "{program}"

// Under tries settings on a program under a load command. What was found by then
// comes with any error.
func Under(ctx context.Context, opt Options, p Program) (*model.Tuning, error) {
	s := newSession(opt)
	if (p.Main != "") != strings.Contains(p.Start, place) {
		return s.out, testbed.Usagef("-main PACKAGE and %s in the command belong together: give both, or neither", place)
	}
	limited, cancel := context.WithDeadline(ctx, s.out.Started.Add(opt.Budget))
	defer cancel()
	err := s.under(limited, p)
	if ctx.Err() == nil && limited.Err() != nil {
		s.out.Stopped, err = "budget", nil
	}
	return s.out, err
}

// A serving is one side: a command, and the setting that it has.
type serving struct {
	set   setting
	start string
	size  float64
}

func (s *session) under(ctx context.Context, p Program) error {
	s.unlimited()
	base := serving{start: p.Start}
	var sides []serving
	meter := gocmd.NewMeter(s.out.Started)
	var err error
	if p.Main == "" {
		s.out.Env = bench.Environment(ctx, gocmd.Bare(s.opt.Env, meter))
		s.out.Warnings = bench.SystemWarnings(s.out.Env)
		if _, not := s.present("").build(s.opt.Try); len(not) > 0 || s.builds() {
			s.leave([]string{"pgo and goamd64: they need the sources; name the main package with -main, and write {program} in the command"})
		}
	} else {
		if err = s.open(ctx); err != nil {
			return err
		}
		defer s.close()
		meter = s.bed.Meter
		if base, sides, err = s.programs(ctx, p); err != nil {
			return err
		}
	}
	return s.serve(ctx, p, base, sides, meter)
}

// unlimited warns where settings that matter under a quota are tried without one.
// Pawl makes no control group: that is the machine's to give.
func (s *session) unlimited() {
	root := os.DirFS("/")
	cpus, _, _ := cgroup.Quota(root, cgroup.Groups(root, cgroup.Self))
	if cpus > 0 || !slices.Contains(s.opt.Try, GOMAXPROCS) && !slices.Contains(s.opt.Try, GOMEMLIMIT) {
		return
	}
	s.out.Warnings = append(s.out.Warnings, model.Warning{
		Seen:  "the settings are tried without a quota of CPU time: the control group of pawl has none",
		Cause: "in a container with a limit, GOMAXPROCS, and what the collector costs, may come out otherwise",
		Try:   "the same command in a container, or under systemd-run --scope -p CPUQuota=100% -p MemoryMax=512M",
	})
}

// builds reports whether a setting of the build is asked for.
func (s *session) builds() bool {
	for _, name := range s.opt.Try {
		if name == PGO || name == GOAMD64 {
			return true
		}
	}
	return false
}

// programs builds the program as it is, and under each setting of the build.
func (s *session) programs(ctx context.Context, p Program) (base serving, sides []serving, err error) {
	make := func(name string, set setting) (serving, error) {
		s.opt.Watch.Stage("building", strings.TrimSpace(p.Main+" "+set.String()))
		out := filepath.Join(s.bed.Scratch, name)
		if err := s.tree.Go.BuildProgram(ctx, p.Main, out, gocmd.BuildOpts{Env: set.env, Flags: set.flags}); err != nil {
			return serving{}, err
		}
		v := serving{set: set, start: strings.ReplaceAll(p.Start, place, words.Quote(out))}
		if fi, err := os.Stat(out); err == nil {
			v.size = float64(fi.Size())
		}
		return v, nil
	}
	if base, err = make("present", setting{}); err != nil {
		return base, nil, err
	}
	sets, not := s.present(s.tree.Go.Vars["GOAMD64"]).build(s.opt.Try)
	s.leave(not)
	for i, set := range sets {
		v, err := make(fmt.Sprintf("set%d", i), set)
		if err != nil {
			return base, nil, err
		}
		sides = append(sides, v)
	}
	return base, sides, nil
}

// serve puts the questions. The first settings of the runtime are known when the
// peak of the present ones is: a first comparison says it.
func (s *session) serve(ctx context.Context, p Program, base serving, sides []serving, meter *gocmd.Meter) error {
	sub := model.TuningSubject{Program: p.Start, Choice: -1, Trials: []model.Tried{}}
	defer func() {
		advise(&sub, s.opt.Memory)
		s.out.Subjects = append(s.out.Subjects, sub)
	}()
	s.of = len(sides) + s.tried()
	if s.of == 0 {
		return s.nothing(nil)
	}
	s.opt.Watch.Stage("the program as it is", "")
	peak, err := s.servedPeak(ctx, p, base, meter)
	if err != nil {
		return err
	}
	sub.PeakRSS = peak
	now := s.present("")
	now.peak = peak
	sets, not := now.runtime(s.opt.Try)
	s.leave(not)
	for _, set := range sets {
		sides = append(sides, serving{set: set, start: "env " + strings.Join(set.env, " ") + " " + base.start})
	}
	s.of = len(sides)
	for _, side := range sides {
		if err := s.askServed(ctx, p, base, side, meter, &sub); err != nil {
			return err
		}
	}
	return nil
}

// servedPeak runs the program against itself once, for the memory that it takes.
func (s *session) servedPeak(ctx context.Context, p Program, base serving, meter *gocmd.Meter) (float64, error) {
	load, _, err := loadtest.Compare(ctx, loadtest.Options{
		Base: base.start, Candidate: base.start, Command: p.Load, Dir: s.opt.Dir, Env: s.opt.Env, MaxUnits: 1, WarmUp: -1,
		Seed: s.opt.Seed, Meter: meter,
	})
	if err != nil || load == nil {
		return 0, err
	}
	return peakOf(load, model.Base), nil
}

// peakOf returns the median of the peaks of resident memory on one side.
func peakOf(load *model.Load, arm model.Arm) float64 {
	var all []float64
	for _, r := range load.Runs {
		if arm == model.Base {
			all = append(all, r.Base.PeakRSS)
		} else {
			all = append(all, r.Candidate.PeakRSS)
		}
	}
	return verdict.Median(all)
}

// askServed puts one question under load.
func (s *session) askServed(ctx context.Context, p Program, base, side serving, meter *gocmd.Meter, sub *model.TuningSubject) error {
	s.opt.Watch.Stage("under load", side.set.String())
	left := s.opt.Budget - s.opt.Now().Sub(s.out.Started)
	share := max(leastShare, left/time.Duration(max(1, s.of-s.asked)))
	s.asked++
	load, warnings, err := loadtest.Compare(ctx, loadtest.Options{
		Base: base.start, Candidate: side.start, Command: p.Load, Dir: s.opt.Dir, Env: s.opt.Env,
		Alpha: s.opt.Alpha / float64(s.of), MinEffect: s.opt.MinEffect, Budget: share, Seed: s.opt.Seed,
		Alternate: side.set.kind == GOMAXPROCS && runtime.NumCPU() > 1, Priced: true, Meter: meter,
		Watch: func(l loadtest.Progress) { s.opt.Watch.Detail(fmt.Sprintf("%d pairs", l.Units)) },
	})
	if load == nil || err != nil {
		return err
	}
	t := model.Tried{
		Setting: side.set.String(), Kind: side.set.kind, Standing: load.Standing, Why: load.Why, Guards: load.Guards,
		Price: side.set.price, Warnings: warnings, PeakRSS: peakOf(load, model.Candidate),
	}
	if len(load.Metrics) > 0 {
		t.Verdict = &load.Metrics[0].Verdict
	}
	if side.size > 0 {
		t.Size = [2]float64{base.size, side.size}
	}
	sub.Trials = append(sub.Trials, t)
	return nil
}
