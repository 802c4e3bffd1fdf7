package pawldrive

import (
	"fmt"
	"reflect"
	"runtime"
	"slices"
	"time"
	"unsafe"
)

// A script is a list of calls that either side plays from fresh copies: one
// call, or several on the receiver of the first.
type script struct {
	steps           []*input
	scribbleResults bool // overwrite what was returned, after each call
	scribbleArgs    bool // overwrite what was handed in, after each call
	refill          bool // hand in the memory of the call before again, with other content
	gc              bool // collect between calls, so that pools are empty
	// apart is how long after the moment when driving began the first call is
	// made, and how long after it each further one, on the clock that the calls
	// are shown.
	apart time.Duration
	// before are calls that set up the receiver of the first call, and mood how
	// the functions and writers behave that are passed in.
	before []*input
	mood   *mood
	// between are calls of the receiver's other methods, one after each step: what
	// a step returned, or kept in mind, must not go stale by them.
	between []*input
	seed    uint64 // of the random numbers that the calls are shown
}

// A trace is what a script did.
type trace struct {
	steps []*outcome
	snaps [][]any // results and arguments right after each call
	later []*mismatch
	// pieces are the memory of results so far that a caller may write.
	pieces []piece
	err    error
}

// A diff is one difference between two traces.
type diff struct {
	kind, part string
	step       int
	a, b       string
	shares     *share // for one of memory: who shares it
}

func (d diff) key() string { return d.kind + " " + d.part }

// play runs one side. Calls get at least limit.
func (f *function) play(sc *script, side func(*input) arm, limit time.Duration) *trace {
	t := &trace{}
	var recv any
	var undo []func()
	theMachine.begin(sc.seed)
	mood := sc.mood.with(side)
	var logs *calls
	for i, in := range sc.steps {
		args, err := withHeld(in.args, &logs)
		if err != nil {
			t.err = err
			return t
		}
		if sc.refill && i > 0 {
			undo = append(undo, refill(args, t.steps[i-1].args, b2i(f.Receiver))...)
		}
		logs = &calls{relaxed: map[int]bool{}, mood: mood}
		logs.replace(args, f.Receiver, 0)
		if mood != nil {
			mood.log = logs
		}
		f.writers(args, mood)
		f.readers(args, mood)
		if f.Receiver && i > 0 {
			args[0] = recv
		} else if f.Receiver {
			if recv = f.setUp(sc, args[0], side, logs); recv == nil {
				t.err = errSetUp
				return t
			}
			args[0] = recv
		}
		if mood != nil && f.Receiver {
			mood.recv = recv
		}
		behind := rooms(args)
		theMachine.enter(time.Duration(i+1) * sc.apart)
		got := &reach{id: f.ID}
		recorder.reach.Store(got)
		o := call(side(sc.steps[0]), args, limit)
		recorder.reach.Store(nil)
		o.reached = got.bits.Load()
		o.drawn = theMachine.leave()
		o.calls = logs
		t.steps = append(t.steps, o)
		if !o.normal() {
			break
		}
		o.shares, o.used = f.sharing(o.results, args), used(behind)
		if len(sc.steps) == 1 {
			return t
		}
		o.shares = append(o.shares, t.withEarlier(o)...)
		snap, err := duplicate(slices.Concat(o.results, args))
		if err != nil {
			t.err = err
			break
		}
		t.snaps = append(t.snaps, snap)
		undo = append(undo, f.scribble(sc, o)...)
		if !f.betweenCalls(sc, i, recv, side) {
			t.err = errSetUp
			return t
		}
		if sc.gc && i%2 == 1 {
			runtime.GC()
			runtime.GC()
		}
	}
	if !sc.scribbleResults && !sc.scribbleArgs && !sc.refill {
		t.retained(f)
	}
	for _, u := range slices.Backward(undo) {
		u()
	}
	return t
}

// retained finds what changed of earlier results since they were returned.
func (t *trace) retained(f *function) {
	for i, snap := range t.snaps {
		var m *mismatch
		for j, r := range t.steps[i].results {
			if m = newDiffer(f).any(snap[j], r); m != nil {
				m.path = fmt.Sprintf("result %d%s", j, m.path)
				break
			}
		}
		t.later = append(t.later, m)
	}
}

func (f *function) scribble(sc *script, o *outcome) (undo []func()) {
	if sc.scribbleResults {
		undo = scribbleAll(o.results)
	}
	if sc.scribbleArgs {
		args := o.args
		if f.Receiver {
			args = args[1:]
		}
		undo = append(undo, scribbleAll(args)...)
	}
	return undo
}

// scribbleAll overwrites what a caller may write of the memory that values
// lead to, and returns how to undo it: memory that is shared with the process
// stays as it was.
func scribbleAll(list []any) (undo []func()) {
	s := &scribbler{seen: map[unsafe.Pointer]bool{}}
	for _, v := range list {
		rv := reflect.ValueOf(v)
		if !rv.IsValid() {
			continue
		}
		box := reflect.New(rv.Type())
		box.Elem().Set(rv)
		s.value(rv.Type(), box.UnsafePointer(), 0, false)
	}
	return s.undo
}

// With only, it writes nothing, and says where it would.
type scribbler struct {
	seen   map[unsafe.Pointer]bool
	undo   []func()
	only   bool
	pieces []piece
}

// takes notes memory; it reports whether that is all that is wanted.
func (s *scribbler) takes(p unsafe.Pointer, size uintptr) bool {
	if s.only {
		s.pieces = append(s.pieces, piece{uintptr(p), uintptr(p) + max(size, 1)})
	}
	return s.only
}

func (s *scribbler) value(t reflect.Type, p unsafe.Pointer, depth int, mine bool) {
	in := infoOf(t)
	if depth > 4 || in.special != ordinary {
		return
	}
	switch t.Kind() {
	case reflect.Slice:
		h := *(*sliceHeader)(p)
		if h.len == 0 || !onHeap(h.data) || s.seen[h.data] {
			return
		}
		s.seen[h.data] = true
		s.elements(in.elem, h, depth)
	case reflect.Pointer:
		q := *(*unsafe.Pointer)(p)
		if q == nil || !onHeap(q) || s.seen[q] || t.Implements(errorType) {
			return
		}
		s.seen[q] = true
		s.value(in.elem, q, depth+1, true)
	case reflect.Struct:
		for _, f := range in.fields {
			if !f.exported {
				return // not the caller's
			}
		}
		for _, f := range in.fields {
			s.value(f.typ, unsafe.Add(p, f.off), depth+1, mine)
		}
	case reflect.Map:
		s.mapping(t, p)
	case reflect.Interface:
		if v := at(t, p); !v.IsNil() && !v.Elem().Type().Implements(errorType) {
			box := reflect.New(v.Elem().Type())
			box.Elem().Set(v.Elem())
			s.value(box.Type().Elem(), box.UnsafePointer(), depth+1, false)
		}
	default:
		if mine {
			s.overwrite(t, p)
		}
	}
}

func (s *scribbler) elements(elem reflect.Type, h sliceHeader, depth int) {
	size := infoOf(elem).size
	if s.takes(h.data, size*uintptr(h.len)) && infoOf(elem).flat {
		return
	}
	if elem.Kind() == reflect.Uint8 {
		b := unsafe.Slice((*byte)(h.data), h.len)
		old := slices.Clone(b)
		s.undo = append(s.undo, func() { copy(b, old) })
		for i := range b {
			b[i] ^= 0xA5
		}
		return
	}
	for i := 0; i < h.len && i < 4096; i++ {
		s.value(elem, unsafe.Add(h.data, uintptr(i)*size), depth+1, true)
	}
}

// overwrite writes another number or string to p.
func (s *scribbler) overwrite(t reflect.Type, p unsafe.Pointer) {
	if s.takes(p, t.Size()) {
		return
	}
	v := at(t, p)
	old := reflect.New(t).Elem()
	old.Set(v)
	switch {
	case v.CanInt():
		v.SetInt(v.Int() ^ 0x25)
	case v.CanUint() && t.Kind() != reflect.Uintptr:
		v.SetUint(v.Uint() ^ 0x25)
	case v.CanFloat():
		v.SetFloat(v.Float() + 1234.5)
	case t.Kind() == reflect.String:
		v.SetString("overwritten by the caller")
	case t.Kind() == reflect.Bool:
		v.SetBool(!v.Bool())
	default:
		return
	}
	s.undo = append(s.undo, func() { v.Set(old) })
}

// mapping drops a map's first key and adds one.
func (s *scribbler) mapping(t reflect.Type, p unsafe.Pointer) {
	m := at(t, p)
	if m.IsNil() || m.Len() == 0 || s.takes(m.UnsafePointer(), 1) || !lookable(t.Key()) {
		return
	}
	keys := m.MapKeys()
	sortKeys(keys)
	k, v := keys[0], m.MapIndex(keys[0])
	s.undo = append(s.undo, func() { m.SetMapIndex(k, v) })
	m.SetMapIndex(k, reflect.Value{})
	if t.Key().Kind() == reflect.String {
		added := reflect.New(t.Key()).Elem()
		added.SetString("added by the caller")
		s.undo = append(s.undo, func() { m.SetMapIndex(added, reflect.Value{}) })
		m.SetMapIndex(added, v)
	}
}
