package loop

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/internal/drive"
	"github.com/pawl-dev/pawl/internal/guard"
	"github.com/pawl-dev/pawl/internal/model"
)

// inspect reads a change before anything of it runs, and refuses what looks as
// if it wins the benchmark and not the work. Of pawl's own changes the state
// that they add is shown and not refused: what bounds it is proven.
func (s *Session) inspect(ctx context.Context, t *tried) (bool, error) {
	start := time.Now()
	in, err := guard.Inspect(ctx, guard.Change{
		Dir: s.snap.ModuleDir, Root: s.snap.Dir, Env: s.go_.Env(),
		Before: t.before, After: t.after, Judges: s.judges(), SetUp: s.setUp,
	})
	if err != nil {
		return false, err
	}
	allow := s.opt.Allow
	if t.Change.Kind != KindPatch {
		allow = append(slices.Clone(allow), model.SuspectState)
	}
	t.Suspicions, t.States = slices.Concat(in.Suspicions, in.APIs), in.States
	t.Warnings = append(t.Warnings, in.Warnings...)
	if in.Incomplete != "" {
		t.Uncompared = append(t.Uncompared, "the change could not be read as a whole: "+in.Incomplete)
	}
	c := inspected(in.Refused(allow))
	c.Seconds = time.Since(start).Seconds()
	return t.add(c, nil)
}

// inspected is the check that says what was refused, by the name of what it
// is: the ground that stays frozen, the exported API, or anything else.
func inspected(refused []model.Suspicion) model.Check {
	if len(refused) == 0 {
		return model.Check{Name: "inspection", OK: true}
	}
	name := "refused"
	switch refused[0].Kind {
	case model.SuspectFrozen, model.SuspectDirective:
		name = "frozen"
	case model.SuspectAPI:
		name = "api"
	}
	lines := make([]string, len(refused))
	for i, x := range refused {
		lines[i] = fmt.Sprintf("%s: %s: %s", x.At, x.Kind, x.Detail)
	}
	return model.Check{Name: name, Detail: strings.Join(lines, "\n")}
}

// judges lists the folders of the benchmarked packages, relative to the root.
func (s *Session) judges() []string {
	var out []string
	for _, name := range s.pkgNames() {
		if rel, err := filepath.Rel(s.snap.Dir, s.pkgs[name].Dir); err == nil {
			out = append(out, filepath.ToSlash(rel))
		}
	}
	return out
}

// What driving one change may take: a part of what is left of the run's budget,
// but never less than what a proof takes, for one package of tests and for each
// further one. A run that ends some seconds late is better than a change that is
// kept without it.
const (
	driveShare = 0.2
	driveLeast = 20 * time.Second
	driveMore  = 5 * time.Second
	driveMost  = time.Minute
)

// driveBudget returns the time for driving one change in the tests of some
// packages, when left is what is left of the run's budget.
func driveBudget(left time.Duration, pkgs int) time.Duration {
	least := driveLeast + time.Duration(max(0, pkgs-1))*driveMore
	return min(driveMost, max(least, time.Duration(driveShare*float64(left))))
}

// behave drives base and candidate of the changed functions side by side, and
// looks which changed lines the tests execute. The tree holds the change.
func (s *Session) behave(ctx context.Context, t *tried) (ok bool, err error) {
	s.detail("which changed lines the tests run")
	missed, err := s.untested(ctx, t)
	if err != nil {
		return false, err
	}
	t.Uncompared = append(t.Uncompared, missed...)
	start := time.Now()
	if err := s.drive(ctx, t); err != nil {
		return false, err
	}
	c := s.driven(t)
	c.Seconds = time.Since(start).Seconds()
	return t.add(c, nil)
}

// drive runs the driver and takes in what it found.
func (s *Session) drive(ctx context.Context, t *tried) (err error) {
	scratch, err := os.MkdirTemp(s.stand.Scratch, "drive-")
	if err != nil {
		return fmt.Errorf("making room for the driver: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(scratch)) }()
	tests := s.concerned(t.pkgs)
	s.detail("both versions side by side")
	plan, err := drive.NewPlan(ctx, drive.Config{
		Go: s.go_, Root: s.snap.Dir, Changed: t.pkgs, Tests: tests, Scratch: scratch,
		Budget: driveBudget(s.left(), len(tests)), Seed: s.opt.Seed, NoRace: s.raceBroken != "", Detail: s.detail,
	}, drive.Change{Before: t.before, After: t.after})
	if err != nil {
		return fmt.Errorf("preparing to drive both versions: %w", err)
	}
	driven, states, err := plan.Run(ctx)
	if err != nil {
		return fmt.Errorf("driving both versions: %w", err)
	}
	t.Driven = driven
	t.Uncompared = append(t.Uncompared, plan.Notes()...)
	for _, d := range driven {
		for _, u := range d.Uncompared {
			t.Uncompared = append(t.Uncompared, d.Func+": "+u)
		}
	}
	t.States = merge(t.States, states)
	return nil
}

// merge joins what reading and running a change say of its new state. Names
// are equal; what only one of them saw stays as it is.
func merge(read, ran []model.State) []model.State {
	out := slices.Clone(read)
	for _, r := range ran {
		i := slices.IndexFunc(out, func(x model.State) bool { return x.Name == r.Name })
		if i < 0 {
			out = append(out, r)
			continue
		}
		x := &out[i]
		x.Retained, x.Instances, x.Grows = r.Retained, r.Instances, r.Grows
		if x.Bound == "" {
			x.Bound = r.Bound
		}
	}
	return out
}

// driven turns what the driver found into the check "behaviour".
func (s *Session) driven(t *tried) model.Check {
	c := model.Check{Name: "behaviour"}
	compared := false
	for _, d := range t.Driven {
		compared = compared || d.Skipped == "" && d.Pairs > 0
		for _, x := range d.Differences {
			if k := x.Consent(); k != "" && slices.Contains(s.opt.Allow, k) {
				t.Uncompared = append(t.Uncompared, fmt.Sprintf("%s: %s differs, which was allowed: %s, not %s", d.Func, x.Where, x.Candidate, x.Base))
				continue
			}
			c.Detail += fmt.Sprintf("%s: %s, %s: the base gives %s, the candidate %s\n", d.Func, x.Kind, x.Where, x.Base, x.Candidate)
		}
		if why := remembers(d); why != "" && !slices.Contains(s.opt.Allow, model.SuspectState) {
			c.Detail += fmt.Sprintf("%s: %s\n", d.Func, why)
		}
	}
	for _, st := range t.States {
		if st.Grows && st.Bound == "" && !slices.Contains(s.opt.Allow, model.SuspectState) {
			c.Detail += fmt.Sprintf("%s grows with every new input, and nothing was found that bounds it; -allow state if it is meant to\n", st.Name)
		}
	}
	c.Detail = strings.TrimSuffix(c.Detail, "\n")
	if hint := consentable(t.Driven); hint != "" && c.Detail != "" {
		c.Detail += "\n" + hint
	}
	if c.Detail == "" && !compared {
		c.Skipped = undriven(t.Driven)
		if t.Change.MustDrive {
			c.Detail, c.Skipped = "a change of this kind is kept only when both versions were run side by side: "+c.Skipped, ""
		}
	}
	c.OK = c.Detail == "" && compared
	return c
}

// undriven says that nothing was driven, and why.
func undriven(driven []model.Driven) string {
	text := "no changed function could be driven"
	var why []string
	for _, d := range driven {
		if d.Skipped != "" && !slices.Contains(why, d.Skipped) {
			why = append(why, d.Skipped)
		}
	}
	if len(why) > 0 {
		text += ": " + strings.Join(why, "; ")
	}
	return text
}

// consentable says how a user lets through what differs, "" where some of it is
// never let through.
func consentable(driven []model.Driven) string {
	var kinds []string
	for _, d := range driven {
		for _, x := range d.Differences {
			k := x.Consent()
			if k == "" {
				return ""
			}
			if !slices.Contains(kinds, string(k)) {
				kinds = append(kinds, string(k))
			}
		}
	}
	if len(kinds) == 0 {
		return ""
	}
	return "-allow " + strings.Join(kinds, ",") + " if nobody minds"
}

// Consent returns the kinds that a user would have to allow for a change that
// was refused to be judged; ok is false where it was not refused, or for what is
// never let through.
func Consent(a model.Attempt) (kinds []model.SuspicionKind, ok bool) {
	add := func(k model.SuspicionKind) {
		if !slices.Contains(kinds, k) {
			kinds = append(kinds, k)
		}
	}
	for _, c := range a.Checks {
		if c.OK || c.Skipped != "" {
			continue
		}
		switch c.Name {
		case "refused", "api", "frozen":
			for _, x := range a.Suspicions {
				if !slices.Contains(model.Allowable(), x.Kind) {
					return nil, false
				}
				add(x.Kind)
			}
		case "behaviour":
			for _, d := range a.Driven {
				for _, x := range d.Differences {
					if x.Consent() == "" {
						return nil, false
					}
					add(x.Consent())
				}
				if remembers(d) != "" {
					add(model.SuspectState)
				}
			}
			if slices.ContainsFunc(a.States, func(st model.State) bool { return st.Grows && st.Bound == "" }) {
				add(model.SuspectState)
			}
		default:
			return nil, false
		}
	}
	return kinds, len(kinds) > 0
}

// remembers says when a function is only cheaper on inputs that it has seen
// before: it saves an object a call on repeats, and not half of that on new
// inputs.
func remembers(d model.Driven) string {
	f := d.Fresh
	if f == nil || f.Inputs == 0 {
		return ""
	}
	repeats, fresh := f.RepeatBaseAllocs-f.RepeatCandAllocs, f.BaseAllocs-f.CandAllocs
	if repeats < 1 || fresh >= repeats/2 {
		return ""
	}
	return fmt.Sprintf("saves %s allocations a call on an input that comes again, and %s on new ones: it remembers answers; -allow state if that is what is wanted",
		number(repeats), number(fresh))
}

// A covered is what one benchmark executes, by the package that a file is in.
type covered func(file string, from, to int) (setUp, timed bool)

// setUp reports whether some lines run in the set-up of a benchmark and in no
// timed loop.
func (s *Session) setUp(file string, from, to int) bool {
	ran := false
	for _, c := range s.covers {
		setUp, timed := c(file, from, to)
		if timed {
			return false
		}
		ran = ran || setUp
	}
	return ran
}
