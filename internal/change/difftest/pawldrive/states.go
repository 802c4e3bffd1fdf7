package pawldrive

import (
	"fmt"
	"reflect"
	"unsafe"
)

// stateSizes returns how many bytes each registered state holds, with all that
// it leads to; -1 where that cannot be told.
func (d *drive) stateSizes(recv any) (out []int64) {
	for _, s := range d.f.States {
		out = append(out, s.size(recv))
	}
	return out
}

func (s State) size(recv any) int64 {
	v := reflect.ValueOf(s.Var)
	if s.Var != nil && v.Kind() == reflect.Pointer && !v.IsNil() {
		return deepSize(v.Type().Elem(), v.UnsafePointer())
	}
	t, p := receiverStruct(recv)
	if t == nil {
		return -1
	}
	f, ok := t.FieldByName(s.Field)
	if !ok || len(f.Index) != 1 {
		return -1
	}
	return deepSize(f.Type, unsafe.Add(p, f.Offset))
}

func receiverStruct(recv any) (reflect.Type, unsafe.Pointer) {
	v := reflect.ValueOf(recv)
	switch {
	case !v.IsValid():
		return nil, nil
	case v.Kind() == reflect.Pointer && !v.IsNil() && v.Type().Elem().Kind() == reflect.Struct:
		return v.Type().Elem(), v.UnsafePointer()
	case v.Kind() == reflect.Struct:
		box := reflect.New(v.Type())
		box.Elem().Set(v)
		return v.Type(), box.UnsafePointer()
	}
	return nil, nil
}

// deepSize is the size of a value and of all the heap that it leads to. What a
// pool holds is not counted: the collector takes it.
func deepSize(t reflect.Type, p unsafe.Pointer) (n int64) {
	c := newCopier(false)
	c.limit = 1 << 30
	defer func() {
		if recover() != nil {
			n = int64(c.bytes) // more than can be walked
		}
	}()
	c.spend(int(t.Size()), 1)
	c.walk(t, p, true)
	c.drain()
	return int64(c.bytes)
}

// measureStates fills in the records of the registered states, from their sizes
// before the calls with new inputs, half way, and after; nil where there were
// no such calls.
func (d *drive) measureStates(before, half, after []int64) {
	d.states = nil
	for i, s := range d.f.States {
		r := stateRecord{Func: d.f.Name, Name: s.Name, Kind: s.Kind, Retained: -1, Instances: 1}
		if s.Var == nil {
			r.Instances = -1
			if n := len(d.f.objects); n > 0 {
				r.Instances = n
			}
		}
		if i < len(after) {
			r.Retained = after[i]
			r.Grows = after[i] > half[i] && half[i] > before[i] && after[i]-half[i] >= (half[i]-before[i])/2
			r.Detail = fmt.Sprintf("%d bytes before calls with new inputs, %d half way, %d after", before[i], half[i], after[i])
		}
		if s.isPool() {
			r.Detail = "what a pool holds is not counted: the collector empties it"
		}
		d.states = append(d.states, r)
	}
}

func (s State) isPool() bool {
	t := reflect.TypeOf(s.Var)
	return t != nil && t.Kind() == reflect.Pointer && infoOf(t.Elem()).special == pool
}

// sameReceiver reports whether in can be called on recv.
func sameReceiver(recv any, in *input) bool {
	return len(in.args) > 0 && reflect.TypeOf(recv) == reflect.TypeOf(in.args[0])
}

// sameTypes reports whether two lists of arguments hold the same types, so that
// they belong to one instance of a generic function.
func sameTypes(a, b []any) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		x, y := reflect.TypeOf(a[i]), reflect.TypeOf(b[i])
		if x != y && x != nil && y != nil {
			return false
		}
	}
	return true
}
