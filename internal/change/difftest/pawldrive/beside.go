package pawldrive

import (
	"fmt"
	"runtime"
	"sync"
	"time"
)

const (
	besideMethods = 8
	besideLimit   = 3 * time.Second
	// A detector sees a race only where nothing else orders the two accesses, which is
	// a matter of luck: so there are many rounds, as long as they do not take long.
	besideRounds = 200
	besideTime   = time.Second
)

// beside calls one side while other goroutines call other methods of the same
// receiver, and functions that write what it reads. What these return depends on
// the order; races and calls that do not return are all that is looked for.
func (f *function) beside(o options, side func(*input) arm, mode string) *concurrent {
	r := &concurrent{ID: f.ID, Func: f.Name, Mode: mode, Detector: raceEnabled, Beside: true}
	first := f.inputs[0]
	mut := newMutator(f, o.seed)
	steps, _ := f.steps(first, f.inputs, r)
	before, start := raceErrors(), time.Now()
	for i := 0; i < besideRounds && r.Detail == "" && (i == 0 || time.Since(start) < besideTime); i++ {
		recv, err := duplicate(first.args[:min(1, len(first.args))])
		if err != nil {
			return r
		}
		others := caller{mut}.writerCalls(besideMethods)
		if f.Receiver {
			others = append(others, caller{mut}.methodCalls(recv[0], besideMethods)...)
		}
		if len(others) == 0 || len(steps) == 0 {
			return r
		}
		if !f.round(recv, [2][]*input{steps, others}, side, r) {
			r.hung, r.Detail = true, "calls beside others that use the same memory do not return"
		}
		if n := raceErrors() - before; n > 0 {
			r.Races, r.Detail = n, fmt.Sprintf("%d data races", n)
		}
		if r.Detail != "" {
			r.Input = (&script{before: others}).prepared() + first.describe()
		}
	}
	return r
}

// round makes the calls of both lists on one receiver, two goroutines each, and
// reports whether all of them returned.
func (f *function) round(recv []any, lists [2][]*input, side func(*input) arm, r *concurrent) bool {
	var wg sync.WaitGroup
	begin := make(chan struct{})
	for g := range together {
		list := lists[g%2]
		var args [][]any
		for _, in := range list {
			args = append(args, f.argsOn(recv, in))
		}
		r.Calls += concurrentTurns * len(list)
		wg.Add(1)
		go func() {
			defer wg.Done()
			<-begin
			for range concurrentTurns {
				for i, in := range list {
					var o outcome
					run(side(in), args[i], &o)
					runtime.Gosched()
				}
			}
		}()
	}
	close(begin)
	ended := make(chan struct{})
	go func() { wg.Wait(); close(ended) }()
	select {
	case <-ended:
		return true
	case <-time.After(besideLimit):
		return false
	}
}

// canBeside reports whether other functions may be called at the same time, as far
// as is known before that is tried.
func (f *function) canBeside(o options, plain *concurrent) bool {
	return raceEnabled && len(f.Methods)+len(f.Beside) > 0 && plain.Calls > 0 && plain.Detail == "" &&
		(o.mode == modeConcurrentB || o.beside[f.ID])
}
