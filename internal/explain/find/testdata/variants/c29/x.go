package c29

type pt struct{ x, y int }

// V1 renamed
func grid(n int) int {
	ps := []*pt{}
	for i := 0; i < n; i++ {
		ps = append(ps, &pt{i, i})
	}
	s := 0
	for _, p := range ps {
		s += p.x
	}
	return s
}

// V2 method, missed
type poly struct{ pts []*pt }

func (p *poly) add(x, y int) { p.pts = append(p.pts, &pt{x, y}) }
func (p *poly) sum() (s int) {
	for _, q := range p.pts {
		s += q.y
	}
	return
}

// V3 closure
func mk(n int) func() []*pt {
	return func() []*pt {
		out := make([]*pt, n)
		for i := range out {
			out[i] = &pt{x: i}
		}
		return out
	}
}

// V4 generic
type cell[T any] struct{ v T }

func cells[T any](vs []T) []*cell[T] {
	cs := make([]*cell[T], 0, len(vs))
	for _, v := range vs {
		cs = append(cs, &cell[T]{v})
	}
	return cs
}

// V5 two functions
func newPt(i int) *pt { return &pt{i, 0} }
func line(n int) []*pt {
	var l []*pt
	for i := 0; i < n; i++ {
		l = append(l, newPt(i))
	}
	return l
}
