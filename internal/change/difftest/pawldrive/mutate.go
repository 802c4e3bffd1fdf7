package pawldrive

import (
	"bytes"
	"math"
	"reflect"
	"slices"
	"strings"
	"time"
	"unsafe"
)

// A rng is splitmix64: the same inputs for the same seed on every version.
type rng struct{ s uint64 }

func (r *rng) next() uint64 {
	r.s += 0x9e3779b97f4a7c15
	return mix(r.s)
}

// n returns a number below n, 0 when there is none.
func (r *rng) n(n int) int {
	if n <= 0 {
		return 0
	}
	return int(r.next() % uint64(n))
}

// one reports true one time in n.
func (r *rng) one(n int) bool { return r.n(n) == 0 }

// A site is a place that a caller could have filled otherwise.
type site struct {
	t   reflect.Type
	p   unsafe.Pointer
	put func() // writes the value back where it has no address
}

// A mutator makes inputs from recorded ones.
type mutator struct {
	r       *rng
	alike   *rng // for near alone
	f       *function
	extreme bool // numbers that may make a loop or an allocation endless
	sites   []site
	texts   []string // what recorded texts hold, and constants
	cuts    []cutting
	dates   []dating
	made    int // inputs so far
}

const (
	maxSites = 512
	maxTexts = 64
	maxText1 = 64 << 10 // how long a text is made
)

func newMutator(f *function, seed uint64) *mutator {
	m := &mutator{r: &rng{mix(seed ^ fnvString(f.Name))}, alike: &rng{mix(seed + 1)}, f: f, texts: slices.Clone(f.Texts)}
	for _, in := range f.inputs {
		list, err := duplicate(in.args)
		if err != nil {
			continue
		}
		for i := range list {
			m.reset(list, i)
			for k, s := range m.sites {
				m.gather(s)
				m.cutUp(in, i, k)
			}
		}
	}
	m.sortCuts()
	return m
}

// reset collects the sites of one argument.
func (m *mutator) reset(list []any, i int) {
	m.sites = m.sites[:0]
	if slices.Contains(m.f.Anys, i) {
		defer func() { m.sites = append(m.sites, site{anyType, unsafe.Pointer(&list[i]), func() {}}) }()
	}
	if list[i] == nil {
		return
	}
	t := reflect.TypeOf(list[i])
	box := reflect.New(t)
	box.Elem().Set(reflect.ValueOf(list[i]))
	m.collect(t, box.UnsafePointer(), 0, func() { list[i] = box.Elem().Interface() })
}

func (m *mutator) gather(s site) {
	text := ""
	switch {
	case s.t.Kind() == reflect.String:
		text = *(*string)(s.p)
	case isBytes(s.t):
		text = string(*(*[]byte)(s.p))
	}
	if text != "" && len(m.texts) < maxTexts && len(text) <= maxText1 {
		m.texts = append(m.texts, strings.Clone(text))
	}
	if v := at(s.t, s.p); v.CanInt() && (v.Int() > 1<<21 || v.Int() < -1<<21) || v.CanUint() && v.Uint() > 1<<21 {
		m.f.wide = true
	}
}

func isBytes(t reflect.Type) bool {
	return t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Uint8
}

func (m *mutator) collect(t reflect.Type, p unsafe.Pointer, depth int, put func()) {
	if len(m.sites) >= maxSites || depth > 8 {
		return
	}
	in := infoOf(t)
	here := site{t, p, put}
	if t == timeType {
		m.sites = append(m.sites, here)
		return
	}
	switch t.Kind() {
	case reflect.Struct:
		if in.special == reflectVal {
			m.reflected((*reflect.Value)(p), depth, put)
		}
		if in.special != ordinary {
			return
		}
		for _, f := range in.fields {
			if !f.exported {
				return // its own package keeps it consistent
			}
		}
		for _, f := range in.fields {
			m.collect(f.typ, unsafe.Add(p, f.off), depth+1, put)
		}
	case reflect.Pointer:
		q := *(*unsafe.Pointer)(p)
		if q == nil || infoOf(in.elem).special == shared || !onHeap(q) {
			return
		}
		if readers[in.elem] {
			m.sites = append(m.sites, here)
			return
		}
		m.collect(in.elem, q, depth+1, func() {})
	case reflect.Array:
		n := min(t.Len(), 8)
		for i := range n { // the last one, too
			m.collect(in.elem, unsafe.Add(p, uintptr(i*(t.Len()-1)/max(n-1, 1))*infoOf(in.elem).size), depth+1, put)
		}
	case reflect.Slice:
		m.sites = append(m.sites, here)
		h := *(*sliceHeader)(p)
		if in.elem.Kind() == reflect.Uint8 || h.data == nil {
			return
		}
		for i := 0; i < h.len && i < 8; i++ {
			m.collect(in.elem, unsafe.Add(h.data, uintptr(i)*infoOf(in.elem).size), depth+1, func() {})
		}
	case reflect.Interface:
		m.dynamic(t, p, depth, put)
		if t.NumMethod() == 0 && depth < 2 {
			m.sites = append(m.sites, here)
		}
	case reflect.Func, reflect.Chan, reflect.UnsafePointer, reflect.Uintptr:
	default:
		m.sites = append(m.sites, here)
	}
}

// dynamic collects what an interface holds, in a box that put writes back.
func (m *mutator) dynamic(t reflect.Type, p unsafe.Pointer, depth int, put func()) {
	slot := at(t, p)
	if slot.IsNil() || slot.Elem().Type().Implements(errorType) {
		return
	}
	box := reflect.New(slot.Elem().Type())
	box.Elem().Set(slot.Elem())
	m.collect(box.Type().Elem(), box.UnsafePointer(), depth+1, func() { slot.Set(box.Elem()); put() })
}

// readers are types whose content a caller chooses, though it is unexported.
var readers = map[reflect.Type]bool{
	reflect.TypeFor[bytes.Reader](): true, reflect.TypeFor[strings.Reader](): true, reflect.TypeFor[bytes.Buffer](): true,
}

// generate makes an input from the recorded ones; nil when nothing of them is a
// caller's choice.
func (m *mutator) generate() *input {
	if in := m.cut(); in != nil {
		return in
	}
	f := m.f
	from := f.inputs[m.r.n(len(f.inputs))]
	list, err := duplicate(from.args)
	if err != nil || len(list) == 0 {
		return nil
	}
	if m.otherSteps(list) || m.near(list) || m.odd(list) {
		return &input{args: list, cand: from.cand, base: from.base, generated: true}
	}
	changed := false
	for i := range list {
		if m.r.one(4) {
			changed = m.swap(list, i) || changed
		}
	}
	for tries := 0; tries < 8 && (!changed || m.r.one(3)); tries++ {
		i := m.r.n(len(list))
		m.reset(list, i)
		if len(m.sites) == 0 {
			continue
		}
		s := m.sites[m.r.n(len(m.sites))]
		if m.r.one(2) {
			s = m.sites[0]
		}
		m.mutate(s)
		s.put()
		changed = true
	}
	if !changed {
		return nil
	}
	return &input{args: list, cand: from.cand, base: from.base, generated: true}
}

// swap takes an argument from another recorded call.
func (m *mutator) swap(list []any, i int) bool {
	other := m.f.inputs[m.r.n(len(m.f.inputs))]
	if i >= len(other.args) || reflect.TypeOf(other.args[i]) != reflect.TypeOf(list[i]) {
		return false
	}
	taken, err := duplicate(other.args[i : i+1])
	if err != nil {
		return false
	}
	list[i] = taken[0]
	return true
}

func (m *mutator) mutate(s site) {
	v := at(s.t, s.p)
	switch {
	case s.t == timeType:
		t := (*time.Time)(s.p)
		*t = m.moment(*t)
	case s.t == durationType && m.r.one(2):
		v.SetInt(int64(m.duration()))
	case s.t.Kind() == reflect.Pointer:
		m.reader(s)
	case s.t.Kind() == reflect.Interface || s.t == valueType:
		m.oddValue(s)
	case v.CanInt():
		v.SetInt(m.integer(v.Int(), s.t.Bits()))
	case v.CanUint():
		v.SetUint(uint64(m.integer(int64(v.Uint()), s.t.Bits())) & (1<<s.t.Bits() - 1))
	case v.CanFloat():
		v.SetFloat(m.float(v.Float()))
	case v.CanComplex():
		v.SetComplex(complex(m.float(real(v.Complex())), m.float(imag(v.Complex()))))
	case s.t.Kind() == reflect.Bool:
		v.SetBool(!v.Bool())
	case s.t.Kind() == reflect.String:
		v.SetString(string(m.text([]byte(v.String()))))
	case isBytes(s.t):
		v.SetBytes(m.window(v.Bytes()))
	case s.t.Kind() == reflect.Slice:
		m.list(v)
	case s.t.Kind() == reflect.Map:
		m.mapping(v)
	}
}

func (m *mutator) reader(s site) { m.rewrite(s, m.text) }

// rewrite changes what a reader has left.
func (m *mutator) rewrite(s site, edit func([]byte) []byte) {
	switch q := at(s.t, s.p).Interface().(type) {
	case *bytes.Reader:
		b := make([]byte, q.Len())
		c := *q
		c.Read(b)
		*q = *bytes.NewReader(edit(b))
	case *strings.Reader:
		b := make([]byte, q.Len())
		c := *q
		c.Read(b)
		*q = *strings.NewReader(string(edit(b)))
	case *bytes.Buffer:
		b := edit(bytes.Clone(q.Bytes()))
		q.Reset()
		q.Write(b)
	}
}

var smallInts = []int64{0, 1, -1, 2, 3, 7, 8, 9, 10, 15, 16, 17, 31, 32, 33, 63, 64, 65, 99, 100, 127, 128, 129, 255, 256, 257,
	1000, 1023, 1024, 1025, 4095, 4096, 4097, 65535, 65536}

var runes = []int64{0x7f, 0x80, 0x7ff, 0x800, 0xd7ff, 0xd800, 0xdfff, 0xe000, 0xfffd, 0xffff, 0x10000, 0x10ffff, 0x110000}

var hugeInts = []int64{math.MaxInt64, math.MinInt64, math.MaxInt32, math.MinInt32, math.MaxUint32, 1 << 31, 1 << 32, 1<<32 + 1,
	1 << 35, 1 << 42, 1 << 49, 1 << 53, 1 << 56, 1 << 62, -1 << 62, 1<<28 - 1, 1 << 28, 1 << 21}

// integer returns another number. Huge ones only where recorded calls had them
// too, or at the very end: a count of 2^40 would allocate, or loop, forever.
func (m *mutator) integer(n int64, bits int) int64 {
	if c, ok := m.constant(); ok && (m.f.wide || m.extreme || c > -1<<21 && c < 1<<21) {
		return c
	}
	if bits <= 16 && m.r.one(3) {
		return int64(m.r.next()) << (64 - bits) >> (64 - bits)
	}
	if (m.f.wide || m.extreme) && m.r.one(2) {
		if m.r.one(3) {
			return int64(m.r.next() >> m.r.n(64))
		}
		return hugeInts[m.r.n(len(hugeInts))] + int64(m.r.n(3)) - 1
	}
	switch m.r.n(6) {
	case 0:
		return n + 1
	case 1:
		return n - 1
	case 2:
		if n > -1<<16 && n < 1<<16 {
			return -n
		}
		return n / 2
	case 3:
		if bits >= 32 {
			return runes[m.r.n(len(runes))]
		}
	case 4:
		return int64(m.r.n(300))
	}
	return smallInts[m.r.n(len(smallInts))]
}

// constant returns, one time in three, a number that the code has, or the one
// before or after it.
func (m *mutator) constant() (c int64, ok bool) {
	if len(m.f.Numbers) == 0 || !m.r.one(3) {
		return 0, false
	}
	c = m.f.Numbers[m.r.n(len(m.f.Numbers))]
	if m.r.one(2) {
		c += int64(m.r.n(3)) - 1
	}
	return c, true
}

func (m *mutator) float(x float64) float64 {
	if c, ok := m.constant(); ok {
		return float64(c)
	}
	if n := len(m.f.Floats); n > 0 && m.r.one(4) {
		c := m.f.Floats[m.r.n(n)]
		return []float64{c, -c, math.Nextafter(c, math.Inf(1)), math.Nextafter(c, math.Inf(-1)), c + 1, c - 1, 2 * c}[m.r.n(7)]
	}
	if m.r.one(3) {
		return m.decimal()
	}
	list := []float64{0, math.Copysign(0, -1), 1, -1, 0.5, math.NaN(), math.Inf(1), math.Inf(-1), math.MaxFloat64,
		math.SmallestNonzeroFloat64, 1e21, 1e-7, 1e20, 123456789, x + 1, -x, x * 2, x / 3, math.Float64frombits(m.r.next())}
	return list[m.r.n(len(list))]
}

// decimal returns a number of few decimal digits, often one half way between two
// shorter ones: there roundings part.
func (m *mutator) decimal() float64 {
	x := float64(m.r.n(10))
	for range m.r.n(9) {
		x = x*10 + float64(m.r.n(10))
	}
	if m.r.one(2) {
		x = x*10 + 5
	}
	x /= math.Pow10(m.r.n(10))
	if m.r.one(3) {
		x = -x
	}
	return x
}

// list mutates a slice of anything but bytes.
func (m *mutator) list(v reflect.Value) {
	n := v.Len()
	switch m.r.n(6) {
	case 0:
		v.SetZero()
	case 1:
		v.Set(reflect.MakeSlice(v.Type(), 0, m.r.n(4)))
	case 2:
		v.Set(v.Slice(0, m.r.n(n+1)))
	case 3: // full to its capacity, so that an append must move it
		v.Set(v.Slice3(0, n, n))
	default:
		if n == 0 {
			if v.Type().Elem().Kind() != reflect.Interface && v.Type().Elem().Kind() != reflect.Pointer && v.Type().Elem().Kind() != reflect.Func {
				v.Set(reflect.MakeSlice(v.Type(), 1+m.r.n(3), 4))
			}
			return
		}
		want := m.length(n)
		out := reflect.MakeSlice(v.Type(), 0, want+4*m.r.n(3))
		for out.Len() < want {
			out = reflect.Append(out, v.Index((out.Len()+m.r.n(2))%n))
		}
		v.Set(out)
	}
}

func (m *mutator) mapping(v reflect.Value) {
	if v.IsNil() || m.r.one(8) {
		v.Set(reflect.MakeMap(v.Type()))
		return
	}
	if m.r.one(12) {
		v.SetZero()
		return
	}
	keys := v.MapKeys()
	if len(keys) == 0 {
		return
	}
	sortKeys(keys)
	k := keys[m.r.n(len(keys))]
	val := v.MapIndex(k)
	if m.r.one(2) {
		v.SetMapIndex(k, reflect.Value{})
	}
	if t := v.Type().Key(); m.r.one(2) && (t.Kind() == reflect.String || infoOf(t).flat) {
		box := reflect.New(t)
		box.Elem().Set(k)
		m.mutate(site{t: t, p: box.UnsafePointer()})
		v.SetMapIndex(box.Elem(), val)
	}
}
