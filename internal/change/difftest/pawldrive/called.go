package pawldrive

import (
	"bytes"
	"path"
	"reflect"
	"runtime"
	"runtime/metrics"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"
)

// How much ledgers note.
const (
	ofZero = -1 // a step that makes a zero value

	// Of one history: it is played often, and beside others.
	maxSteps     = 4096
	maxStepBytes = maxBytes / 4
	maxStepTime  = deadline / 20

	// Of the tests, and of each judging benchmark.
	maxValues = 1 << 10
	maxNoted  = 32 << 20 // bytes of what these are called with
	maxNoting = 2 * time.Second
	maxKept   = 256 << 20 // bytes that the heap may grow by, as values are kept

	maxPrints = 8 // values of a history whose prints are taken
)

// A ledger is of a type that is another one in the candidate. It notes calls that make values of it and use them, and offers them to
// the recorder as the argument of a function that makes these calls.
type ledger struct {
	f          *function
	step       reflect.Type // a struct: Of, On, With, and the arguments
	cand, base arm
	setters    []string // benchmarks that set fields of values

	mu     sync.Mutex
	full   atomic.Bool
	values map[unsafe.Pointer]*value // which keeps them, so that no other gets an address of theirs
	open   map[uint64]int            // calls under way, by goroutine: what these call is not noted
	inner  map[uint64]bool           // goroutines, and whether the package started them: the same holds for their calls
	all    []*history
	calls  int                   // that were noted
	own    reflect.Type          // of the values
	never  map[reflect.Type]bool // what arguments cannot be of: what changed
	zeros  bool                  // nothing but calls that are noted makes values
	lost   bool                  // values are not known any more

	// Since the tests or a judging benchmark began.
	since, bytes int // values, and what they were called with
	spent        time.Duration
	heap         uint64 // bytes, as the first value was kept
}

// A value is one of the type.
type value struct {
	at     int // its place in what the steps make
	in     *history
	prints prints // after the last call that concerned it, and which one that was
	call   int
}

// A history is what was called, in order, on values that have to do with each other.
type history struct {
	steps  []reflect.Value
	bytes  int           // of what they are called with
	took   time.Duration // by the calls
	made   int           // by the steps, one value twice where two of them returned it
	unsure string        // why the steps do not lead to the values
	last   int           // call
	values []unsafe.Pointer
	alone  int      // goroutines, as the first call began
	fresh  bool     // there are steps that were not offered
	into   *history // that it has become part of, and from where on
	from   int
}

// Sequence tells the library of a type whose calls are noted, under the number n. Function id, which was registered before, takes
// a list of steps, and the arms call it. Own are nil pointers to the types that changed. Zeros says that a value with nothing in it
// was made by no function: what those make may have something in it in the base. Setters are benchmarks that set fields of values:
// of these, calls do not say enough.
func Sequence(n, id int, step any, own []any, zeros bool, cand, base func([]any) []any, setters []string) {
	if f := recorder.all()[id]; f != nil {
		l := &ledger{
			f: f, step: reflect.TypeOf(step), cand: cand, base: base, setters: setters, zeros: zeros,
			values: map[unsafe.Pointer]*value{}, open: map[uint64]int{}, inner: map[uint64]bool{}, never: map[reflect.Type]bool{},
		}
		for _, t := range own {
			l.never[reflect.TypeOf(t).Elem()] = true
		}
		recorder.ledgers.Store(n, l)
	}
}

// Called notes a call of a value of the type that ledger n is of, or of a function that makes one, for which on is nil. With is
// another value of the type that is an argument, and step has the others; step is a name where no more can be said. What Called
// returns has to be called at the end, with the address of the value that was made, or nil.
func Called(n int, on, with, step any) func(made any) {
	l, ok := recorder.ledgers.Load(n)
	if !ok || !recorder.on.Load() {
		return func(any) {}
	}
	return l.(*ledger).called(on, with, step)
}

func (l *ledger) called(on, with, step any) func(any) {
	if l.full.Load() {
		return func(any) {}
	}
	start, g := time.Now(), goroutine()
	l.mu.Lock()
	defer l.mu.Unlock()
	defer l.spend(start)
	l.open[g]++
	if l.open[g] > 1 || l.within(g) {
		return func(any) { l.left(g, nil) }
	}
	x, y := l.value(on), l.value(with)
	now := l.copied(step)
	now.goroutines = runtime.NumGoroutine()
	if len(l.open) == 1 && (l.changed(x, step) || l.changed(y, step)) {
		now.unsure = "what changes its values in between was not noted"
	}
	if on != nil && x == nil || with != nil && y == nil {
		now.unsure = "it is called with nil"
	}
	began := time.Now()
	return func(made any) {
		now.took = time.Since(began)
		l.left(g, func() { l.add(x, y, now, made) })
	}
}

// within reports whether the package started the calling goroutine g. Its calls are made again when those are that started it.
func (l *ledger) within(g uint64) bool {
	inner, ok := l.inner[g]
	if !ok {
		buf := make([]byte, 16<<10)
		inner = startedBy(string(buf[:runtime.Stack(buf, false)]), l.step.PkgPath())
		l.inner[g] = inner
	}
	return inner
}

// startedBy reports whether a goroutine with a stack was started by code of a package, its tests aside.
func startedBy(stack, pkg string) bool {
	dir, last := path.Split(pkg)
	_, by, found := strings.Cut(stack, "\ncreated by "+dir+strings.ReplaceAll(last, ".", "%2e")+".")
	_, file, _ := strings.Cut(by, "\n\t")
	return found && !strings.Contains(file, "_test.go:")
}

// spend counts the time since then.
func (l *ledger) spend(start time.Time) {
	if l.spent += time.Since(start); l.spent > maxNoting {
		l.full.Store(true)
	}
}

// changed reports whether a value is not as the last call that is known left it.
func (l *ledger) changed(p unsafe.Pointer, step any) bool {
	v := l.values[p]
	if v == nil || v.prints == nil {
		return false
	}
	h, _ := v.in.root()
	return h.live() && v.call == h.last && v.prints.changed(l.printsOf(p, step, h))
}

func (l *ledger) printsOf(p unsafe.Pointer, step any, h *history) prints {
	return printsOf(l.own, p, step, runtime.NumGoroutine() > h.alone)
}

// print takes prints of the values that a call concerned, and of those that have to do with them.
func (l *ledger) print(h *history) {
	if len(l.open) > 0 || !h.live() || len(h.values) > maxPrints {
		return
	}
	for _, p := range h.values {
		if v := l.values[p]; v != nil {
			v.prints, v.call = l.printsOf(p, nil, h), h.last
		}
	}
}

// live reports whether a history takes more steps.
func (h *history) live() bool { return h.unsure == "" && !h.ended() }

// A noted is one call: a step, or why there is none.
type noted struct {
	step   reflect.Value
	unsure string
	bytes  int
	took   time.Duration

	goroutines int // as it began
}

// left notes what a call was when it ends.
func (l *ledger) left(g uint64, note func()) {
	start := time.Now()
	l.mu.Lock()
	defer l.mu.Unlock()
	defer l.spend(start)
	if l.open[g]--; l.open[g] == 0 {
		delete(l.open, g)
	}
	if note != nil {
		note()
	}
}

// value returns what is known of the value that a pointer leads to, nil for none. One that is not known was made by a call that is not
// noted, if it is not zero.
func (l *ledger) value(p any) unsafe.Pointer {
	v := reflect.ValueOf(p)
	if p == nil || v.IsNil() {
		return nil
	}
	at := v.UnsafePointer()
	l.own = v.Type().Elem()
	if _, ok := l.values[at]; ok {
		return at
	}
	h := l.history(runtime.NumGoroutine())
	if l.zeros && v.Elem().IsZero() {
		zero := reflect.New(l.step).Elem()
		zero.FieldByName("Of").SetInt(ofZero)
		h.steps = append(h.steps, zero)
	} else if h.unsure = "it is called with a value that no exported function has made"; l.lost {
		h.unsure = "it is called with a value that was made or called too often before"
	}
	l.put(at, h)
	return at
}

func (l *ledger) history(goroutines int) *history {
	h := &history{fresh: true, alone: goroutines}
	l.all = append(l.all, h)
	return h
}

func (l *ledger) put(at unsafe.Pointer, h *history) {
	l.values[at] = &value{at: h.made, in: h}
	h.values = append(h.values, at)
	h.made++
	now := heapBytes()
	if l.since++; l.since == 1 {
		l.heap = now
	}
	if l.since > maxValues || now > l.heap+maxKept {
		l.full.Store(true)
	}
}

// heapBytes returns the size of the objects in the heap, and of what is left of others.
func heapBytes() uint64 {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

// copied returns a copy of a step, or says why there is none.
func (l *ledger) copied(step any) noted {
	if name, ok := step.(string); ok {
		return noted{unsure: "pawl cannot note calls of " + name}
	}
	c := newCopier(true)
	c.limit, c.never = maxStepBytes, l.never
	list, err := c.copy([]any{step})
	if err != nil {
		return noted{unsure: err.Error()}
	}
	if l.bytes += c.bytes; l.bytes > maxNoted {
		l.full.Store(true)
	}
	now := reflect.New(l.step).Elem()
	now.Set(reflect.ValueOf(list[0]))
	return noted{step: now, bytes: c.bytes}
}

// ended reports whether a history takes no more steps.
func (h *history) ended() bool {
	return len(h.steps) >= maxSteps || h.bytes > maxStepBytes || h.took > maxStepTime
}

// root returns the history that one has become part of, and how far its values moved.
func (h *history) root() (*history, int) {
	moved := 0
	for h.into != nil {
		h, moved = h.into, moved+h.from
	}
	return h, moved
}

// add puts a step to the history of its values, which becomes one. What it made is one more value.
func (l *ledger) add(x, y unsafe.Pointer, now noted, made any) {
	var h *history
	places := [2]int{}
	for i, p := range []unsafe.Pointer{x, y} {
		if p == nil {
			continue
		}
		v := l.values[p]
		if v == nil { // it was lost meanwhile
			return
		}
		in, moved := v.in.root()
		places[i] = v.at + moved
		switch {
		case h == nil:
			h = in
		case h != in:
			places[i] += h.join(in)
		}
	}
	if h == nil {
		h = l.history(now.goroutines)
	}
	l.calls++
	h.last = l.calls
	defer l.print(h)
	switch {
	case h.unsure == "" && now.unsure != "":
		h.unsure, h.fresh = now.unsure, true
	case h.unsure == "" && !h.ended():
		now.step.FieldByName("On").SetInt(int64(places[0]))
		now.step.FieldByName("With").SetInt(int64(places[1]))
		h.steps, h.bytes, h.took, h.fresh = append(h.steps, now.step), h.bytes+now.bytes, h.took+now.took, true
	default:
		h.fresh = h.fresh || h.unsure != ""
	}
	if made == nil {
		return
	}
	p := reflect.ValueOf(made).Elem()
	if p.IsNil() {
		return
	}
	l.own = p.Type().Elem()
	if v, ok := l.values[p.UnsafePointer()]; ok {
		if in, _ := v.in.root(); in != h {
			h.join(in)
		}
		h.made++
		return
	}
	l.put(p.UnsafePointer(), h)
}

// join makes another history part of one, and returns how far its values moved.
func (h *history) join(other *history) int {
	from := h.made
	for _, step := range other.steps {
		if h.ended() {
			break
		}
		moved := reflect.New(step.Type()).Elem()
		moved.Set(step)
		for _, name := range []string{"On", "With"} {
			moved.FieldByName(name).SetInt(step.FieldByName(name).Int() + int64(from))
		}
		h.steps = append(h.steps, moved)
	}
	h.made, h.bytes, h.took = h.made+other.made, h.bytes+other.bytes, h.took+other.took
	if h.unsure == "" {
		h.unsure = other.unsure
	}
	h.values = append(h.values, other.values...)
	other.into, other.from, other.steps, other.values = h, from, nil, nil
	return from
}

// offer shows the recorder what was called since the last time. With a judging benchmark, these are calls of its.
func (h *hub) offer() {
	h.ledgers.Range(func(_, v any) bool {
		l := v.(*ledger)
		l.mu.Lock()
		defer l.mu.Unlock()
		for _, x := range l.all {
			if x.into == nil && x.fresh {
				l.offer(h, x)
			}
		}
		return true
	})
}

func (l *ledger) offer(h *hub, x *history) {
	x.fresh = false
	judge, why := h.judge.Load(), x.unsure
	if judge != nil {
		if top, _, _ := strings.Cut(*judge, "/"); slices.Contains(l.setters, top) {
			why = "it sets fields of what it calls"
		}
	}
	if why != "" {
		l.f.missed(judge, why)
		return
	}
	list := reflect.MakeSlice(reflect.SliceOf(l.step), len(x.steps), len(x.steps))
	for i, step := range x.steps {
		list.Index(i).Set(step)
	}
	h.enter(l.f, []any{list.Interface()}, l.cand, l.base)
}

// missed notes that what was called could not be recorded. What else a judging benchmark calls, on values that it prepares others from
// say, does not stand for it then.
func (f *function) missed(judge *string, why string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.calls.Add(1)
	f.dropped[why]++
	if by := f.by(judge); by != nil {
		by.dropped[why]++
		by.unsure = true
	}
}

// begin makes room for what a judging benchmark calls.
func (h *hub) begin() {
	h.ledgers.Range(func(_, v any) bool {
		l := v.(*ledger)
		l.mu.Lock()
		defer l.mu.Unlock()
		if l.since, l.bytes, l.spent = 0, 0, 0; l.full.Swap(false) {
			l.values, l.all, l.lost = map[unsafe.Pointer]*value{}, nil, true
		}
		return true
	})
}

// goroutine returns the number of the calling goroutine, as its stack has it.
func goroutine() uint64 {
	var buf [64]byte
	text := bytes.TrimPrefix(buf[:runtime.Stack(buf[:], false)], []byte("goroutine "))
	number, _, _ := bytes.Cut(text, []byte(" "))
	n, _ := strconv.ParseUint(string(number), 10, 64)
	return n
}
