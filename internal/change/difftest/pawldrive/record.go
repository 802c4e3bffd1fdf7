package pawldrive

import (
	"math/bits"
	"reflect"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"
)

// What is recorded.
const (
	maxInputs   = 64 // per function
	firstCalls  = 16 // recorded in any case
	shapedCalls = 20_000
	maxTotal    = 256 << 20 // bytes of all inputs together
	maxRecord   = 10 * time.Second
)

// The environment that the library reads.
const (
	envOut     = "PAWL_DRIVE_OUT"
	envPairs   = "PAWL_DRIVE_PAIRS"
	envSeconds = "PAWL_DRIVE_SECONDS"
	envSkip    = "PAWL_DRIVE_SKIP"
	envDone    = "PAWL_DRIVE_DONE"   // functions that have only the phase "extremes" before them
	envAvoid   = "PAWL_DRIVE_AVOID"  // what ended an earlier process, one a line
	envMemory  = "PAWL_DRIVE_MEMORY" // bytes that driving may take over what recording took
	envEnough  = "PAWL_DRIVE_ENOUGH" // own time at which no further test records
	envCut     = "PAWL_DRIVE_CUT"    // set by package testing where time is over: how many tests began, and how many did not
	envSeed    = "PAWL_DRIVE_SEED"
	envMade    = "PAWL_DRIVE_MADE" // "true": inputs are made up for what no test calls
	envMode    = "PAWL_DRIVE_MODE"
	envBeside  = "PAWL_DRIVE_BESIDE" // functions that may be called beside others: the base's are
	envJudges  = "PAWL_DRIVE_JUDGES" // the benchmarks that judge, one a line
)

// A hub is what a process records. There is one, since generated code in many
// functions has nothing to hand to the library but its calls.
type hub struct {
	on      atomic.Bool
	mu      sync.Mutex
	funcs   atomic.Pointer[map[int]*function]
	bytes   atomic.Int64
	spent   atomic.Int64           // nanoseconds in Enter
	judge   atomic.Pointer[string] // the benchmark that runs, where it is one that judges
	reach   atomic.Pointer[reach]  // what the call that is driven got to
	ledgers sync.Map               // by number, *ledger
	test    atomic.Pointer[string] // that began last; nil in benchmarks
	// benchmarks says that the tests are over.
	benchmarks atomic.Bool
}

var recorder hub

// A function is a changed function and what is known of it.
type function struct {
	Func
	calls   atomic.Int64
	mu      sync.Mutex // guards the next ones while recording
	inputs  []*input
	large   []*input // too large to be driven often: one, and one of each judging benchmark
	judged  map[string]*judged
	shapes  map[uint64]int
	dropped map[string]int
	objects map[uintptr]bool // receivers seen
	wide    bool             // recorded numbers are huge ones, too
	took    [64]atomic.Bool  // branches of the base
	first   string           // the test that its first input is of
	writes  [64]written      // of those pairs, in how many it wrote to its receiver
	reached [64]int          // in how many pairs the base got there
	heldOK  bool             // its callers hold a mutex: copies hold it too

	// Of the drive, in one goroutine.
	notes     map[string]bool
	sentinels sentinels
	alone     bool            // calls that set up its receivers do not always return
	loose     map[string]bool // parts whose order varies between two runs of the base
	mayShare  map[share]bool  // what the base shares with its caller
	ignored   map[string]bool // parts that differ between two runs of the base, with setUp where only after that
	found     map[string]*difference
	order     []string
	pairs     int
}

// An input is one call's receiver and arguments, as they were when it began.
type input struct {
	args       []any
	cand, base arm
	shape      uint64
	generated  bool
	large      bool
	compared   bool // both sides were called with it
	makes      bool // it is a call that makes the receiver
	text       string
}

func (in *input) describe() string {
	if in.text == "" {
		in.text = describeAll(in.args)
	}
	return in.text
}

// Register tells the library of a changed function, and begins recording where
// the process was started for it. It is for init functions.
func Register(f Func) { recorder.register(f, Env(envOut) != "") }

func (h *hub) register(f Func, on bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	funcs := map[int]*function{}
	for id, old := range h.all() {
		funcs[id] = old
	}
	funcs[f.ID] = newFunction(f)
	h.funcs.Store(&funcs)
	h.on.Store(on)
}

func newFunction(f Func) *function {
	return &function{
		Func: f, shapes: map[uint64]int{}, dropped: map[string]int{}, objects: map[uintptr]bool{},
		notes: map[string]bool{}, ignored: map[string]bool{}, mayShare: map[share]bool{}, loose: map[string]bool{}, found: map[string]*difference{},
	}
}

func (h *hub) all() map[int]*function {
	if p := h.funcs.Load(); p != nil {
		return *p
	}
	return nil
}

// On reports whether calls are being recorded. It costs one load.
func On() bool { return recorder.on.Load() }

// Enter records a call of function id: args are its receiver, if it has one,
// and its arguments; cand and base call either body with a list like it and
// return the results. The values are copied before Enter returns, or the call
// is left out: Enter neither waits nor panics, and calls no methods of theirs.
func Enter(id int, args []any, cand, base func([]any) []any) {
	if f := recorder.all()[id]; f != nil && recorder.on.Load() {
		recorder.enter(f, args, cand, base)
	}
}

// Took says that the base's copy of function id takes one of its branches.
func Took(id, branch int) {
	if f := recorder.all()[id]; f != nil && !f.took[branch].Load() {
		f.took[branch].Store(true)
	}
}

// A written says in how many of some calls the same part of a receiver was written to.
type written struct {
	path    string // to that part
	yes, of int
}

// A reach is what one call of a function gets to.
type reach struct {
	id   int
	bits atomic.Uint64
}

// Reached says that the base's copy of a function begins that cannot be driven itself: the one with number n below 64 of those that
// function id stands for as a caller.
func Reached(id, n int) {
	r := recorder.reach.Load()
	for r != nil && r.id == id {
		if b := r.bits.Load(); b>>n&1 == 1 || r.bits.CompareAndSwap(b, b|1<<n) {
			return
		}
	}
}

func (h *hub) enter(f *function, args []any, cand, base arm) {
	n := f.calls.Add(1)
	power := n&(n-1) == 0
	judge := h.judge.Load()
	if n > shapedCalls && !power && judge == nil || !f.mu.TryLock() {
		return
	}
	defer f.mu.Unlock()
	defer func() { _ = recover() }()
	by := f.by(judge)
	full := h.bytes.Load() > maxTotal
	if (n > shapedCalls && !power || full || h.spent.Load() > int64(maxRecord)) && !by.owes() {
		if full {
			f.dropped["the recording holds 256 MiB"]++
		}
		return
	}
	start := time.Now()
	defer func() { h.spent.Add(int64(time.Since(start))) }()
	if f.Receiver && len(args) > 0 && len(f.objects) < 1<<16 {
		if v := reflect.ValueOf(args[0]); v.Kind() == reflect.Pointer {
			f.objects[v.Pointer()] = true
		}
	}
	in := &input{cand: cand, base: base, shape: shapeOf(args)}
	if by.wants(in.shape) {
		if why := h.copy(f, in, args, by); why != "" {
			by.dropped[why]++
			return
		}
		by.shapes[in.shape] = true
		by.inputs = append(by.inputs, in)
		return
	}
	if n > firstCalls && !power && f.shapes[in.shape] > 0 {
		return
	}
	if slot := f.slot(in.shape); slot >= 0 && h.copy(f, in, args, nil) == "" {
		f.place(in, slot)
	}
}

// mutexHeld is why an input is not copied that holds a mutex.
const mutexHeld = "a mutex was held at the call"

// copy copies the arguments of a call, or says why it does not. One is let through
// that is too large to be kept often, and by is the benchmark that judges, whose
// first may hold a mutex: where it calls the function with no other, that is compared.
func (h *hub) copy(f *function, in *input, args []any, by *judged) (why string) {
	held, large := f.dropped[mutexHeld] >= 8 && len(f.inputs) == 0 || f.heldOK, len(f.large) == 0
	if by != nil {
		large = !by.large()
	}
	args = f.streams(args)
	list, c, err := copyLive(args, held, maxBytes)
	if err != nil && err.Error() == mutexHeld && by.owes() {
		held = true
		list, c, err = copyLive(args, held, maxBytes)
	}
	if err != nil && large && isLarge(err) {
		list, c, err = copyLive(args, held, maxLarge)
		in.large = err == nil
	}
	if err != nil {
		f.dropped[err.Error()]++
		return err.Error()
	}
	f.heldOK = held
	for note := range c.notes {
		f.notes[note] = true
	}
	if test := h.test.Load(); test != nil && len(f.inputs)+len(f.large) == 0 {
		f.first = *test
	}
	in.args = list
	h.bytes.Add(int64(c.bytes + 64*c.nodes))
	return ""
}

func (f *function) place(in *input, slot int) {
	if in.large {
		f.large = append(f.large, in)
		return
	}
	f.shapes[in.shape]++
	if slot < len(f.inputs) {
		f.shapes[f.inputs[slot].shape]--
		f.inputs[slot] = in
		return
	}
	f.inputs = append(f.inputs, in)
}

// maxLarge is how large an input may be that is kept beside those of the usual
// size, in bytes.
const maxLarge = 64 << 20

func isLarge(err error) bool {
	return strings.HasPrefix(err.Error(), "larger than ") || strings.HasPrefix(err.Error(), "more than ")
}

// slot returns where an input of this shape goes: to the end, or in the place
// of the last one that is not the only one of its shape; -1 says nowhere.
func (f *function) slot(shape uint64) int {
	if len(f.inputs) < maxInputs {
		return len(f.inputs)
	}
	if f.shapes[shape] > 0 {
		return -1
	}
	for i := len(f.inputs) - 1; i >= 0; i-- {
		if f.shapes[f.inputs[i].shape] > 1 {
			return i
		}
	}
	return -1
}

// shapeOf hashes types and rough lengths: inputs of a new shape are worth more
// than more of the same.
func shapeOf(args []any) (h uint64) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	s := shaper{h: 1, left: 256}
	defer func() {
		if recover() != nil {
			h = s.h
		}
	}()
	for i := range args {
		s.value(anyType, unsafe.Pointer(&args[i]), 0)
	}
	return s.h
}

type shaper struct {
	h    uint64
	left int
}

func (s *shaper) add(x uint64) { s.h = mix(s.h ^ x) }

func (s *shaper) value(t reflect.Type, p unsafe.Pointer, depth int) {
	if s.left--; s.left < 0 || depth > 6 {
		return
	}
	in := infoOf(t)
	switch t.Kind() {
	case reflect.String:
		s.text(*(*string)(p))
	case reflect.Slice:
		h := *(*sliceHeader)(p)
		s.add(uint64(bits.Len(uint(h.len)))<<1 | b2u(h.data == nil))
		if t.Elem().Kind() == reflect.Uint8 {
			s.text(unsafe.String((*byte)(h.data), h.len))
			return
		}
		for i := 0; i < h.len && i < 4; i++ {
			s.value(in.elem, unsafe.Add(h.data, uintptr(i)*infoOf(in.elem).size), depth+1)
		}
	case reflect.Pointer:
		q := *(*unsafe.Pointer)(p)
		s.add(b2u(q == nil))
		if sp := infoOf(in.elem).special; q != nil && sp == ordinary {
			s.value(in.elem, q, depth+1)
		}
	case reflect.Interface:
		if v := at(t, p); !v.IsNil() {
			s.dynamic(v.Elem(), depth)
		}
	case reflect.Struct:
		if in.special != ordinary {
			return
		}
		for _, f := range in.fields {
			s.value(f.typ, unsafe.Add(p, f.off), depth+1)
		}
	case reflect.Map, reflect.Chan, reflect.Func, reflect.UnsafePointer:
		s.add(b2u(*(*unsafe.Pointer)(p) == nil))
	default:
		s.number(at(t, p))
	}
}

func (s *shaper) dynamic(v reflect.Value, depth int) {
	s.add(fnvString(v.Type().String()))
	box := reflect.New(v.Type())
	box.Elem().Set(v)
	s.value(v.Type(), box.UnsafePointer(), depth+1)
}

func (s *shaper) text(t string) {
	s.add(uint64(bits.Len(uint(len(t)))))
	if len(t) > 0 {
		s.add(uint64(classOf(t[0]))<<8 | uint64(classOf(t[len(t)-1])))
	}
}

func (s *shaper) number(v reflect.Value) {
	switch {
	case v.CanInt():
		n := v.Int()
		s.add(uint64(bits.Len64(uint64(max(n, -n))))<<1 | b2u(n < 0))
	case v.CanUint():
		s.add(uint64(bits.Len64(v.Uint())))
	case v.Kind() == reflect.Bool:
		s.add(b2u(v.Bool()))
	}
}

func b2u(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

func fnvString(s string) uint64 {
	h := uint64(14695981039346656037)
	for i := 0; i < len(s); i++ {
		h = (h ^ uint64(s[i])) * 1099511628211
	}
	return h
}

// The classes of bytes: a generated text stays of the kind that it was.
const (
	classDigit = iota
	classLower
	classUpper
	classSpace
	classHigh
	classOther
)

func classOf(b byte) int {
	switch {
	case b >= '0' && b <= '9':
		return classDigit
	case b >= 'a' && b <= 'z':
		return classLower
	case b >= 'A' && b <= 'Z':
		return classUpper
	case b == ' ' || b == '\n' || b == '\t' || b == '\r':
		return classSpace
	case b >= 0x80:
		return classHigh
	}
	return classOther
}
