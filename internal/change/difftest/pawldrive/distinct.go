package pawldrive

import (
	"hash/fnv"
	"reflect"
	"slices"
)

// distinct makes up to n inputs of the same kind as recorded ones. All are new,
// and the base returns from each.
func (d *drive) distinct(n int) (out []*input) {
	m := d.mut
	if d.unseen == nil {
		d.unseen = map[uint64]bool{}
	}
	for tries := 0; len(out) < n && tries < 4*n && !d.over(); tries++ {
		from := d.f.inputs[m.r.n(len(d.f.inputs))]
		list, err := duplicate(from.args)
		if err != nil {
			continue
		}
		h := fnv.New64a()
		for i := range list {
			m.reset(list, i)
			for _, s := range m.sites {
				h.Write(m.vary(s))
			}
		}
		if key := h.Sum64(); d.unseen[key] {
			continue
		} else {
			d.unseen[key] = true
		}
		in := &input{args: list, cand: from.cand, base: from.base, generated: true}
		b := d.f.play(&script{steps: []*input{in}}, baseOf, deadline)
		if b.err != nil || len(b.steps) == 0 {
			continue
		}
		if b.steps[0].hung {
			d.hang(true)
		} else if b.steps[0].normal() {
			out = append(out, in)
		}
	}
	return out
}

// vary writes something else of the same kind to a site, and returns it.
func (m *mutator) vary(s site) []byte {
	v := at(s.t, s.p)
	switch {
	case s.t.Kind() == reflect.String:
		b := m.varyText([]byte(v.String()))
		v.SetString(string(b))
		s.put()
		return b
	case isBytes(s.t) && v.Len() > 0:
		b := m.varyText(append([]byte(nil), v.Bytes()...))
		v.SetBytes(b)
		s.put()
		return b
	case s.t.Kind() == reflect.Pointer:
		m.reader(s)
		return []byte(describe(v.Interface()))
	case v.CanInt() && s.t.Bits() > 8:
		n := v.Int()
		if n > -1<<40 && n < 1<<40 {
			v.SetInt(max(n-n/4, 0) + int64(m.r.n(int(min(max(n, -n)/2, 1<<15))+64)))
		}
	case v.CanUint() && s.t.Bits() > 8 && s.t.Kind() != reflect.Uintptr:
		v.SetUint(v.Uint() ^ uint64(m.r.n(256)))
	case v.CanFloat():
		v.SetFloat(v.Float() + float64(m.r.n(1<<12))/16)
	case v.CanInt() || v.CanUint() || s.t == timeType:
		m.mutate(s)
	default:
		return nil
	}
	s.put()
	return []byte(describe(v.Interface()))
}

// varyText keeps to the classes of bytes that are there; a short text may
// get longer, as there are few.
func (m *mutator) varyText(b []byte) []byte {
	if len(b) == 0 {
		return b
	}
	for k := 1 + len(b)/8; k > 0; k-- {
		i := m.r.n(len(b))
		b[i] = m.sameClass(b[i])
	}
	for k := m.r.n(9); k > 0 && len(b) < 64; k-- {
		i := m.r.n(len(b))
		if c := classOf(b[i]); c <= classUpper {
			b = slices.Insert(b, i, m.sameClass(b[i]))
		}
	}
	return b
}
