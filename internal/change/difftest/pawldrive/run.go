package pawldrive

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"time"
)

// An arm is one side: a call of the base's or of the candidate's body.
type arm func([]any) []any

// An outcome is what one call did.
type outcome struct {
	args    []any // as they are afterwards
	results []any
	calls   *calls
	panics  bool
	runtime bool // by an error of the runtime
	text    string
	exits   bool // runtime.Goexit
	hung    bool
	took    time.Duration
	drawn   draws // since the script began
	shares  []share
	reached uint64 // of the base, what Reached said: a bit each
	used    []bool // of each argument, whether the room behind it was written to
}

// deadline is how much of its own time one call may take.
const deadline = 2 * time.Second

// call runs one side in a goroutine of its own, which cannot be stopped when it
// does not end in time.
func call(f arm, args []any, limit time.Duration) *outcome {
	o := &outcome{args: args}
	done := make(chan outcome, 1)
	start := time.Now()
	go func() {
		r := outcome{exits: true}
		defer func() { done <- r }()
		debug.SetPanicOnFault(true)
		run(f, args, &r)
	}()
	end := ownNow().Add(limit)
	timer := time.NewTimer(limit)
	defer timer.Stop()
	for {
		select {
		case r := <-done:
			r.args, r.took = args, time.Since(start)
			return &r
		case <-timer.C:
			if left := ownUntil(end); left > 0 { // others held it up
				timer.Reset(left)
				continue
			}
			o.hung = true
			o.took = time.Since(start)
			return o
		}
	}
}

func run(f arm, args []any, r *outcome) {
	returned := false
	defer func() {
		if returned {
			r.exits = false
			return
		}
		if p := recover(); p != nil {
			r.exits, r.panics = false, true
			r.describePanic(p)
		}
	}()
	r.results = f(args)
	returned = true
}

func (r *outcome) describePanic(p any) {
	if e, ok := p.(runtime.Error); ok {
		_, explicit := p.(*runtime.PanicNilError)
		r.runtime = !explicit
		r.text = errorText(e)
		return
	}
	switch v := p.(type) {
	case error:
		r.text = fmt.Sprintf("%T: %s", v, errorText(v))
	case string:
		r.text = v
	default:
		r.text = describe(v)
	}
}

// ended says how a call ended, for a report.
func (r *outcome) ended() string {
	switch {
	case r.hung:
		return fmt.Sprintf("does not return within %v", r.took.Round(time.Second))
	case r.exits:
		return "ends its goroutine"
	case r.panics:
		return shorten("panics: "+r.text, maxText)
	}
	return "returns " + describeAll(r.results)
}

// normal reports whether the call returned.
func (r *outcome) normal() bool { return !r.hung && !r.exits && !r.panics }
