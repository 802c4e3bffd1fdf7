package pawldrive

import (
	"context"
	"fmt"
	"reflect"
	"sync"
	"unsafe"
)

// What one input may hold.
const (
	maxBytes = 1 << 20
	maxNodes = 100_000
	// Tables in the program's data that are longer than this are shared.
	maxStatic = 4 << 10
)

// A refusal is why a value is not copied.
type refusal string

func (r refusal) Error() string { return string(r) }

// A region is memory that something points to: n values of type elem.
type region struct {
	p    unsafe.Pointer
	elem reflect.Type
	n    int
}

type regionKey struct {
	p    unsafe.Pointer
	elem reflect.Type
	n    int
}

type mapCopy struct {
	t          reflect.Type
	keys, vals reflect.Value // slices: what was in it
	n          int
	dst        reflect.Value
}

// A copier copies a list of values together, so that memory which they share
// is shared by the copies too. It first walks what it can reach and collects
// the memory (walk.go), then merges what overlaps, makes new memory of the same
// shape, and fills it (copy.go).
type copier struct {
	live   bool // the source is the user's memory, which others may write meanwhile
	heldOK bool // copy a held mutex as a held one
	limit  int  // of bytes

	regions []region
	seen    map[regionKey]bool
	queue   []region
	boxes   map[unsafe.Pointer]reflect.Value // interface slot → pointer to a copy of what it holds
	maps    map[unsafe.Pointer]*mapCopy
	chans   map[unsafe.Pointer]reflect.Value
	syncs   map[unsafe.Pointer]*[2][]any
	subst   map[unsafe.Pointer]unsafe.Pointer // a pointer → what stands in for it
	asIs    map[unsafe.Pointer]bool           // pointers that are kept
	stands  map[unsafe.Pointer]reflect.Value  // interface slot → what its copy holds instead
	strs    map[sliceHeader]string
	held    map[unsafe.Pointer]bool
	locked  map[unsafe.Pointer]bool
	unlocks []func()
	spans   []span
	nodes   int
	bytes   int
	notes   map[string]bool
	stand   func(reflect.Value) reflect.Value // what stands for a function that was passed in
	never   map[reflect.Type]bool             // no interface may hold one, nor what has one in it
	looks   bool                              // nothing is to be copied: see prints
	shy     bool                              // nor are maps to be read: others may write them meanwhile
}

func newCopier(live bool) *copier {
	return &copier{
		live: live, limit: maxBytes,
		seen: map[regionKey]bool{}, boxes: map[unsafe.Pointer]reflect.Value{},
		maps: map[unsafe.Pointer]*mapCopy{}, chans: map[unsafe.Pointer]reflect.Value{},
		syncs: map[unsafe.Pointer]*[2][]any{}, subst: map[unsafe.Pointer]unsafe.Pointer{},
		asIs: map[unsafe.Pointer]bool{}, stands: map[unsafe.Pointer]reflect.Value{}, strs: map[sliceHeader]string{},
		held: map[unsafe.Pointer]bool{}, locked: map[unsafe.Pointer]bool{}, notes: map[string]bool{},
	}
}

func (c *copier) note(format string, args ...any) { c.notes[fmt.Sprintf(format, args...)] = true }

func (c *copier) refuse(format string, args ...any) { panic(refusal(fmt.Sprintf(format, args...))) }

// spend counts what is copied, and refuses what is too large.
func (c *copier) spend(bytes, nodes int) {
	c.bytes += bytes
	c.nodes += nodes
	if c.bytes > c.limit {
		c.refuse("larger than %d KiB", c.limit>>10)
	}
	if most := max(maxNodes, c.limit/maxBytes*maxNodes/4); c.nodes > most {
		c.refuse("more than %d values", most)
	}
}

func (c *copier) drain() {
	for len(c.queue) > 0 {
		r := c.queue[len(c.queue)-1]
		c.queue = c.queue[:len(c.queue)-1]
		in := infoOf(r.elem)
		if in.flat {
			continue
		}
		for i := 0; i < r.n; i++ {
			c.walk(r.elem, unsafe.Add(r.p, uintptr(i)*in.size), false)
		}
	}
}

// add notes memory that is to be copied, and to be walked.
func (c *copier) add(p unsafe.Pointer, elem reflect.Type, n int) {
	k := regionKey{p, elem, n}
	if c.seen[k] {
		return
	}
	c.seen[k] = true
	if n > 0 && int(infoOf(elem).size) > c.limit/n {
		c.refuse("larger than %d KiB", c.limit>>10)
	}
	nodes := 1
	if !infoOf(elem).flat {
		nodes = n
	}
	c.spend(int(infoOf(elem).size)*n, nodes)
	c.regions = append(c.regions, region(k))
	c.queue = append(c.queue, region(k))
}

// walk collects what the value of type t at p points to. An argument itself is
// root.
func (c *copier) walk(t reflect.Type, p unsafe.Pointer, root bool) {
	in := infoOf(t)
	if in.flat {
		return
	}
	if in.special != ordinary && c.walkSpecial(in, t, p, root) {
		return
	}
	switch t.Kind() {
	case reflect.String:
		if s := *(*string)(p); c.live {
			c.spend(len(s), 0)
		}
	case reflect.Pointer:
		c.pointer(*(*unsafe.Pointer)(p), in.elem, root)
	case reflect.Slice:
		c.slice(*(*sliceHeader)(p), in.elem, root)
	case reflect.Map:
		c.mapping(t, p)
	case reflect.Chan:
		c.channel(t, p)
	case reflect.Func:
		if *(*unsafe.Pointer)(p) != nil && !root {
			c.note("what functions in fields remember (%s)", t)
		}
	case reflect.UnsafePointer:
		if *(*unsafe.Pointer)(p) != nil {
			c.note("memory behind an unsafe.Pointer")
		}
	case reflect.Interface:
		c.iface(t, p)
	case reflect.Array:
		for i := 0; i < t.Len(); i++ {
			c.walk(in.elem, unsafe.Add(p, uintptr(i)*infoOf(in.elem).size), root)
		}
	case reflect.Struct:
		c.spend(0, 1)
		for _, f := range in.fields {
			c.walk(f.typ, unsafe.Add(p, f.off), false)
		}
	}
}

// walkSpecial reports whether the type needs no further walk.
func (c *copier) walkSpecial(in *info, t reflect.Type, p unsafe.Pointer, root bool) bool {
	switch in.special {
	case mutex, rwMutex:
		c.lock(in.special, p)
	case cond:
		c.walk(lockerType, condL(p), false)
	case syncMap:
		c.syncMap(p)
	case atomicPtr:
		if in.elem == nil {
			c.refuse("holds a %s of an unknown layout", t)
		}
		c.pointer(*(*unsafe.Pointer)(unsafe.Add(p, atomicOffset)), in.elem, false)
	case reflectVal:
		c.reflectValue(p, root)
	case undrivable, file, timer:
		c.refuse("holds a live %s", t)
	case fresh, pool:
	default:
		return false
	}
	return true
}

func (c *copier) pointer(q unsafe.Pointer, elem reflect.Type, root bool) {
	if q == nil {
		return
	}
	in := infoOf(elem)
	switch in.special {
	case shared:
		c.asIs[q] = true
		return
	case timer:
		c.note("timers: copies hold a stopped one")
		c.subst[q] = stoppedTimer(elem)
		return
	case file:
		c.file(q)
		return
	case undrivable:
		c.refuse("holds a live %s", elem)
	}
	if in.size == 0 || !root && !onHeap(q) {
		c.asIs[q] = true
		return
	}
	c.add(q, elem, 1)
}

func (c *copier) slice(h sliceHeader, elem reflect.Type, root bool) {
	in := infoOf(elem)
	if h.data == nil || h.cap == 0 || in.size == 0 {
		return
	}
	if !root && in.flat && uintptr(h.cap)*in.size > maxStatic && !onHeap(h.data) {
		c.asIs[h.data] = true
		return
	}
	c.add(h.data, elem, h.cap)
}

func (c *copier) mapping(t reflect.Type, p unsafe.Pointer) {
	m := at(t, p)
	if m.IsNil() || c.maps[m.UnsafePointer()] != nil || c.looks && c.shy {
		return
	}
	n := m.Len()
	c.spend(n*int(t.Key().Size()+t.Elem().Size()), n+1)
	mc := &mapCopy{t: t, keys: reflect.MakeSlice(reflect.SliceOf(t.Key()), n, n), vals: reflect.MakeSlice(reflect.SliceOf(t.Elem()), n, n)}
	c.maps[m.UnsafePointer()] = mc
	for it := m.MapRange(); it.Next() && mc.n < n; mc.n++ {
		mc.keys.Index(mc.n).Set(it.Key())
		mc.vals.Index(mc.n).Set(it.Value())
	}
	c.queue = append(c.queue,
		region{mc.keys.UnsafePointer(), t.Key(), mc.n}, region{mc.vals.UnsafePointer(), t.Elem(), mc.n})
}

func (c *copier) channel(t reflect.Type, p unsafe.Pointer) {
	ch := at(t, p)
	if ch.IsNil() || c.chans[ch.UnsafePointer()].IsValid() {
		return
	}
	c.note("what is in a channel (%s)", t)
	n := min(ch.Cap(), 1<<10)
	c.chans[ch.UnsafePointer()] = reflect.MakeChan(reflect.ChanOf(reflect.BothDir, t.Elem()), n)
}

// iface walks what an interface value holds, in a box of its own: what is
// inside an interface has no address.
func (c *copier) iface(t reflect.Type, p unsafe.Pointer) {
	v := at(t, p)
	if v.IsNil() {
		return
	}
	if c.looks && onlyWritten(t) {
		return
	}
	if v = v.Elem(); c.never != nil && holds(v.Type(), c.never) {
		c.refuse("holds a %s, a type that changed", v.Type())
	}
	if c.keeps(t, v) {
		c.stands[p] = c.uncancelled(v)
		return
	}
	if infoOf(v.Type()).flat {
		return // immutable in there
	}
	box := reflect.New(v.Type())
	box.Elem().Set(v)
	c.boxes[p] = box
	c.spend(int(v.Type().Size()), 1)
	c.queue = append(c.queue, region{box.UnsafePointer(), v.Type(), 1})
}

// keeps reports whether v, found in a place of interface type t, is used as it
// is: contexts and errors do not change, and it matters which one they are.
func (c *copier) keeps(t reflect.Type, v reflect.Value) bool {
	vt := v.Type()
	if vt.Implements(contextType) && (t == contextType || fromPackage(vt, "context")) {
		c.note("cancellation of a context")
		return true
	}
	if !vt.Implements(errorType) {
		return false
	}
	static := vt.Kind() == reflect.Pointer && !onHeap(v.UnsafePointer())
	return t == errorType || static || fromPackage(vt, "errors") || fromPackage(vt, "fmt")
}

// uncancelled returns for a context that is not done one that never will be:
// tests cancel theirs when they end. Contexts of other packages stay as they
// are, since asking them would call the user's methods.
func (c *copier) uncancelled(v reflect.Value) reflect.Value {
	if !c.live || v.Kind() != reflect.Pointer || v.IsNil() || v.Type().Elem().PkgPath() != "context" {
		return v
	}
	if name := v.Type().Elem().Name(); name != "cancelCtx" && name != "timerCtx" {
		return v
	}
	if ctx, ok := v.Interface().(context.Context); ok && ctx.Err() == nil {
		return reflect.ValueOf(context.WithoutCancel(ctx))
	}
	return v
}

func fromPackage(t reflect.Type, pkg string) bool {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return t.PkgPath() == pkg
}

var (
	errorType   = reflect.TypeFor[error]()
	contextType = reflect.TypeFor[context.Context]()
	lockerType  = reflect.TypeFor[sync.Locker]()
	anyType     = reflect.TypeFor[any]()
)
