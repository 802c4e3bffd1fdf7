package difftest

import (
	"context"
	"slices"
	"time"

	"github.com/pawl-dev/pawl/internal/host/gocmd"
	"github.com/pawl-dev/pawl/internal/model"
)

// How the budget is split: what the concurrent calls get, and of the rest what
// one process may take to run the tests and benchmarks that record.
const (
	raceShare   = 0.35
	recordShare = 0.6
	// restarts is how often a process that died is started again, without the
	// input, the function or the test that it died in.
	restarts = 6
	// stretch is how much longer than its own time a process may run.
	stretch = 3
	// leastShare is what one test package gets of the budget at least: less
	// is hardly enough to record, and the last packages may get none instead.
	leastShare = 5 * time.Second
	// chances is how often the base may still show what the candidate did, when
	// they were called at the same time.
	chances = 2
)

// A runner drives the functions of a plan and collects what is said of them.
type runner struct {
	*Plan
	ceiling time.Time // when all has to be over
	found   map[int]*driven
	dead    map[int]string // why a function was given up
	state   map[string]model.State
	said    []string // what holds for all functions

	// By import path of a test package: what of its tests lets it come to the
	// driver, whether something was recorded there, whether a run completed,
	// and whether the time did not suffice for all of them.
	selected              map[string]selection
	recorded, ended, late map[string]bool
	first                 map[string]map[string]bool // a test for each function that calls it
}

// A driven is what is known of one function.
type driven struct {
	model.Driven
	seen           bool         // some process drove it
	baseConcurrent bool         // the base allows calls at the same time
	baseBeside     bool         // and calls beside others that use the same memory
	took           map[int]bool // branches of the base that some input took
	reached        []int        // pairs that got to each function that this one stands for
	writes         []bool       // and whether all of them write to one part of their receiver
	// partly names the tests with inputs that might have been recorded, and were not.
	partly []string
}

// Run drives the functions and returns one record for each changed function,
// and the state that the candidate adds. A difference is part of a record; the
// error is for what prevents any answer. What Build has not built yet it builds.
func (p *Plan) Run(ctx context.Context) ([]model.Driven, []model.State, error) {
	r := &runner{Plan: p, ceiling: time.Now().Add(p.cfg.Ceiling), found: make(map[int]*driven), dead: make(map[int]string), state: make(map[string]model.State),
		selected: make(map[string]selection), recorded: make(map[string]bool), ended: make(map[string]bool), late: make(map[string]bool), first: make(map[string]map[string]bool)}
	if err := p.Build(ctx); err != nil {
		return nil, nil, err
	}
	if err := r.run(ctx); err != nil {
		return nil, nil, err
	}
	return r.functions(), r.allStates(), nil
}

func (r *runner) run(ctx context.Context) error {
	for _, text := range r.unbuilt {
		r.say(text)
	}
	race := r.cfg.Budget * time.Duration(100*raceShare) / 100
	if r.cfg.NoRace {
		race = 0
	}
	left := r.cfg.Budget - race
	for i, pkg := range r.cfg.Tests {
		bin := r.bins[pkg.ImportPath].plain
		if bin == "" {
			continue
		}
		share := min(left, max(leastShare, left/time.Duration(len(r.cfg.Tests)-i)))
		took, err := r.drive(ctx, job{pkg: pkg, bin: bin, mode: modePairs}, share)
		if err != nil {
			return err
		}
		left -= took
	}
	if err := r.makeUp(ctx, left); err != nil {
		return err
	}
	if race == 0 {
		r.noConcurrent("the race detector does not build here")
		return nil
	}
	return r.concurrent(ctx, race+max(left, 0))
}

// makeUp drives the functions that nothing called, where all tests ran, and whose
// inputs pawl can make up, in the tests of their own packages.
func (r *runner) makeUp(ctx context.Context, budget time.Duration) error {
	for _, late := range r.late {
		if late {
			return nil
		}
	}
	for _, pkg := range r.cfg.Tests {
		j := job{pkg: pkg, bin: r.bins[pkg.ImportPath].plain, mode: modePairs, made: true}
		var made []int
		for id, s := range r.subjects {
			if d := r.found[id]; s.c.unit.pkg.ImportPath == pkg.ImportPath && s.like() != "" && r.dead[id] == "" && (d == nil || !d.seen) {
				made = append(made, id)
			} else {
				j.calm = append(j.calm, id)
			}
		}
		if len(made) == 0 || j.bin == "" {
			continue
		}
		took, err := r.drive(ctx, j, budget)
		if err != nil {
			return err
		}
		budget -= took
		for _, id := range made {
			r.of(id).NoConcurrent = "its inputs are made up"
		}
	}
	return nil
}

// concurrent drives calls at the same time, with the race detector: first of
// the base, and then of the candidate where the base allowed them.
func (r *runner) concurrent(ctx context.Context, budget time.Duration) error {
	var ids []int
	for id, d := range r.found {
		if d.seen {
			ids = append(ids, id)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	tests := r.recording()
	for i, pkg := range tests {
		bin := r.bins[pkg.ImportPath].race
		if bin == "" {
			r.noConcurrent("the race detector does not build here")
			return nil
		}
		share := budget / time.Duration(2*(len(tests)-i))
		for _, mode := range []string{modeBase, modeCandidate} {
			took, err := r.drive(ctx, job{pkg: pkg, bin: bin, mode: mode}, share)
			if err != nil {
				return err
			}
			budget -= took
		}
		if err := r.raceAgain(ctx, job{pkg: pkg, bin: bin, mode: modeBase}, share); err != nil {
			return err
		}
	}
	return nil
}

// raceAgain gives the base more chances to show what the candidate alone did so far
// when it was called at the same time: a detector sees a race by luck.
func (r *runner) raceAgain(ctx context.Context, j job, budget time.Duration) error {
	for range chances {
		var calm []int
		for id := range r.subjects {
			if d := r.found[id]; d == nil || !d.races() {
				calm = append(calm, id)
			}
		}
		if len(calm) == len(r.subjects) {
			return nil
		}
		j.calm = calm
		if _, err := r.drive(ctx, j, budget); err != nil {
			return err
		}
	}
	return nil
}

// races reports whether the candidate differed when it was called at the same time.
func (d *driven) races() bool {
	return slices.ContainsFunc(d.Differences, isConcurrent)
}

func isConcurrent(x model.Difference) bool { return x.Kind == model.DiffConcurrent }

func (r *runner) recording() []gocmd.Package {
	return slices.DeleteFunc(slices.Clone(r.cfg.Tests), func(p gocmd.Package) bool { return !r.recorded[p.ImportPath] })
}

// noConcurrent says about all driven functions why they were not called at the
// same time.
func (r *runner) noConcurrent(why string) {
	for _, d := range r.found {
		if !d.Concurrent && d.NoConcurrent == "" {
			d.NoConcurrent = why
		}
	}
}
