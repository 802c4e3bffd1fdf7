package pawldrive

import (
	"bytes"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"
	"time"
	"unsafe"
)

// A mismatch is the first place in which two values differ.
type mismatch struct {
	path string // "" for the whole, else ".Field[3]"
	a, b string
	err  bool // inside an error
	lock bool // a mutex that one side left held
	// soft names the sort of a difference that many callers do not care for:
	// diffText or diffNil. Others are looked for behind it.
	soft string
}

func (m *mismatch) texts() (string, string) {
	if m.path == "" {
		return shorten(m.a, maxText), shorten(m.b, maxText)
	}
	p := strings.TrimPrefix(m.path, ".")
	if len(p) > maxText/2 { // what differs says more than the way there
		p = p[:maxText/8] + "…" + p[len(p)-maxText/8:]
	}
	return shorten(p+" = "+m.a, maxText), shorten(p+" = "+m.b, maxText)
}

// A differ compares values of two worlds: what the base left, and what the
// candidate left. Pointers are equal when what they point to is.
type differ struct {
	skip      map[string][]string // type → fields that only the candidate has
	sentinels *sentinels
	seen      map[seenPair]bool
	nodes     int
	inner     int // how deep inside unexported fields
	soft      *mismatch
	notes     map[string]bool
	loose     bool // slices and texts are compared without regard to order
	depth     int  // of pointers
	later     []deferred
}

// A deferred is what two pointers lead to that are too deep for the stack, as in
// long lists.
type deferred struct {
	elem  reflect.Type
	a, b  unsafe.Pointer
	path  string
	inner int
}

// maxDepth is how many pointers deep values are compared by recursion.
const maxDepth = 256

type seenPair struct {
	a, b unsafe.Pointer
	t    reflect.Type
}

func newDiffer(f *function) *differ {
	return &differ{skip: f.NewFields, sentinels: &f.sentinels, seen: map[seenPair]bool{}, notes: f.notes}
}

// any compares two values; nil says that nothing differs. A soft difference is
// returned only where there is no other.
func (d *differ) any(a, b any) *mismatch {
	d.soft, d.later, d.inner = nil, nil, 0
	m := d.value(anyType, unsafe.Pointer(&a), unsafe.Pointer(&b), "")
	for m == nil && len(d.later) > 0 {
		next := d.later[0]
		d.later, d.inner = d.later[1:], next.inner
		m = d.value(next.elem, next.a, next.b, next.path)
	}
	if m != nil {
		return m
	}
	return d.soft
}

// note keeps the first soft difference.
func (d *differ) note(m *mismatch, kind string) {
	if d.soft == nil {
		m.soft = kind
		d.soft = m
	}
}

func (d *differ) leaf(t reflect.Type, a, b unsafe.Pointer, path string) *mismatch {
	x, y := describe(at(t, a).Interface()), describe(at(t, b).Interface())
	return &mismatch{path: path, a: x, b: y}
}

func (d *differ) value(t reflect.Type, a, b unsafe.Pointer, path string) *mismatch {
	in := infoOf(t)
	if d.nodes++; d.nodes > 4*maxNodes {
		d.notes["values deeper than 400000 parts"] = true
		return nil
	}
	if in.special != ordinary {
		if m, done := d.special(in, t, a, b, path); done {
			return m
		}
	}
	switch t.Kind() {
	case reflect.Interface:
		return d.iface(t, a, b, path)
	case reflect.Pointer:
		return d.pointer(in.elem, a, b, path)
	case reflect.Slice:
		return d.slice(in, a, b, path)
	case reflect.Map:
		return d.mapping(t, a, b, path)
	case reflect.Struct:
		return d.structure(in, t, a, b, path)
	case reflect.Array:
		return d.list(in.elem, a, b, t.Len(), path)
	case reflect.Func, reflect.Chan:
		return d.nilness(t, a, b, path)
	case reflect.UnsafePointer, reflect.Uintptr:
		return nil // addresses
	case reflect.String:
		if x, y := *(*string)(a), *(*string)(b); !alike(x, y) && !(d.loose && sameBytes(x, y)) {
			p, q := describePair(x, y)
			return &mismatch{path: path, a: p, b: q}
		}
		return nil
	case reflect.Float32, reflect.Float64:
		return d.floats(at(t, a).Float(), at(t, b).Float(), path)
	case reflect.Complex64, reflect.Complex128:
		x, y := at(t, a).Complex(), at(t, b).Complex()
		if m := d.floats(real(x), real(y), path); m != nil {
			return m
		}
		return d.floats(imag(x), imag(y), path)
	}
	if !bytes.Equal(unsafe.Slice((*byte)(a), in.size), unsafe.Slice((*byte)(b), in.size)) {
		return d.leaf(t, a, b, path)
	}
	return nil
}

func (d *differ) floats(x, y float64, path string) *mismatch {
	if math.Float64bits(x) == math.Float64bits(y) || x != x && y != y {
		return nil
	}
	return &mismatch{path: path, a: describe(x), b: describe(y)}
}

func (d *differ) nilness(t reflect.Type, a, b unsafe.Pointer, path string) *mismatch {
	if (*(*unsafe.Pointer)(a) == nil) != (*(*unsafe.Pointer)(b) == nil) {
		return d.leaf(t, a, b, path)
	}
	if *(*unsafe.Pointer)(a) != nil {
		d.notes["functions and channels inside values, but for being nil"] = true
	}
	return nil
}

func (d *differ) iface(t reflect.Type, a, b unsafe.Pointer, path string) *mismatch {
	x, y := at(t, a), at(t, b)
	if x.IsNil() || y.IsNil() {
		if x.IsNil() == y.IsNil() {
			return nil
		}
		m := d.leaf(t, a, b, path)
		v := x
		if x.IsNil() {
			v = y
		}
		m.err = v.Elem().Type().Implements(errorType)
		return m
	}
	x, y = x.Elem(), y.Elem()
	if x.Type().Implements(errorType) && y.Type().Implements(errorType) {
		return d.errors(x.Interface().(error), y.Interface().(error), path)
	}
	switch {
	case x.Type() == y.Type():
	case alike(x.Type().String(), y.Type().String()): // the base's copy of a type that changed
		d.notes["values of "+y.Type().String()+", a type that changed"] = true
		return nil
	default:
		return &mismatch{path: path, a: typed(x), b: typed(y)}
	}
	p, q := reflect.New(x.Type()), reflect.New(x.Type())
	p.Elem().Set(x)
	q.Elem().Set(y)
	return d.value(x.Type(), p.UnsafePointer(), q.UnsafePointer(), path)
}

func typed(v reflect.Value) string {
	return fmt.Sprintf("%s: %s", v.Type(), describe(v.Interface()))
}

func (d *differ) pointer(elem reflect.Type, a, b unsafe.Pointer, path string) *mismatch {
	p, q := *(*unsafe.Pointer)(a), *(*unsafe.Pointer)(b)
	if p == q {
		return nil
	}
	if p == nil || q == nil {
		return d.leaf(reflect.PointerTo(elem), a, b, path)
	}
	if elem == locationType {
		if x, y := (*time.Location)(p), (*time.Location)(q); !sameZone(x, y) {
			return &mismatch{path: path, a: x.String(), b: y.String()}
		}
	}
	k := seenPair{p, q, elem}
	if d.seen[k] || infoOf(elem).special == shared || infoOf(elem).special == timer {
		return nil
	}
	d.seen[k] = true
	if d.depth == maxDepth {
		d.later = append(d.later, deferred{elem, p, q, shorten(path, maxText), d.inner})
		return nil
	}
	d.depth++
	defer func() { d.depth-- }()
	return d.value(elem, p, q, path)
}

func (d *differ) slice(in *info, a, b unsafe.Pointer, path string) *mismatch {
	x, y := *(*sliceHeader)(a), *(*sliceHeader)(b)
	t := reflect.SliceOf(in.elem)
	if in.elem.Kind() == reflect.Uintptr {
		return nil // program counters, as errors keep them
	}
	if (x.data == nil) != (y.data == nil) && d.inner == 0 {
		if x.len != 0 || y.len != 0 {
			return d.leaf(t, a, b, path)
		}
		d.note(d.leaf(t, a, b, path), diffNil)
		return nil
	}
	if in.elem.Kind() == reflect.Uint8 {
		p, q := unsafe.String((*byte)(x.data), x.len), unsafe.String((*byte)(y.data), y.len)
		if alike(p, q) || d.loose && sameBytes(p, q) {
			return nil
		}
		u, v := describePair(p, q)
		return &mismatch{path: path, a: "[]byte(" + u + ")", b: "[]byte(" + v + ")"}
	}
	if x.len != y.len {
		return &mismatch{path: path, a: sized(t, a, x.len), b: sized(t, b, y.len)}
	}
	if x.data == y.data || d.loose && sameElements(t, a, b) {
		return nil
	}
	return d.list(in.elem, x.data, y.data, x.len, path)
}

// sameBytes reports whether two texts have the same bytes in some order.
func sameBytes(x, y string) bool {
	var n [256]int
	for _, c := range []byte(x) {
		n[c]++
	}
	for _, c := range []byte(y) {
		n[c]--
	}
	return n == [256]int{}
}

// sameElements reports whether two slices have the same elements in some order.
func sameElements(t reflect.Type, a, b unsafe.Pointer) bool {
	n := map[uint64]int{}
	for i, p := range []unsafe.Pointer{a, b} {
		v := at(t, p)
		for j := range v.Len() {
			n[hashAll([]any{v.Index(j).Interface()})] += 1 - 2*i
		}
	}
	for _, left := range n {
		if left != 0 {
			return false
		}
	}
	return true
}

func sized(t reflect.Type, p unsafe.Pointer, n int) string {
	return fmt.Sprintf("%d elements: %s", n, describe(at(t, p).Interface()))
}

func (d *differ) list(elem reflect.Type, a, b unsafe.Pointer, n int, path string) *mismatch {
	size := infoOf(elem).size
	if n == 0 || size == 0 {
		return nil
	}
	if k := elem.Kind(); k >= reflect.Bool && k <= reflect.Uint64 &&
		bytes.Equal(unsafe.Slice((*byte)(a), size*uintptr(n)), unsafe.Slice((*byte)(b), size*uintptr(n))) {
		return nil
	}
	for i := 0; i < n; i++ {
		off := uintptr(i) * size
		if m := d.value(elem, unsafe.Add(a, off), unsafe.Add(b, off), ""); m != nil {
			m.path = fmt.Sprintf("%s[%d]%s", path, i, m.path)
			return m
		}
	}
	return nil
}

func typeName(t reflect.Type) string {
	name, _, _ := strings.Cut(t.String(), "[")
	return name
}

func (d *differ) structure(in *info, t reflect.Type, a, b unsafe.Pointer, path string) *mismatch {
	name := typeName(t)
	for _, f := range in.fields {
		if slices.Contains(d.skip[name], f.name) {
			continue
		}
		if isScratch(f) {
			d.notes["what is left in "+name+"."+f.name] = true
			continue
		}
		if !f.exported {
			d.inner++
		}
		m := d.value(f.typ, unsafe.Add(a, f.off), unsafe.Add(b, f.off), path+"."+f.name)
		if !f.exported {
			d.inner--
		}
		if m != nil {
			return m
		}
	}
	return nil
}

// isScratch reports whether a field is bytes that nobody reads who did not
// write them in the same call, going by its name.
func isScratch(f field) bool {
	if f.exported || f.typ.Kind() != reflect.Array && f.typ.Kind() != reflect.Slice || f.typ.Elem().Kind() != reflect.Uint8 {
		return false
	}
	name := strings.ToLower(f.name)
	return strings.Contains(name, "scratch") || strings.HasPrefix(name, "tmp") || strings.HasPrefix(name, "temp")
}

// mapping compares maps. Keys that hold pointers or NaNs cannot be looked up in
// the other map; they are paired by trying, in small maps.
func (d *differ) mapping(t reflect.Type, a, b unsafe.Pointer, path string) *mismatch {
	x, y := at(t, a), at(t, b)
	if x.IsNil() != y.IsNil() && d.inner == 0 || x.Len() != y.Len() {
		return &mismatch{path: path, a: fmt.Sprintf("%d keys: %s", x.Len(), describe(x.Interface())), b: fmt.Sprintf("%d keys: %s", y.Len(), describe(y.Interface()))}
	}
	if x.Len() == 0 || x.UnsafePointer() == y.UnsafePointer() {
		return nil
	}
	if !lookable(t.Key()) {
		return d.search(t, x, y, path)
	}
	k, p, q := reflect.New(t.Key()), reflect.New(t.Elem()), reflect.New(t.Elem())
	for it := x.MapRange(); it.Next(); {
		v := y.MapIndex(it.Key())
		k.Elem().Set(it.Key())
		key := "[" + describe(k.Elem().Interface()) + "]"
		if !v.IsValid() {
			return &mismatch{path: path + key, a: describe(it.Value().Interface()), b: "no such key"}
		}
		p.Elem().Set(it.Value())
		q.Elem().Set(v)
		if m := d.value(t.Elem(), p.UnsafePointer(), q.UnsafePointer(), path+key); m != nil {
			return m
		}
	}
	return nil
}

func lookable(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.String:
		return true
	case reflect.Array:
		return lookable(t.Elem())
	case reflect.Struct:
		for i := 0; i < t.NumField(); i++ {
			if !lookable(t.Field(i).Type) {
				return false
			}
		}
		return true
	case reflect.Float32, reflect.Float64, reflect.Complex64, reflect.Complex128:
		return false
	}
	return infoOf(t).flat
}

func (d *differ) search(t reflect.Type, x, y reflect.Value, path string) *mismatch {
	if x.Len() > 64 {
		d.notes["maps of more than 64 keys that hold pointers or interfaces, but for their length"] = true
		return nil
	}
	type pair struct{ k, v reflect.Value }
	pairs := func(m reflect.Value) (out []pair) {
		for it := m.MapRange(); it.Next(); {
			k, v := reflect.New(t.Key()), reflect.New(t.Elem())
			k.Elem().Set(it.Key())
			v.Elem().Set(it.Value())
			out = append(out, pair{k, v})
		}
		return out
	}
	left := pairs(y)
next:
	for _, p := range pairs(x) {
		for i, q := range left {
			// A trial of its own, so that a failed one leaves nothing behind.
			try := *d
			try.seen = maps.Clone(d.seen)
			if try.value(t.Key(), p.k.UnsafePointer(), q.k.UnsafePointer(), "") == nil &&
				try.value(t.Elem(), p.v.UnsafePointer(), q.v.UnsafePointer(), "") == nil {
				left = append(left[:i], left[i+1:]...)
				d.seen, d.nodes, d.soft, d.later = try.seen, try.nodes, try.soft, try.later
				continue next
			}
		}
		return &mismatch{path: path + "[" + describe(p.k.Elem().Interface()) + "]", a: describe(p.v.Elem().Interface()), b: "no such pair"}
	}
	return nil
}
