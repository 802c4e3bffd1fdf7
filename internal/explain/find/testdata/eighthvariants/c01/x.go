package c01

// V1 generic
type Set[T comparable] map[T]struct{}

func SetOf[T any, K comparable](items []T, key func(T) K) Set[K] {
	out := Set[K]{}
	for _, it := range items {
		out[key(it)] = struct{}{}
	}
	return out
}

// V2 method
type roster struct {
	members []member
	byID    map[int64]string
}

type member struct {
	id   int64
	name string
}

func (r *roster) reindex() {
	r.byID = make(map[int64]string)
	for i := range r.members {
		m := &r.members[i]
		r.byID[m.id] = m.name
	}
}

func (r *roster) Add(ms ...member) {
	r.members = append(r.members, ms...)
	r.reindex()
}

func (r *roster) Name(id int64) string { return r.byID[id] }
