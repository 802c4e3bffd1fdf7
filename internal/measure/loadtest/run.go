package loadtest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/pawl-dev/pawl/internal/host/gocmd"
	"github.com/pawl-dev/pawl/internal/model"
)

// unitsPerPlace is after how many units the cores are chosen anew.
const unitsPerPlace = 5

// A runner runs units.
type runner struct {
	starter
	load      command
	ready     time.Duration // for a program to listen
	timeout   time.Duration // for one run of the load command
	alternate bool
	anywhere  bool
	warm      int // load runs after each start that do not count
	coin      *rand.Rand

	arms   [2]*process // base and candidate, while they run
	places placement
	units  int           // that were begun
	report Report        // what the load command said last
	starts time.Duration // what starting the programs took, all units together
}

// A placement says which cores the programs and the load commands run on; no
// core means anywhere.
type placement struct {
	programs, load []int
}

// place chooses the cores. In a duet the programs share the quietest core and
// the load commands have the others. One after the other, the program under
// load and its load command have half of the cores each.
func place(alternate bool) (placement, error) {
	all, err := cores()
	if err != nil || len(all) < 2 {
		return placement{}, err
	}
	if alternate {
		half := len(all) / 2
		return placement{programs: all[half:], load: all[:half]}, nil
	}
	quiet, err := gocmd.QuietCPU()
	if err != nil {
		return placement{}, err
	}
	p := placement{programs: []int{quiet}}
	for _, cpu := range all {
		if cpu != quiet {
			p.load = append(p.load, cpu)
		}
	}
	return p, nil
}

// startBoth starts the given programs, in the order that the coin says.
func (r *runner) startBoth(ctx context.Context, sides [2]command) error {
	if r.units%unitsPerPlace == 0 && !r.anywhere {
		var err error
		if r.places, err = place(r.alternate); err != nil {
			return err
		}
	}
	r.units++
	ports, err := freePorts()
	if err != nil {
		return err
	}
	start := time.Now()
	for _, i := range r.order() {
		p, err := r.start(ctx, sides[i], ports[i], r.places.programs)
		if err != nil {
			return err
		}
		r.arms[i] = p
		if err := p.ready(ctx, r.ready); err != nil {
			return err
		}
	}
	r.starts += time.Since(start)
	return nil
}

// stop ends the programs.
func (r *runner) stop() {
	var wg sync.WaitGroup
	for i, p := range r.arms {
		if p != nil {
			wg.Go(p.stop)
		}
		r.arms[i] = nil
	}
	wg.Wait()
}

// order returns which side comes first.
func (r *runner) order() [2]int {
	if r.coin.IntN(2) == 0 {
		return [2]int{0, 1}
	}
	return [2]int{1, 0}
}

// unit runs one unit: it starts both programs, runs the load command once
// against each of them, and ends them.
func (r *runner) unit(ctx context.Context, sides [2]command) (model.LoadRunPair, error) {
	defer r.stop()
	if err := r.startBoth(ctx, sides); err != nil {
		return model.LoadRunPair{}, err
	}
	var runs [2]result
	for range r.warm + 1 { // the last counts
		var err error
		if r.alternate {
			err = r.oneByOne(ctx, &runs)
		} else {
			err = r.together(ctx, &runs)
		}
		if err != nil {
			return model.LoadRunPair{}, err
		}
	}
	r.report = runs[0].report
	return model.LoadRunPair{Base: runs[0].LoadRun, Candidate: runs[1].LoadRun}, nil
}

// A result is one load run, and what the load command said of it.
type result struct {
	model.LoadRun
	report Report
}

// oneByOne puts one program under load while the other has nothing to do, and
// then the other.
func (r *runner) oneByOne(ctx context.Context, runs *[2]result) error {
	for _, i := range r.order() {
		l, err := r.begin(ctx, r.arms[i])
		if err == nil {
			runs[i], err = r.finish(ctx, l)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// together puts both programs under load at the same time.
func (r *runner) together(ctx context.Context, runs *[2]result) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var loads [2]*loading
	var err error
	for _, i := range r.order() {
		if loads[i], err = r.begin(ctx, r.arms[i]); err != nil {
			cancel()
			break
		}
	}
	type end struct {
		side int
		run  result
		err  error
	}
	ends := make(chan end, len(loads))
	begun := 0
	for i, l := range loads {
		if l != nil {
			begun++
			go func() {
				run, err := r.finish(ctx, l)
				ends <- end{i, run, err}
			}()
		}
	}
	for range begun {
		e := <-ends
		runs[e.side] = e.run
		if e.err != nil && err == nil {
			err = e.err // the first is the cause; the other side was then ended
			cancel()
		}
	}
	return err
}

// A loading is a load command that runs.
type loading struct {
	program *process
	load    *process
	before  usage
	start   time.Time
	cancel  context.CancelFunc
	ctx     context.Context
}

// begin starts the load command against p.
func (r *runner) begin(ctx context.Context, p *process) (*loading, error) {
	if err := r.alive(ctx, p); err != nil {
		return nil, err
	}
	before, err := p.measure()
	if err != nil {
		return nil, r.because(ctx, p, err)
	}
	ctx, cancel := context.WithTimeout(ctx, r.timeout)
	start := time.Now()
	load, err := r.start(ctx, r.load, p.port, r.places.load)
	if err != nil {
		cancel()
		return nil, err
	}
	return &loading{program: p, load: load, before: before, start: start, cancel: cancel, ctx: ctx}, nil
}

// finish waits for the end of the load command and reads what it and the
// kernel say. outer is the context that l's own, with its time limit, is of.
func (r *runner) finish(outer context.Context, l *loading) (result, error) {
	defer l.cancel()
	select {
	case <-l.load.done:
	case <-l.program.done:
		l.load.kill() // nobody is left to answer it
		<-l.load.done
	}
	wall := time.Since(l.start)
	if err := r.alive(outer, l.program); err != nil {
		return result{}, err
	}
	if err := r.loaded(l); err != nil {
		return result{}, err
	}
	report, err := l.read()
	if err != nil {
		return result{}, err
	}
	after, err := settle(outer, l.program)
	if err != nil {
		return result{}, r.because(outer, l.program, err)
	}
	return result{report: report, LoadRun: model.LoadRun{
		Requests: report.Requests, Errors: report.Errors, LatencyNs: report.LatencyNs,
		CPUNs: float64(after.cpu - l.before.cpu), PeakRSS: float64(after.peak), WallNs: float64(wall),
	}}, nil
}

// because says what a program that was gone when it was measured died of. Its
// processes are gone a moment before its end is known here.
func (r *runner) because(ctx context.Context, p *process, err error) error {
	if !errors.Is(err, errGone) {
		return err
	}
	select {
	case <-p.done:
	case <-ctx.Done():
	}
	if why := r.alive(ctx, p); why != nil {
		return why
	}
	return err
}

// errGone is the error for a program none of whose processes is there any more.
var errGone = errors.New("the program has ended")

// alive returns an error that tells the end of a program that should be running.
func (r *runner) alive(ctx context.Context, p *process) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if !p.ended() {
		return nil
	}
	return fmt.Errorf("%s %s under load: %s\n%s\nrun both by hand: %s", p.role, p.code(), p.words(), p.lastWords(), r.load.text)
}

// loaded returns an error unless the load command ended well.
func (r *runner) loaded(l *loading) error {
	p := l.load
	switch {
	case errors.Is(l.ctx.Err(), context.DeadlineExceeded) && p.err != nil:
		return fmt.Errorf("load command did not end within %v: %s\n%s\ngive it a shorter duration, or allow it more time", r.timeout, p.words(), p.lastWords())
	case p.err != nil:
		return p.err
	case p.exit.Code != 0:
		return fmt.Errorf("load command %s against the %s: %s\n%s\nrun it by hand while the program runs", p.code(), l.program.role, p.words(), p.lastWords())
	}
	return nil
}

// read reads what the load command printed: on its standard output, or else on
// its standard error.
func (l *loading) read() (Report, error) {
	exit := l.load.exit
	report, err := parse(exit.Stdout)
	if err == nil {
		return report, nil
	}
	report, err2 := parse(exit.Stderr)
	if err2 == nil {
		return report, nil
	}
	if len(bytes.TrimSpace(exit.Stdout)) == 0 {
		err = err2
	}
	return Report{}, fmt.Errorf("%s: %w", l.load.words(), err)
}

// How long a program is given to finish what the load has left to do, and when
// it counts as having done so: when it uses less than a twentieth of a core.
const (
	settleStep  = 10 * time.Millisecond
	settleShare = settleStep / 20
	settleLimit = 250 * time.Millisecond
)

// settle measures a program once it has come to rest: collecting garbage,
// closing connections and writing what was put off until after the answer are
// part of what the requests cost.
func settle(ctx context.Context, p *process) (usage, error) {
	before, err := p.measure()
	if err != nil {
		return usage{}, err
	}
	for spent := time.Duration(0); spent < settleLimit; spent += settleStep {
		select {
		case <-ctx.Done():
			return usage{}, ctx.Err()
		case <-time.After(settleStep):
		}
		after, err := p.measure()
		if err != nil || after.cpu-before.cpu < settleShare {
			return after, err
		}
		before = after
	}
	return before, nil
}
