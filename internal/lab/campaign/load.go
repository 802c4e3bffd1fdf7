package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"runtime"
	"sync"
	"time"
)

// The load, once and for all: a campaign names the number of workers and the
// seed, and with these numbers that is a statement of what was on.
const (
	phaseMin  = 500 * time.Millisecond // of work, and of rest
	phaseMax  = 20 * time.Second
	burstMin  = 2 * time.Millisecond // of arithmetic or copying
	burstMax  = 60 * time.Millisecond
	sleepMin  = 500 * time.Microsecond
	sleepMax  = 10 * time.Millisecond
	copyBytes = 16 << 20 // each of the two buffers that are copied
)

// The mix of what a worker does in a phase of work, in per cent.
const (
	arithmetic = 55
	copying    = 20
	sleeping   = 20
	// the rest starts processes
)

func loadFlags(f *flag.FlagSet, s *settings) {
	f.IntVar(&s.workers, "workers", 2, "how many workers")
	f.Uint64Var(&s.seed, "seed", 1, "what the phases follow from")
	f.BoolVar(&s.withParent, "with-parent", false, "end when standard input does")
}

func runLoad(ctx context.Context, s *settings) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if s.withParent {
		go func() { // ends with the program: a read cannot be called off
			_, _ = io.Copy(io.Discard, os.Stdin)
			cancel()
		}()
	}
	runtime.GOMAXPROCS(s.workers + 1)
	self, err := os.Executable()
	if err != nil {
		return fmt.Errorf("finding the program to start: %w", err)
	}
	var wg sync.WaitGroup
	for i := range s.workers {
		w := &worker{rng: rand.New(rand.NewPCG(s.seed, uint64(i)+1)), self: self}
		w.from, w.to = make([]byte, copyBytes), make([]byte, copyBytes)
		wg.Go(func() { w.run(ctx) })
	}
	wg.Wait()
	return nil
}

// A worker is one neighbour.
type worker struct {
	rng      *rand.Rand
	self     string
	from, to []byte
	sink     uint64
}

func (w *worker) run(ctx context.Context) {
	if w.rng.IntN(2) == 0 {
		w.rest(ctx, w.between(phaseMin, phaseMax))
	}
	for ctx.Err() == nil {
		for end := time.Now().Add(w.between(phaseMin, phaseMax)); time.Now().Before(end) && ctx.Err() == nil; {
			w.work(ctx)
		}
		w.rest(ctx, w.between(phaseMin, phaseMax))
	}
}

// between draws a duration whose logarithm is evenly spread: mostly short,
// sometimes long, as disturbances are.
func (w *worker) between(lo, hi time.Duration) time.Duration {
	return time.Duration(float64(lo) * math.Pow(float64(hi)/float64(lo), w.rng.Float64()))
}

func (w *worker) rest(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-ctx.Done():
	}
}

// work does one thing of the mix.
func (w *worker) work(ctx context.Context) {
	switch p := w.rng.IntN(100); {
	case p < arithmetic:
		for end := time.Now().Add(w.between(burstMin, burstMax)); time.Now().Before(end); {
			for range 10_000 {
				w.sink = w.sink*6364136223846793005 + 1442695040888963407
			}
		}
	case p < arithmetic+copying:
		for end := time.Now().Add(w.between(burstMin, burstMax)); time.Now().Before(end); {
			at := w.rng.IntN(copyBytes / 2)
			copy(w.to[at:], w.from[at:at+copyBytes/4])
		}
	case p < arithmetic+copying+sleeping:
		w.rest(ctx, w.between(sleepMin, sleepMax))
	default:
		cmd := exec.CommandContext(ctx, w.self)
		cmd.Env = append(os.Environ(), idleEnv+"=1")
		_ = cmd.Run() // that it was started is all that matters
	}
}
