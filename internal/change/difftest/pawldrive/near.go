package pawldrive

import "reflect"

// near makes two values of one type alike but for one place, one time in sixteen:
// an argument and one before it, or two elements of a slice. What compares, sorts
// or looks up only parts there. An array that stands alone becomes zero.
func (m *mutator) near(list []any) bool {
	if !m.alike.one(16) {
		return false
	}
	defer func(r *rng) { m.r = r }(m.r)
	m.r = m.alike
	i := m.r.n(len(list))
	v := reflect.ValueOf(list[i])
	if v.IsValid() && v.Kind() == reflect.Slice && v.Len() > 1 && infoOf(v.Type().Elem()).flat {
		a, b := v.Index(m.r.n(v.Len())), v.Index(m.r.n(v.Len()))
		b.Set(a)
		box := []any{b.Interface()}
		changed := m.one(box, 0)
		b.Set(reflect.ValueOf(box[0]))
		return changed
	}
	for j := range i {
		if !v.IsValid() || reflect.TypeOf(list[j]) != v.Type() {
			continue
		}
		taken, err := duplicate(list[j : j+1])
		if err != nil {
			return false
		}
		list[i] = taken[0]
		return m.one(list, i)
	}
	if v.IsValid() && v.Kind() == reflect.Array {
		list[i] = reflect.Zero(v.Type()).Interface()
		return true
	}
	return false
}

// one changes one place of an argument.
func (m *mutator) one(list []any, i int) bool {
	m.reset(list, i)
	if len(m.sites) == 0 {
		return false
	}
	s := m.sites[m.r.n(len(m.sites))]
	m.mutate(s)
	s.put()
	return true
}
