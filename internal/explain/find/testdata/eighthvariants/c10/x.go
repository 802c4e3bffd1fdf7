package c10

import "sync"

// V1 names
type gauge struct {
	label string
	last  any
}

type registry struct {
	mu     sync.Mutex
	gauges map[string]*gauge
}

func (r *registry) Observe(label string, v float64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	g := r.gauges[label]
	if g == nil {
		g = &gauge{label: label}
		r.gauges[label] = g
	}
	g.last = v
}

func (r *registry) Last(label string) float64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	if g := r.gauges[label]; g != nil {
		return g.last.(float64)
	}
	return 0
}

// V2 two functions
type stats struct{ hits map[string]any }

func (s *stats) get(path string) int {
	if n, ok := s.hits[path].(int); ok {
		return n
	}
	return 0
}

func (s *stats) Hit(path string) { s.hits[path] = s.get(path) + 1 }
