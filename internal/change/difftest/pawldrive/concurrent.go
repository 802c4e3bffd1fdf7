package pawldrive

import (
	"cmp"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"time"
)

const (
	together        = 4  // goroutines
	concurrentRecvs = 4  // receivers that are shared, one after the other
	concurrentSteps = 16 // inputs on each
	concurrentTurns = 8
	concurrentLimit = 10 * time.Second
)

// ofBase is the mode of a record about the base.
const ofBase = "base"

// concurrently calls one side of each function from several goroutines at the
// same time, on one receiver.
func (h *hub) concurrently(todo []*function, o options, out *output) bool {
	if runtime.GOMAXPROCS(0) < together {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(together))
	}
	side, mode := baseOf, ofBase
	if o.mode == modeConcurrentC {
		side, mode = candOf, "candidate"
	}
	for _, f := range todo {
		r := &concurrent{ID: f.ID, Func: f.Name, Mode: mode, Detector: raceEnabled}
		switch {
		case len(f.inputs) == 0:
			r.Reason = f.unrecorded()
		case f.heldOK:
			r.Reason = "its callers hold a mutex"
		default:
			out.start(f, o.mode, 0)
			end := ownNow().Add(time.Duration(o.seconds / float64(len(todo)) * float64(time.Second)))
			for i := 0; i < concurrentRecvs && i < len(f.inputs) && r.Detail == "" && (i == 0 || ownNow().Before(end)); i++ {
				f.together(f.inputs[i*len(f.inputs)/concurrentRecvs%len(f.inputs)], side, r)
			}
		}
		out.put(record{Concurrent: r})
		if f.canBeside(o, r) {
			out.start(f, "beside", 0)
			r = f.beside(o, side, mode)
			out.put(record{Concurrent: r})
		}
		if r.hung {
			out.put(record{End: &endRecord{Reason: "hang", ID: f.ID}})
			return false
		}
	}
	out.put(record{End: &endRecord{Reason: "done"}})
	return true
}

// together plays inputs at the same time on the receiver of the first, and
// notes what went wrong.
func (f *function) together(first *input, side func(*input) arm, r *concurrent) {
	steps, why := f.steps(first, append([]*input{first}, f.inputs...), r)
	if len(steps) == 0 {
		r.Reason = cmp.Or(r.Reason, why)
		return
	}
	serial := f.serial(first, steps, side)
	before := raceErrors()
	recv, err := duplicate(first.args[:min(1, len(first.args))])
	if err != nil {
		return
	}
	r.Reason = ""
	wrong, hung := f.atOnce(recv, steps, serial, side, r)
	r.hung = hung
	if n := raceErrors() - before; n > 0 {
		r.Races += n
		wrong = append([]string{fmt.Sprintf("%d data races", n)}, wrong...)
	}
	if len(wrong) > 0 {
		r.Detail, r.Input = wrong[0], first.describe()
	}
}

// steps are those of some inputs that can be played on the receiver of the first. Of the candidate they are those at which
// the base returns: where it panics at the same receiver, it has shown nothing of calls at the same time.
func (f *function) steps(first *input, inputs []*input, r *concurrent) (steps []*input, why string) {
	for _, in := range inputs {
		if len(steps) < concurrentSteps && sameTypes(first.args, in.args) && (!f.Receiver || !aliasesReceiver(in.args)) {
			steps = append(steps, in)
		}
	}
	if len(steps) == 0 {
		return nil, "every input's arguments share memory with its receiver"
	}
	if r.Mode == ofBase {
		return steps, ""
	}
	recv, err := duplicate(first.args[:min(1, len(first.args))])
	if err != nil {
		return steps, ""
	}
	return slices.DeleteFunc(steps, func(in *input) bool {
		return !call(baseOf(first), f.argsOn(recv, in), deadline).normal()
	}), "the base returns from none of these calls"
}

// serial calls the steps one after the other, in two orders, and returns what
// those did that do not depend on the order, nil for the others.
func (f *function) serial(first *input, steps []*input, side func(*input) arm) []*outcome {
	forth, back := slices.Clone(steps), slices.Clone(steps)
	slices.Reverse(back)
	one, two := f.row(first, forth, side), f.row(first, back, side)
	slices.Reverse(two)
	alone := make([]*outcome, len(steps))
	for i := range steps {
		if a, b := one[i], two[i]; a != nil && b != nil && f.sameOutcome(a, b) {
			alone[i] = a
		}
	}
	return alone
}

func (f *function) row(first *input, steps []*input, side func(*input) arm) []*outcome {
	out := make([]*outcome, len(steps))
	recv, err := duplicate(first.args[:min(1, len(first.args))])
	if err != nil {
		return out
	}
	for i, in := range steps {
		o := call(side(first), f.argsOn(recv, in), deadline)
		if !o.normal() {
			continue
		}
		if o.results, err = duplicate(o.results); err == nil {
			out[i] = o
		}
	}
	return out
}

// argsOn returns a copy of an input's arguments with the receiver recv.
func (f *function) argsOn(recv []any, in *input) []any {
	args, err := duplicate(in.args)
	if err != nil {
		return slices.Clone(in.args)
	}
	replaceFuncs(args, f.Receiver)
	if f.Receiver {
		args[0] = recv[0]
	}
	return args
}

func (f *function) sameOutcome(a, b *outcome) bool {
	d := newDiffer(f)
	for i := range a.results {
		if i < len(b.results) && d.any(a.results[i], b.results[i]) != nil {
			return false
		}
	}
	return true
}

// atOnce is the calls themselves. Each goroutine goes through the steps from
// another place.
func (f *function) atOnce(recv []any, steps []*input, serial []*outcome, side func(*input) arm, r *concurrent) (wrong []string, hung bool) {
	type done struct {
		i int
		o outcome
	}
	var wg sync.WaitGroup
	results := make([][]done, together)
	var args [together][concurrentTurns][][]any
	for g := range together {
		for turn := range concurrentTurns {
			for _, in := range steps {
				args[g][turn] = append(args[g][turn], f.argsOn(recv, in))
			}
		}
	}
	begin := make(chan struct{})
	for g := range together {
		wg.Add(1)
		go func() {
			defer wg.Done()
			<-begin
			for turn := range concurrentTurns {
				for k := range steps {
					i := (k + g*len(steps)/together) % len(steps)
					var o outcome
					run(side(steps[0]), args[g][turn][i], &o)
					results[g] = append(results[g], done{i, o})
				}
			}
		}()
	}
	close(begin)
	ended := make(chan struct{})
	go func() { wg.Wait(); close(ended) }()
	select {
	case <-ended:
	case <-time.After(concurrentLimit):
		return []string{"calls at the same time do not return"}, true
	}
	for _, list := range results {
		for _, x := range list {
			r.Calls++
			want := serial[x.i]
			switch {
			case want == nil:
			case x.o.panics:
				wrong = append(wrong, "a call "+x.o.ended())
			case !f.sameOutcome(want, &x.o):
				wrong = append(wrong, fmt.Sprintf("a call returned %s, and alone %s", describeAll(x.o.results), describeAll(want.results)))
			}
		}
	}
	return wrong, false
}

// aliasesReceiver reports whether other arguments share memory with the
// receiver: calls would race over what belongs to one caller.
func aliasesReceiver(args []any) bool {
	recv, rest := newCopier(false), newCopier(false)
	recv.limit, rest.limit = 64*maxBytes, 64*maxBytes
	if _, err := recv.copy(args[:1]); err != nil {
		return true
	}
	if _, err := rest.copy(args[1:]); err != nil {
		return true
	}
	for _, s := range rest.spans {
		if _, at := recv.find(s.src); at != nil {
			return true
		}
	}
	return slices.ContainsFunc(recv.spans, func(s span) bool { _, at := rest.find(s.src); return at != nil })
}
