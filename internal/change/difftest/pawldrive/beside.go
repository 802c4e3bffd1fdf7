package pawldrive

import (
	"fmt"
	"sync"
	"time"
)

const (
	besideMethods = 8
	besideLimit   = 3 * time.Second
)

// beside calls one side while other goroutines call other methods of the same
// receiver. What these return depends on the order; races and calls that do not
// return are all that is looked for.
func (f *function) beside(o options, side func(*input) arm, mode string) *concurrent {
	r := &concurrent{ID: f.ID, Func: f.Name, Mode: mode, Detector: raceEnabled, Beside: true}
	first := f.inputs[0]
	recv, err := duplicate(first.args[:1])
	if err != nil {
		return r
	}
	others := newMutator(f, o.seed).methodCalls(recv[0], besideMethods)
	var steps []*input
	for _, in := range f.inputs {
		if len(steps) < concurrentSteps && sameTypes(first.args, in.args) && !aliasesReceiver(in.args) {
			steps = append(steps, in)
		}
	}
	if len(others) == 0 || len(steps) == 0 {
		return r
	}
	before := raceErrors()
	var wg sync.WaitGroup
	begin := make(chan struct{})
	for g := range together {
		list := steps
		if g%2 == 1 {
			list = others
		}
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
				}
			}
		}()
	}
	close(begin)
	ended := make(chan struct{})
	go func() { wg.Wait(); close(ended) }()
	select {
	case <-ended:
	case <-time.After(besideLimit):
		r.hung, r.Detail = true, "calls beside the receiver's other methods do not return"
	}
	if n := raceErrors() - before; n > 0 {
		r.Races, r.Detail = n, fmt.Sprintf("%d data races", n)
	}
	if r.Detail != "" {
		r.Input = (&script{before: others}).prepared() + first.describe()
	}
	return r
}

// canBeside reports whether other methods may be called at the same time, as far
// as is known before that is tried.
func (f *function) canBeside(o options, plain *concurrent) bool {
	return raceEnabled && f.Receiver && len(f.Methods) > 0 && plain.Calls > 0 && plain.Detail == "" &&
		(o.mode == modeConcurrentB || o.beside[f.ID])
}
