package c10

import ()

// V1 renamed
type Gauge struct {
	Label string
	Val   any
}

var gauges = map[string]*Gauge{}

func Bump(label string, by int64) {
	if g, ok := gauges[label]; ok {
		cur, _ := g.Val.(int64)
		gauges[label] = &Gauge{Label: label, Val: cur + by}
		return
	}
	gauges[label] = &Gauge{Label: label, Val: by}
}

// V2 method
type stat struct{ v interface{} }
type stats struct{ m map[string]*stat }

func (s *stats) add(k string, d int) {
	if e, ok := s.m[k]; ok {
		s.m[k] = &stat{v: e.v.(int) + d}
		return
	}
	s.m[k] = &stat{v: d}
}

// V3 closure
type cell struct{ val any }

func tally() func(k string) {
	m := map[string]*cell{}
	return func(k string) {
		if c, ok := m[k]; ok {
			m[k] = &cell{val: c.val.(int) + 1}
			return
		}
		m[k] = &cell{val: 1}
	}
}

// V4 generic
type slot[K comparable] struct {
	key K
	val any
}

func Incr[K comparable](m map[K]*slot[K], k K, d float64) {
	if s, ok := m[k]; ok {
		m[k] = &slot[K]{key: k, val: s.val.(float64) + d}
		return
	}
	m[k] = &slot[K]{key: k, val: d}
}

// V5 two functions
type meter struct{ value any }

func (m *meter) int() int64 {
	switch v := m.value.(type) {
	case int64:
		return v
	case int:
		return int64(v)
	}
	return 0
}

var meters = map[string]*meter{}

func addTo(k string, n int64) {
	if m, ok := meters[k]; ok {
		meters[k] = &meter{value: m.int() + n}
		return
	}
	meters[k] = &meter{value: n}
}
