package pawldrive

import (
	"bytes"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"unsafe"
)

// special compares types of the standard library by what they mean rather than
// by their fields; done says that it did.
func (d *differ) special(in *info, t reflect.Type, a, b unsafe.Pointer, path string) (m *mismatch, done bool) {
	switch in.special {
	case mutex, rwMutex:
		if x, y := isLocked(in.special, a), isLocked(in.special, b); x != y {
			return &mismatch{path: path, a: held(x), b: held(y), lock: true}, true
		}
	case pool, fresh, cond, onceType, opaque, timer, file:
	case syncMap:
		return d.syncMaps((*sync.Map)(a), (*sync.Map)(b), path), true
	case atomicPtr:
		return d.pointer(in.elem, unsafe.Add(a, atomicOffset), unsafe.Add(b, atomicOffset), path), true
	case reflectVal:
		return d.reflectValues(*(*reflect.Value)(a), *(*reflect.Value)(b), path), true
	case builder:
		return d.bytes([]byte((*strings.Builder)(a).String()), []byte((*strings.Builder)(b).String()), path), true
	case buffer:
		return d.bytes(bufferBytes(a), bufferBytes(b), path), true
	case bufReader:
		return d.buffered(t, a, b, path, "r", "w"), true
	case bufWriter:
		return d.buffered(t, a, b, path, "", "n"), true
	default:
		return nil, false
	}
	return nil, true
}

func held(locked bool) string {
	if locked {
		return "locked"
	}
	return "unlocked"
}

func (d *differ) bytes(x, y []byte, path string) *mismatch {
	if bytes.Equal(x, y) || alike(string(x), string(y)) { // large ones are not copied where they are equal
		return nil
	}
	u, v := describePair(string(x), string(y))
	return &mismatch{path: path, a: u, b: v}
}

func bufferBytes(p unsafe.Pointer) []byte { return (*bytes.Buffer)(p).Bytes() }

// buffered compares what a bufio.Reader or Writer has in its buffer, and its
// other fields.
func (d *differ) buffered(t reflect.Type, a, b unsafe.Pointer, path, from, to string) *mismatch {
	window := func(p unsafe.Pointer) []byte {
		v := at(t, p)
		buf, lo := v.FieldByName("buf").Bytes(), 0
		if from != "" {
			lo = int(v.FieldByName(from).Int())
		}
		return buf[lo:v.FieldByName(to).Int()]
	}
	if m := d.bytes(window(a), window(b), path); m != nil {
		return m
	}
	for _, f := range infoOf(t).fields {
		if f.name == "buf" || f.name == from || f.name == to {
			continue
		}
		if m := d.value(f.typ, unsafe.Add(a, f.off), unsafe.Add(b, f.off), path+"."+f.name); m != nil {
			return m
		}
	}
	return nil
}

func (d *differ) reflectValues(x, y reflect.Value, path string) *mismatch {
	if x.IsValid() != y.IsValid() || x.IsValid() && x.Type() != y.Type() {
		return &mismatch{path: path, a: x.String(), b: y.String()}
	}
	if !x.IsValid() {
		return nil
	}
	return d.value(x.Type(), addressOf(x), addressOf(y), path)
}

// addressOf returns where the value lies that a reflect.Value holds, which may
// have been read through unexported fields.
func addressOf(v reflect.Value) unsafe.Pointer {
	h := (*valueHeader)(unsafe.Pointer(&v))
	if h.flag&flagIndirect != 0 {
		return h.ptr
	}
	p := new(unsafe.Pointer)
	*p = h.ptr
	return unsafe.Pointer(p)
}

func (d *differ) syncMaps(x, y *sync.Map, path string) *mismatch {
	collect := func(m *sync.Map) map[any]any {
		out := map[any]any{}
		m.Range(func(k, v any) bool { out[k] = v; return true })
		return out
	}
	p, q := collect(x), collect(y)
	if len(p) != len(q) {
		return &mismatch{path: path, a: fmt.Sprintf("%d keys", len(p)), b: fmt.Sprintf("%d keys", len(q))}
	}
	return d.mapping(reflect.TypeOf(p), unsafe.Pointer(&p), unsafe.Pointer(&q), path)
}
