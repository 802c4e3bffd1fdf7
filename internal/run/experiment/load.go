package experiment

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

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
	build *model.BuildTime
}

func (s *session) under(ctx context.Context, p Program) error {
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
	return (&underload{session: s, Program: p, base: base, meter: meter}).serve(ctx, sides)
}

// builds reports whether a setting of the build is asked for.
func (s *session) builds() bool {
	return slices.ContainsFunc(s.opt.Try, func(name string) bool { return name == pgo || name == goamd64 })
}

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
	pkgs, err := s.mains(ctx, []string{p.Main})
	if err != nil {
		return base, nil, err
	}
	for i, set := range sets {
		v, err := make(fmt.Sprintf("set%d", i), set)
		if err == nil {
			v.build, err = s.buildTime(ctx, s.tree.Go.BuildProgram, pkgs[0], set)
		}
		if err != nil {
			return base, nil, err
		}
		sides = append(sides, v)
	}
	return base, sides, nil
}

// An underload is a program that is being tried.
type underload struct {
	*session
	Program
	base  serving
	meter *gocmd.Meter
	sub   *model.TuningSubject
	lived int // runs of the present settings that did not end in a kill
}

// serve puts the questions. The first settings of the runtime are known when the
// peak of the present ones is: a first comparison says it.
func (u *underload) serve(ctx context.Context, sides []serving) (err error) {
	u.of = len(sides) + u.tried()
	if u.of == 0 {
		return u.nothing(nil)
	}
	if err := u.limit(ctx); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, u.quota.close()) }()
	u.sub = &model.TuningSubject{Program: u.Start, Choice: -1, Trials: []model.Tried{}}
	defer func() {
		if u.sub.Killed {
			survivor(u.sub)
		} else {
			advise(u.sub, u.opt.Memory)
		}
		u.out.Subjects = append(u.out.Subjects, *u.sub)
	}()
	u.opt.Watch.Stage("the program as it is", "")
	u.sub.PeakRSS, u.lived, u.sub.Killed, err = u.alone(ctx, u.base.start, 1, 0)
	if err != nil {
		return err
	}
	now := u.present("")
	now.peak = u.sub.PeakRSS
	sets, not := now.runtime(u.opt.Try)
	u.leave(not)
	for _, set := range sets {
		sides = append(sides, serving{set: set, start: "env " + strings.Join(set.env, " ") + " " + u.base.start})
	}
	u.of = len(sides)
	for _, side := range sides {
		ask := u.askServed
		if u.sub.Killed {
			ask = u.askAlone
		}
		if err := ask(ctx, side); err != nil {
			return err
		}
	}
	return nil
}

// alone runs a program against itself, for the memory that it takes, and reports how
// many runs there were and whether it was killed for its memory.
func (u *underload) alone(ctx context.Context, start string, units int, budget time.Duration) (peak float64, runs int, killed bool, err error) {
	before := u.quota.count()
	load, _, err := loadtest.Compare(ctx, loadtest.Options{
		Base: u.quota.in(0, start), Candidate: u.quota.in(1, start), Command: u.Load, Dir: u.opt.Dir, Env: u.opt.Env, MaxUnits: units, WarmUp: -1,
		Budget: budget, Seed: u.opt.Seed, Alternate: u.inTurns(), Anywhere: u.quota != nil, Meter: u.meter,
	})
	after := u.quota.count()
	if ctx.Err() == nil && after.killed != before.killed {
		return 0, 0, true, nil
	}
	if err != nil || load == nil {
		return 0, 0, false, err
	}
	return peakOf(load, model.Base), len(load.Runs), false, nil
}

// inTurns reports whether one program is under load at a time: together, they would
// also share what their quotas leave of the machine.
func (u *underload) inTurns() bool { return u.limits().CPUs > 0 && runtime.NumCPU() > 1 }

// lives is how many times as many runs a setting has to live through as the present
// ones did until they were killed. Where these are killed in one run of n, something
// that is no better lives through three times n by luck in one case of twenty.
const lives = 3

// askAlone tries a setting where the present ones end in a kill, so that there is
// nothing to compare with.
func (u *underload) askAlone(ctx context.Context, side serving) error {
	need := lives * max(1, u.lived+1)
	left := u.opt.Budget - u.opt.Now().Sub(u.out.Started)
	ends := u.opt.Now().Add(max(leastShare, left/time.Duration(max(1, u.of-u.asked+1))))
	t := model.Tried{Setting: side.set.String(), Kind: side.set.kind, Price: side.set.price, Build: side.build, Standing: model.OneSided}
	for t.Lived < need && u.opt.Now().Before(ends) {
		u.opt.Watch.Stage("under load alone", fmt.Sprintf("%s, %d of %d runs", side.set, t.Lived, need))
		peak, runs, killed, err := u.alone(ctx, side.start, need-t.Lived, ends.Sub(u.opt.Now()))
		if err != nil {
			return err
		}
		if killed {
			t.Standing = model.Failed
			break
		}
		t.Lived, t.PeakRSS = t.Lived+runs, max(t.PeakRSS, peak)
	}
	switch {
	case t.Standing == model.Failed:
		t.Why = killedToo
	case t.Lived < need:
		t.Standing, t.Why = model.Open, fmt.Sprintf("the program lives through %s of the load with it, and %d are needed to be sure", words.Plural(t.Lived, "run"), need)
	default:
		t.Why = fmt.Sprintf("the program lives through %s of the load with it, and was killed in run %d without", words.Plural(t.Lived, "run"), u.lived+1)
	}
	u.sub.Trials = append(u.sub.Trials, t)
	return nil
}

// killedToo is said of a setting that ends in a kill.
const killedToo = "the kernel killed the program at its limit of memory"

// survivor recommends, of settings of the collector with which the program lives, the
// one that leaves it most room: they are in that order.
func survivor(sub *model.TuningSubject) {
	open := false
	for i, t := range sub.Trials {
		open = open || t.Standing == model.Open
		if t.Standing == model.OneSided && t.Kind != gomaxprocs {
			sub.Choice = i
		}
	}
	switch {
	case sub.Choice >= 0:
		sub.Advice = fmt.Sprintf("Set %s: %s.", sub.Trials[sub.Choice].Setting, sub.Trials[sub.Choice].Why)
	case open:
		sub.Advice = "As it is, the kernel kills the program at its limit of memory under this load. Nothing that was tried is proven to prevent that, and not all is decided."
	default:
		sub.Advice = "As it is, the kernel kills the program at its limit of memory under this load, and no setting of the collector that was tried prevents that."
	}
}

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
func (u *underload) askServed(ctx context.Context, side serving) error {
	u.opt.Watch.Stage("under load", side.set.String())
	left := u.opt.Budget - u.opt.Now().Sub(u.out.Started)
	share := max(leastShare, left/time.Duration(max(1, u.of-u.asked)))
	u.asked++
	before := u.quota.count()
	load, warnings, err := loadtest.Compare(ctx, loadtest.Options{
		Base: u.quota.in(0, u.base.start), Candidate: u.quota.in(1, side.start), Command: u.Load, Dir: u.opt.Dir, Env: u.opt.Env,
		Alpha: u.opt.Alpha / float64(u.of), MinEffect: u.opt.MinEffect, Budget: share, Seed: u.opt.Seed,
		Alternate: u.inTurns() || side.set.kind == gomaxprocs && runtime.NumCPU() > 1, Anywhere: side.set.kind == gomaxprocs || u.quota != nil,
		Priced: true, Meter: u.meter, Watch: func(l loadtest.Progress) {
			u.lived++
			u.opt.Watch.Detail(fmt.Sprintf("%d pairs", l.Units))
		},
	})
	after := u.quota.count()
	t := model.Tried{Setting: side.set.String(), Kind: side.set.kind, Price: side.set.price, Build: side.build, Throttled: after.throttled(before)}
	if ctx.Err() == nil && after.killed[0] != before.killed[0] {
		u.sub.Killed = true
		return u.askAlone(ctx, side)
	}
	if ctx.Err() == nil && after.killed[1] != before.killed[1] {
		t.Standing, t.Why = model.Failed, killedToo
		u.sub.Trials = append(u.sub.Trials, t)
		return nil
	}
	if load == nil || err != nil {
		return err
	}
	t.Standing, t.Why, t.Guards, t.Warnings, t.PeakRSS = load.Standing, load.Why, load.Guards, warnings, peakOf(load, model.Candidate)
	if len(load.Metrics) > 0 {
		t.Verdict = &load.Metrics[0].Verdict
	}
	if side.size > 0 {
		t.Size = [2]float64{u.base.size, side.size}
	}
	u.sub.Trials = append(u.sub.Trials, t)
	return nil
}
