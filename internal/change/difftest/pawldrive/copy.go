package pawldrive

import (
	"cmp"
	"reflect"
	"runtime/debug"
	"slices"
	"strings"
	"unsafe"
)

// A span is memory of the source in one piece, and its copy.
type span struct {
	src, dst unsafe.Pointer
	size     uintptr
	elem     reflect.Type
	n        int
}

// copyLive copies a list of the user's values. It never writes to them, except
// that it takes free mutexes while it works, and calls none of their methods.
func copyLive(list []any, heldOK bool, limit int) (out []any, c *copier, err error) {
	c = newCopier(true)
	c.heldOK, c.limit = heldOK, limit
	out, err = c.copy(list)
	return out, c, err
}

func duplicate(list []any) ([]any, error) {
	c := newCopier(false)
	c.limit = 64 * maxBytes
	return c.copy(list)
}

func (c *copier) copy(list []any) (out []any, err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		for _, unlock := range c.unlocks {
			unlock()
		}
		if r := recover(); r != nil {
			why, ok := r.(refusal)
			if !ok {
				why = "changed while it was copied"
			}
			out, err = nil, why
		}
	}()
	src := slices.Clone(list)
	for i := range src {
		c.root(&src[i])
	}
	c.drain()
	c.merge()
	for i := range c.spans {
		c.make(&c.spans[i])
	}
	for _, m := range c.maps {
		m.dst = reflect.MakeMapWithSize(m.t, m.n)
	}
	for i := range c.spans {
		c.fillSpan(&c.spans[i])
	}
	for _, m := range c.maps {
		c.fillMap(m)
	}
	out = make([]any, len(src))
	for i := range src {
		c.fill(anyType, unsafe.Pointer(&src[i]), unsafe.Pointer(&out[i]))
	}
	return out, nil
}

// root walks one value of the list: its own pointers are copied even where they
// point to package-level variables.
func (c *copier) root(slot *any) {
	p := unsafe.Pointer(slot)
	before := len(c.queue)
	c.iface(anyType, p)
	if box, ok := c.boxes[p]; ok {
		c.queue = c.queue[:before]
		c.walk(box.Type().Elem(), box.UnsafePointer(), true)
	}
}

// merge turns the regions into spans: regions that overlap are one object or
// one array seen in several ways.
func (c *copier) merge() {
	size := func(r region) uintptr { return uintptr(r.n) * infoOf(r.elem).size }
	slices.SortFunc(c.regions, func(a, b region) int {
		return cmp.Or(cmp.Compare(uintptr(a.p), uintptr(b.p)), cmp.Compare(size(b), size(a)))
	})
	for i := 0; i < len(c.regions); {
		first := c.regions[i]
		end, j := uintptr(first.p)+size(first), i+1
		for ; j < len(c.regions) && uintptr(c.regions[j].p) < end; j++ {
			end = max(end, uintptr(c.regions[j].p)+size(c.regions[j]))
		}
		c.spans = append(c.spans, c.oneSpan(c.regions[i:j], end-uintptr(first.p)))
		i = j
	}
}

func (c *copier) oneSpan(rs []region, total uintptr) span {
	best := -1
	for i, r := range rs {
		if r.p == rs[0].p && uintptr(r.n)*infoOf(r.elem).size == total && (best < 0 || infoOf(rs[best].elem).flat && !infoOf(r.elem).flat) {
			best = i
		}
	}
	if best >= 0 {
		r := rs[best]
		return span{src: r.p, size: total, elem: r.elem, n: r.n}
	}
	// Windows of one array: none covers it.
	elem := rs[0].elem
	size := infoOf(elem).size
	for _, r := range rs {
		inside := infoOf(r.elem).size <= size
		if r.elem == elem && (uintptr(r.p)-uintptr(rs[0].p))%size != 0 || !inside {
			c.refuse("memory is used as %s and as %s at once", elem, r.elem)
		}
	}
	if total%size != 0 {
		c.refuse("memory is used as %s and as something else at once", elem)
	}
	return span{src: rs[0].p, size: total, elem: elem, n: int(total / size)}
}

func (c *copier) make(s *span) {
	if s.n == 1 {
		s.dst = reflect.New(s.elem).UnsafePointer()
		return
	}
	s.dst = reflect.MakeSlice(reflect.SliceOf(s.elem), s.n, s.n).UnsafePointer()
}

// find returns where p is in the copy.
func (c *copier) find(p unsafe.Pointer) (unsafe.Pointer, *span) {
	i, _ := slices.BinarySearchFunc(c.spans, uintptr(p)+1, func(s span, a uintptr) int { return cmp.Compare(uintptr(s.src), a) })
	if i == 0 {
		return nil, nil
	}
	s := &c.spans[i-1]
	off := uintptr(p) - uintptr(s.src)
	if off >= s.size {
		return nil, nil
	}
	return unsafe.Add(s.dst, off), s
}

func (c *copier) translate(p unsafe.Pointer) unsafe.Pointer {
	if p == nil {
		return nil
	}
	if q, ok := c.subst[p]; ok {
		return q
	}
	if q, _ := c.find(p); q != nil {
		return q
	}
	if !c.asIs[p] {
		c.refuse("changed while it was copied")
	}
	return p
}

func (c *copier) fillSpan(s *span) {
	if infoOf(s.elem).flat {
		copyBytes(s.dst, s.src, s.size)
		return
	}
	size := infoOf(s.elem).size
	for i := 0; i < s.n; i++ {
		off := uintptr(i) * size
		c.fill(s.elem, unsafe.Add(s.src, off), unsafe.Add(s.dst, off))
	}
}

func copyBytes(dst, src unsafe.Pointer, n uintptr) {
	copy(unsafe.Slice((*byte)(dst), n), unsafe.Slice((*byte)(src), n))
}

func (c *copier) fillMap(m *mapCopy) {
	kt, vt := m.t.Key(), m.t.Elem()
	for i := 0; i < m.n; i++ {
		k, v := reflect.New(kt), reflect.New(vt)
		c.fill(kt, m.keys.Index(i).Addr().UnsafePointer(), k.UnsafePointer())
		c.fill(vt, m.vals.Index(i).Addr().UnsafePointer(), v.UnsafePointer())
		m.dst.SetMapIndex(k.Elem(), v.Elem())
	}
}

// fill writes the copy of the value of type t at src to dst.
func (c *copier) fill(t reflect.Type, src, dst unsafe.Pointer) {
	in := infoOf(t)
	if in.flat {
		if in.special == opaque {
			at(t, dst).Set(at(t, src))
		} else {
			copyBytes(dst, src, in.size)
		}
		return
	}
	if in.special != ordinary && c.fillSpecial(in, src, dst) {
		return
	}
	switch t.Kind() {
	case reflect.String:
		*(*string)(dst) = c.str(*(*string)(src))
	case reflect.Pointer:
		*(*unsafe.Pointer)(dst) = c.translate(*(*unsafe.Pointer)(src))
	case reflect.Slice:
		c.fillSlice(in, src, dst)
	case reflect.Map:
		if m := at(t, src); !m.IsNil() {
			mc := c.maps[m.UnsafePointer()]
			if mc == nil {
				c.refuse("changed while it was copied")
			}
			at(t, dst).Set(mc.dst.Convert(t))
		}
	case reflect.Chan:
		if ch := at(t, src); !ch.IsNil() {
			at(t, dst).Set(c.chans[ch.UnsafePointer()].Convert(t))
		}
	case reflect.Func, reflect.UnsafePointer:
		q := *(*unsafe.Pointer)(src)
		if t.Kind() == reflect.Func && c.stand != nil && isPassed(q) {
			at(t, dst).Set(c.stand(at(t, src)))
			return
		}
		if r, _ := c.find(q); r != nil && t.Kind() == reflect.UnsafePointer {
			q = r
		}
		*(*unsafe.Pointer)(dst) = q
	case reflect.Interface:
		c.fillInterface(t, src, dst)
	case reflect.Array:
		for i := 0; i < t.Len(); i++ {
			off := uintptr(i) * infoOf(in.elem).size
			c.fill(in.elem, unsafe.Add(src, off), unsafe.Add(dst, off))
		}
	case reflect.Struct:
		for _, f := range in.fields {
			c.fill(f.typ, unsafe.Add(src, f.off), unsafe.Add(dst, f.off))
		}
	}
}

func (c *copier) fillSlice(in *info, src, dst unsafe.Pointer) {
	h := *(*sliceHeader)(src)
	switch {
	case h.data == nil:
	case h.cap == 0 || infoOf(in.elem).size == 0:
		h.data = unsafe.Pointer(&empty)
	default:
		p := c.translate(h.data)
		if _, s := c.find(h.data); s != nil && uintptr(p)+uintptr(h.cap)*infoOf(in.elem).size > uintptr(s.dst)+s.size {
			c.refuse("changed while it was copied")
		}
		h.data = p
	}
	*(*sliceHeader)(dst) = h
}

// empty is what slices without memory point to.
var empty [1]uint64

func (c *copier) fillInterface(t reflect.Type, src, dst unsafe.Pointer) {
	v := at(t, src)
	if v.IsNil() {
		return
	}
	if w, ok := c.stands[src]; ok {
		at(t, dst).Set(w)
		return
	}
	box, ok := c.boxes[src]
	if !ok {
		at(t, dst).Set(v) // flat
		return
	}
	out := reflect.New(box.Type().Elem())
	c.fill(box.Type().Elem(), box.UnsafePointer(), out.UnsafePointer())
	at(t, dst).Set(out.Elem())
}

// str copies a string of the user's: it may lie in a buffer that is written
// again.
func (c *copier) str(s string) string {
	p := unsafe.Pointer(unsafe.StringData(s))
	if p == nil || len(s) == 0 {
		return ""
	}
	if q, sp := c.find(p); sp != nil && uintptr(q)+uintptr(len(s)) <= uintptr(sp.dst)+sp.size {
		return unsafe.String((*byte)(q), len(s))
	}
	if !c.live || !onHeap(p) {
		return s
	}
	k := sliceHeader{p, len(s), 0}
	if _, ok := c.strs[k]; !ok {
		c.strs[k] = strings.Clone(s)
	}
	return c.strs[k]
}
