package a

import "slices"

type window struct{ seen []float64 }

// at has a value or none: its caller asks for the one type that it may have.
func (w *window) at(i int) (any, bool) {
	if i >= len(w.seen) {
		return nil, false
	}
	return w.seen[i], true // want `at boxes its result into any, although it is always float64; declare the type`
}

func (w *window) last() any {
	return w.seen[len(w.seen)-1] // want `last boxes its result into any`
}

func (w *window) sum(n int) (sum float64) {
	for i := range n {
		if v, ok := w.at(i); ok {
			sum += v.(float64)
		}
	}
	return sum + w.last().(float64)
}

// What follows is left alone.

type process struct{ status [4]int }

func (p *process) sys() any { return p.status }

// Sys is any in each system: the result would be boxed here.
func (p *process) Sys() any { return p.sys() }

type source interface{ next() (any, bool) }

func (w *window) next() (any, bool) {
	if len(w.seen) == 0 {
		return nil, false
	}
	return w.seen[0], true
}

func drain(s source) (all []float64) {
	for v, ok := s.next(); ok; v, ok = s.next() {
		all = append(all, v.(float64))
	}
	return slices.Clip(all)
}

func first(w *window) float64 {
	v, _ := w.next()
	return v.(float64)
}

var _ source = (*window)(nil)
