package pawldrive

import (
	"maps"
	"slices"
	"strings"
)

// A judged is what one of the benchmarks that judge the change calls a function
// with. Some of that is kept whatever the tests call it with, and driven first: a
// gain that is shown on inputs that nobody compared shows nothing.
type judged struct {
	calls   int // that came while no other was being copied
	inputs  []*input
	shapes  map[uint64]bool
	dropped map[string]int
	unsure  bool // what it calls is not known from its inputs
}

const (
	judgedFirst  = 4 // calls that are copied in any case
	judgedInputs = 8 // for each benchmark
)

// Benchmark says which benchmark runs from now on. Package testing calls it.
func Benchmark(name string) {
	recorder.benchmarks.Store(true)
	recorder.test.Store(nil)
	if !recorder.on.Load() {
		return
	}
	recorder.offer()
	recorder.judge.Store(nil)
	if slices.Contains(strings.Split(Env(envJudges), "\n"), name) {
		recorder.judge.Store(&name)
		recorder.begin()
	}
}

// Test says which test begins. Package testing calls it.
func Test(name string) { recorder.test.Store(&name) }

// by returns what is known of a function's calls by a benchmark, nil for none.
func (f *function) by(judge *string) *judged {
	if judge == nil {
		return nil
	}
	if f.judged == nil {
		f.judged = map[string]*judged{}
	}
	w := f.judged[*judge]
	if w == nil {
		w = &judged{shapes: map[uint64]bool{}, dropped: map[string]int{}}
		f.judged[*judge] = w
	}
	w.calls++
	return w
}

// owes reports whether nothing of a benchmark has been kept: then its calls are
// copied however much was spent on others.
func (w *judged) owes() bool { return w != nil && len(w.inputs) == 0 && w.tries() }

// tries reports whether a call is among those that are copied in any case. One
// that cannot be copied is hardly followed by many that can.
func (w *judged) tries() bool { return w.calls <= judgedFirst || w.calls&(w.calls-1) == 0 }

// wants reports whether an input of a shape is to be kept for its benchmark.
func (w *judged) wants(shape uint64) bool {
	return w != nil && len(w.inputs) < judgedInputs && (w.tries() || !w.shapes[shape])
}

// large reports whether an input is kept that is too large to be driven often.
func (w *judged) large() bool {
	return slices.ContainsFunc(w.inputs, func(in *input) bool { return in.large })
}

// judgesFirst puts what the judging benchmarks call a function with before all
// other inputs.
func (f *function) judgesFirst() {
	var usual, large []*input
	for _, name := range slices.Sorted(maps.Keys(f.judged)) {
		for _, in := range f.judged[name].inputs {
			if in.large {
				large = append(large, in)
			} else {
				usual = append(usual, in)
			}
		}
	}
	f.inputs, f.large = append(usual, f.inputs...), append(large, f.large...)
}

// judgedRecords counts for each judging benchmark how many of its inputs were compared.
func (f *function) judgedRecords() (out []judgedRecord) {
	for _, name := range slices.Sorted(maps.Keys(f.judged)) {
		w := f.judged[name]
		r := judgedRecord{Benchmark: name, Calls: w.calls, Why: most(w.dropped)}
		for _, in := range w.inputs {
			r.Inputs += b2i(in.compared)
		}
		if w.unsure {
			r.Inputs = 0
		}
		if r.Why == "" && r.Inputs == 0 {
			r.Why = "its calls could not be compared"
		}
		out = append(out, r)
	}
	return out
}

// most returns the reason that was there most often, "" for none.
func most(why map[string]int) (reason string) {
	for _, w := range slices.Sorted(maps.Keys(why)) {
		if reason == "" || why[w] > why[reason] {
			reason = w
		}
	}
	return reason
}
