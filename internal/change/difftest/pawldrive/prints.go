package pawldrive

import (
	"reflect"
	"runtime/debug"
	"unsafe"
)

// Prints say what is in the memory that a value leads to. A value whose prints are others when it is called again was changed by
// what is not noted: by code that sets its fields, by a function of its package, by who fills the buffer from which it reads.
type prints map[regionKey]uint64

const maxPrinted = maxBytes / 16

// printsOf takes the prints of the value of type t at p. What args, a step, lead to is left out: the step has it. With shy, other
// goroutines may be at work on maps. Of what is too large, or cannot be read, there are prints of some parts.
func printsOf(t reflect.Type, p unsafe.Pointer, args any, shy bool) (out prints) {
	c := newCopier(true)
	c.limit, c.looks, c.shy = maxPrinted+int(t.Size()), true, shy
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if recover() != nil {
			out = prints{}
		}
		for _, unlock := range c.unlocks {
			unlock()
		}
	}()
	c.leave(args)
	out = prints{}
	func() {
		defer func() { _ = recover() }()
		c.add(p, t, 1)
		c.drain()
	}()
	for _, r := range c.regions {
		h, size := uint64(r.n), infoOf(r.elem).size
		for i := range r.n {
			h = mix(h ^ printOf(r.elem, unsafe.Add(r.p, uintptr(i)*size)))
		}
		out[regionKey(r)] = h
	}
	for at, m := range c.maps {
		h := uint64(m.n)
		for i := range m.n {
			h += mix(printOf(m.t.Key(), m.keys.Index(i).Addr().UnsafePointer()) ^ mix(printOf(m.t.Elem(), m.vals.Index(i).Addr().UnsafePointer())))
		}
		out[regionKey{at, m.t, 0}] = h
	}
	return out
}

// leave has what the arguments of a step are left out.
func (c *copier) leave(args any) {
	step := reflect.ValueOf(args)
	if step.Kind() != reflect.Struct {
		return
	}
	for i := range step.NumField() {
		v := step.Field(i)
		if v.Kind() == reflect.Interface {
			v = v.Elem()
		}
		switch v.Kind() {
		case reflect.Pointer:
			c.seen[regionKey{v.UnsafePointer(), v.Type().Elem(), 1}] = true
		case reflect.Slice:
			c.seen[regionKey{v.UnsafePointer(), v.Type().Elem(), v.Cap()}] = true
		}
	}
}

// changed reports whether memory that there are prints for has others now.
func (was prints) changed(now prints) bool {
	for at, h := range now {
		if old, ok := was[at]; ok && old != h {
			return true
		}
	}
	return false
}

// printOf hashes the value of type t at p as it stands there, but for what the runtime changes by itself.
func printOf(t reflect.Type, p unsafe.Pointer) (h uint64) {
	in := infoOf(t)
	switch in.special {
	case mutex, rwMutex, fresh, pool, cond, timer, onceType:
		return 0
	}
	switch k := t.Kind(); {
	case k == reflect.Struct && !in.flat:
		for _, f := range in.fields {
			h = mix(h ^ printOf(f.typ, unsafe.Add(p, f.off)))
		}
	case k == reflect.Array && !in.flat:
		for i := range t.Len() {
			h = mix(h ^ printOf(in.elem, unsafe.Add(p, uintptr(i)*infoOf(in.elem).size)))
		}
	case k == reflect.Map && !at(t, p).IsNil():
		return mix(uint64(at(t, p).Pointer())) ^ uint64(at(t, p).Len())
	default:
		return fnvString(unsafe.String((*byte)(p), in.size))
	}
	return h
}

// onlyWritten reports whether what an interface type has is told something and not asked: what becomes of it does not matter then.
func onlyWritten(t reflect.Type) bool {
	_, writes := t.MethodByName("Write")
	_, reads := t.MethodByName("Read")
	return writes && !reads
}

// holds reports whether a value of a type is one of those that known says are, or may have one in it that is not in an interface.
// What it finds is known from then on.
func holds(t reflect.Type, known map[reflect.Type]bool) bool {
	found, ok := known[t]
	if !ok {
		found = within(t, known, map[reflect.Type]bool{})
		known[t] = found
	}
	return found
}

func within(t reflect.Type, known, seen map[reflect.Type]bool) (found bool) {
	if was, ok := known[t]; ok || seen[t] {
		return was
	}
	seen[t] = true
	switch t.Kind() {
	case reflect.Map:
		return within(t.Key(), known, seen) || within(t.Elem(), known, seen)
	case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Chan:
		return within(t.Elem(), known, seen)
	case reflect.Struct:
		for i := 0; i < t.NumField() && !found; i++ {
			found = within(t.Field(i).Type, known, seen)
		}
	}
	return found
}
