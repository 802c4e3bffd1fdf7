package c09

import "slices"

// V1 method, any as one of two results
type Sampler struct {
	window []float64
}

func (s *Sampler) Observe(v float64) { s.window = append(s.window, v) }

func (s *Sampler) quantile(q float64) (any, bool) {
	if len(s.window) == 0 {
		return nil, false
	}
	at := int(q * float64(len(s.window)-1))
	return s.window[at], true
}

func (s *Sampler) Summary(qs []float64) map[float64]float64 {
	slices.Sort(s.window)
	out := make(map[float64]float64, len(qs))
	for _, q := range qs {
		if v, ok := s.quantile(q); ok {
			out[q] = v.(float64)
		}
	}
	return out
}
