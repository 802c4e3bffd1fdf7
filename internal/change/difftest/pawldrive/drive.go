package pawldrive

import (
	"fmt"
	"maps"
	"os"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Options are what the environment asks for.
type options struct {
	out     string
	pairs   int
	seconds float64
	skip    map[int]bool
	done    map[int]bool    // of these, only the phase "extremes"
	avoid   map[string]bool // "id phase input", or "id phase"
	memory  int64
	beside  map[int]bool
	seed    uint64
	mode    string
	made    bool
}

const (
	modePairs        = "pairs"
	modeConcurrentB  = "concurrent-base"
	modeConcurrentC  = "concurrent-candidate"
	defaultPairs     = 1000
	defaultSeconds   = 20
	maxStack         = 64 << 20
	stepsPerSequence = 6
	confirmations    = 12
	maxSlow          = 2 * time.Second // of one confirmation
	maxHangs         = 2
	pairsPerSequence = 16
)

func fromEnvironment() options {
	o := options{out: Env(envOut), pairs: defaultPairs, seconds: defaultSeconds, skip: numbers(envSkip), done: numbers(envDone), beside: numbers(envBeside),
		mode: Env(envMode), made: Env(envMade) == "true", avoid: map[string]bool{}}
	if n, err := strconv.Atoi(Env(envPairs)); err == nil && n > 0 {
		o.pairs = n
	}
	if s, err := strconv.ParseFloat(Env(envSeconds), 64); err == nil && s > 0 {
		o.seconds = s
	}
	o.seed, _ = strconv.ParseUint(Env(envSeed), 10, 64)
	o.memory, _ = strconv.ParseInt(Env(envMemory), 10, 64)
	for at := range strings.FieldsFuncSeq(Env(envAvoid), func(r rune) bool { return r == '\n' }) {
		o.avoid[at] = true
	}
	return o
}

func numbers(name string) map[int]bool {
	out := map[int]bool{}
	for _, id := range strings.Split(Env(name), ",") {
		if n, err := strconv.Atoi(strings.TrimSpace(id)); err == nil {
			out[n] = true
		}
	}
	return out
}

// Drive drives all that was recorded, and writes the records. It is called once,
// after the tests and benchmarks, and records no more. Where a call cannot be
// stopped, it ends the process.
func Drive() {
	o := fromEnvironment()
	if o.out == "" {
		return
	}
	w, err := os.OpenFile(o.out, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		fmt.Fprintln(os.Stderr, "pawldrive: cannot write records:", err)
		os.Exit(3)
	}
	if !recorder.drive(o, &output{w}) {
		w.Close()
		os.Exit(0)
	}
	w.Close()
}

// drive reports whether it came to its end, rather than to a call that goes on.
func (h *hub) drive(o options, out *output) bool {
	h.offer()
	h.on.Store(false)
	h.ledgers.Range(func(n, _ any) bool { h.ledgers.Delete(n); return true }) // with the values
	defer debug.SetMaxStack(debug.SetMaxStack(maxStack))
	all := h.all()
	var todo []*function
	for _, id := range slices.Sorted(maps.Keys(all)) {
		if !o.skip[id] {
			todo = append(todo, all[id])
		}
	}
	for _, f := range todo { // what still records comes to its end
		f.mu.Lock()
		defer f.mu.Unlock()
		f.judgesFirst()
	}
	if o.mode == modeConcurrentB || o.mode == modeConcurrentC {
		// Callers have the highest numbers. Where the time ends early, it is better to know of them than of a function that they
		// stand for: that one may differ in calls at the same time that none of them allows.
		slices.Reverse(todo)
		return h.concurrently(todo, o, out)
	}
	wallet.close(o.memory)
	var drives []*drive
	end := ownNow().Add(time.Duration(o.seconds * 0.9 * float64(time.Second)))
	for i, f := range todo {
		share := ownUntil(end) / time.Duration(len(todo)-i)
		d := &drive{f: f, o: o, out: out, start: ownNow(), share: share}
		if o.done[f.ID] && len(f.inputs) > 0 {
			d.mut = newMutator(f, o.seed)
		} else if !o.done[f.ID] && !d.whole() {
			return false
		}
		drives = append(drives, d)
	}
	for _, d := range drives {
		if !d.extremes(time.Duration(o.seconds * 0.1 / float64(len(drives)) * float64(time.Second))) {
			return false
		}
	}
	last := &endRecord{Reason: "done"}
	last.Began, last.Left = cut()
	out.put(record{End: last})
	return true
}

// cut returns how many tests, subtests and benchmarks began, and how many were
// left out for lack of time; zeros where none was.
func cut() (began, left int) {
	b, l, _ := strings.Cut(Env(envCut), " ")
	began, _ = strconv.Atoi(b)
	left, _ = strconv.Atoi(l)
	return began, left
}

// A drive is the driving of one function.
type drive struct {
	f         *function
	o         options
	out       *output
	start     time.Time
	share     time.Duration
	mut       *mutator
	largest   int      // bytes of the largest recorded input
	madeBytes int      // of the generated inputs that are kept
	panicked  int      // pairs in which the base panicked
	made      []*input // generated ones that the base returned from
	prev      *script
	unseen    map[uint64]bool // distinct inputs made so far
	emitted   int             // differences in records so far
	differs   bool            // what the last pair showed
	clock     bool            // the base asked for the time in it
	befores   int             // receivers set up so far
	full      bool            // filling one takes too long
	baseHangs int
	candHangs int
	stuck     bool // a call goes on and burns the processor
	fresh     *freshRecord
	states    []stateRecord
}

// wallet is the process's own.
var wallet purse

// until returns when a part of the function's share of time ends.
func (d *drive) until(part float64) time.Time {
	return d.start.Add(time.Duration(float64(d.share) * part))
}

func (d *drive) over() bool { return d.stuck || d.candHangs > 0 || d.baseHangs >= maxHangs }

// whole drives one function and writes its record. It reports whether the
// process is still fit for others.
func (d *drive) whole() bool {
	f := d.f
	if d.o.made && len(f.inputs)+len(f.large) == 0 {
		f.makeUp(d.o.seed)
	}
	if len(f.inputs)+len(f.large) == 0 {
		d.emit(f.unrecorded())
		return true
	}
	if len(f.inputs) == 0 {
		return d.onlyLarge()
	}
	d.mut = newMutator(f, d.o.seed)
	d.safely(func() { d.pairs(d.until(0.4)) })
	d.safely(func() { d.sequences(d.until(0.6)) })
	d.safely(func() { d.passed(d.until(0.68)) })
	d.safely(func() { d.freshness(d.until(0.8)) })
	d.emit("") // before what takes longest on a busy machine
	d.safely(func() { d.leaks(d.until(1)) })
	d.emit("")
	if d.stuck {
		d.out.put(record{End: &endRecord{Reason: "hang", ID: f.ID}})
	}
	return !d.stuck
}

// begin says what comes next, unless an earlier process ended there.
func (d *drive) begin(phase string, input int) bool {
	at := strconv.Itoa(d.f.ID) + " " + phase
	if d.o.avoid[at] || d.o.avoid[at+" "+strconv.Itoa(input)] {
		return false
	}
	d.out.start(d.f, phase, input)
	return true
}

// onlyLarge drives a function all of whose inputs are too large for more than a
// few calls.
func (d *drive) onlyLarge() bool {
	f := d.f
	f.notes[fmt.Sprintf("more than %d of its inputs: those recorded are too large", len(f.large))] = true
	d.safely(func() {
		for i, in := range f.large {
			if !d.begin("recorded", i) {
				continue
			}
			for _, apart := range moments[:2] {
				d.pair(&script{steps: []*input{in}, apart: apart})
			}
		}
	})
	f.notes["what a generated input would show"] = true
	d.emit("")
	if d.stuck {
		d.out.put(record{End: &endRecord{Reason: "hang", ID: f.ID}})
	}
	return !d.stuck
}

// safely runs one phase, unless a call has been given up. A value that the
// library cannot handle costs that phase, and not the process.
func (d *drive) safely(phase func()) {
	if d.over() {
		return
	}
	defer func() {
		if r := recover(); r != nil {
			d.f.notes[shorten(fmt.Sprintf("what a phase would have shown that failed: %v", r), maxText)] = true
		}
	}()
	phase()
}

// unrecorded says why there is no input.
func (f *function) unrecorded() string {
	if f.calls.Load() == 0 {
		return "no test and no benchmark calls it"
	}
	if len(f.dropped) == 0 {
		return "its calls could not be recorded"
	}
	return "no input could be copied: " + most(f.dropped)
}

// emit writes the record of the function: calls and differences are those since
// the record before it.
func (d *drive) emit(skipped string) {
	f := d.f
	rec := &driven{ID: f.ID, Func: f.Name, Inputs: f.recorded(), Pairs: f.pairs, Calls: int(f.calls.Swap(0)), Skipped: skipped, Fresh: d.fresh,
		Judged: f.judgedRecords(), First: f.first}
	if f.reached != [len(f.reached)]int{} {
		rec.Reached = f.reached[:]
		for _, w := range f.writes {
			rec.Writes = append(rec.Writes, w.of > 0 && w.yes == w.of)
		}
	}
	for _, k := range f.order[d.emitted:] {
		if x := *f.found[k]; x.shares == nil || !f.mayShare[*x.shares] {
			rec.Differences = append(rec.Differences, x)
		}
	}
	d.emitted = len(f.order)
	for k := range f.took {
		if f.took[k].Load() {
			rec.Took = append(rec.Took, k)
		}
	}
	for why, n := range f.dropped {
		if skipped == "" {
			f.notes[fmt.Sprintf("%d calls whose input was not copied: %s", n, why)] = true
		}
	}
	if d.panicked > f.pairs*9/10 && f.pairs > 0 {
		f.notes["what it returns, for the most part: the base panicked in "+strconv.Itoa(d.panicked)+" calls"] = true
	}
	rec.Uncompared = slices.Sorted(maps.Keys(f.notes))
	d.out.put(record{Func: rec, States: d.states})
}
