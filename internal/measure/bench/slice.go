package bench

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/internal/model"
)

// Limits on how long a process may take. They are there to end what hangs, so
// they are far above what anything that works takes.
const (
	probeTimeout = 2 * time.Minute  // of calibration, when nothing is known yet
	leastProbe   = time.Second      // where little is left of a calibration's time
	soloTimeout  = 10 * time.Minute // under the user's own conditions
	sliceTimeout = time.Minute      // and lateFactor times what was predicted
	lateFactor   = 20
)

// barrierShare is the share of set-up in a slice above which the two arms of
// a duet wait for each other before the timed region.
const barrierShare = 0.1

// SliceOpts say how one slice is run.
type SliceOpts struct {
	CPU  int // the core; gocmd.NoCPU for none
	Arm  model.Arm
	Unit int
}

// DuetOpts say how one duet is run.
type DuetOpts struct {
	CPU       int
	BaseFirst bool
	Unit      int
}

// Slice runs one fresh process for the plan's iterations. In a plan for duets
// GOMAXPROCS is 1, as it is there; otherwise it is the user's.
func (s *Suite) Slice(ctx context.Context, b *Binary, p model.Plan, o SliceOpts) (model.Sample, error) {
	j := planned(b, p)
	j.cpu = o.CPU
	throttled := watchThrottling(machineRoot())
	m, err := s.measure(ctx, j, p.SetupNs)
	if err != nil {
		return model.Sample{}, onArm(err, o.Arm)
	}
	sample := m.sample(p, o.Arm, o.Unit, s.clockOf(b))
	sample.ThrottledNs = throttled()
	return sample, nil
}

// planned returns the job of one slice.
func planned(b *Binary, p model.Plan) job {
	j := exactly(b, p.Benchmark, p.N)
	if p.Mode == model.Duet {
		j.procs = 1
	}
	j.timeout = sliceTimeout + lateFactor*time.Duration(p.SliceNs+p.SetupNs)
	return j
}

func (s *Suite) clockOf(b *Binary) model.Clock {
	if b.Stock {
		return model.ClockRusage
	}
	return s.clock
}

// Duet runs both arms at the same time on one core, in two fresh processes
// that are started in the given order, and returns the samples of base and
// candidate. Both get the same environment, padded so that the memory above
// their stacks is of one length, and GOMAXPROCS=1, or the user's in a plan for
// parallel benchmarks. Where set-up takes more
// than a tenth of a slice they wait for each other right before the timed
// region.
func (s *Suite) Duet(ctx context.Context, base, cand *Binary, p model.Plan, o DuetOpts) ([2]model.Sample, error) {
	var samples [2]model.Sample
	bins, arms := [2]*Binary{base, cand}, [2]model.Arm{model.Base, model.Candidate}
	longest := max(above(base), above(cand))
	var jobs [2]job
	for i, b := range bins {
		j := planned(b, p)
		if j.cpu = o.CPU; p.Mode != model.Parallel {
			j.procs = 1
		}
		if !b.Stock {
			j.env = []string{"PAWL_PAD=" + strings.Repeat("x", longest-above(b))}
		}
		j.barrier = !base.Stock && !cand.Stock && p.SetupNs > barrierShare*p.SliceNs
		jobs[i] = j
	}
	throttled := watchThrottling(machineRoot())
	outcomes, err := s.together(ctx, jobs, o.BaseFirst)
	if err != nil {
		return samples, err
	}
	stopped := throttled()
	for i, j := range jobs {
		m, err := j.figures(outcomes[i], p.SetupNs)
		if err != nil {
			return samples, fmt.Errorf("%s arm: %w", arms[i], onArm(err, arms[i]))
		}
		samples[i] = m.sample(p, arms[i], o.Unit, s.clockOf(j.bin))
		samples[i].ThrottledNs = stopped
	}
	return samples, nil
}

// above returns how many bytes a binary's path and variables take above the
// stack. The path stands in the new process twice: as its first argument, and as
// the name it was started by.
func above(b *Binary) int {
	n := 2 * len(b.Path)
	for _, v := range b.Env {
		n += len(v) + 1
	}
	return n
}

// together runs two jobs at the same time.
func (s *Suite) together(ctx context.Context, jobs [2]job, firstFirst bool) ([2]outcome, error) {
	var outcomes [2]outcome
	limited, cancel := context.WithTimeout(ctx, max(jobs[0].timeout, jobs[1].timeout))
	defer cancel()
	order := [2]int{0, 1}
	if !firstFirst {
		order = [2]int{1, 0}
	}
	var procs [2]*process
	for _, i := range order {
		p, err := s.start(limited, jobs[i])
		if err != nil {
			cancel()
			if other := procs[1-i]; other != nil {
				_, _ = other.wait()
			}
			return outcomes, err
		}
		procs[i] = p
	}
	released := make(chan struct{})
	go func() { // ends at the latest when either process does
		defer close(released)
		release(procs)
	}()
	var errs [2]error
	for _, i := range order {
		outcomes[i], errs[i] = procs[i].wait()
		errs[i] = jobs[i].late(ctx, errs[i])
	}
	<-released
	if errs[0] != nil {
		return outcomes, fmt.Errorf("%s arm: %w", model.Base, errs[0])
	}
	if errs[1] != nil {
		return outcomes, fmt.Errorf("%s arm: %w", model.Candidate, errs[1])
	}
	return outcomes, nil
}

// release lets both processes go on whenever both are ready, and for good as
// soon as one of them has ended: an arm that fails must not hold the other.
func release(procs [2]*process) {
	if procs[0].ready == nil || procs[1].ready == nil {
		return
	}
	one := make([]byte, 1)
	for {
		for _, p := range procs {
			if _, err := io.ReadFull(p.ready, one); err != nil {
				closeAll(procs[0].letGo, procs[1].letGo)
				return
			}
		}
		for _, p := range procs {
			if _, err := p.letGo.Write(one); err != nil && !errors.Is(err, os.ErrClosed) {
				continue // it has ended, and the next read says so
			}
		}
	}
}

func closeAll(files ...*os.File) {
	for _, f := range files {
		_ = f.Close()
	}
}
