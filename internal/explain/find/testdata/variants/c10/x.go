package c10

// V1 renamed
type Gauge struct {
	Key string
	Val any
}

var gauges = map[string]*Gauge{}

func Set(k string, v int64) { gauges[k] = &Gauge{Key: k, Val: v} }
func Get(k string) int64    { return gauges[k].Val.(int64) }

// V2 method
type cell struct{ v any }
type sheet struct{ cells map[string]*cell }

func (s *sheet) put(k string, n float64) { s.cells[k] = &cell{v: n} }
func (s *sheet) sum() (t float64) {
	for _, c := range s.cells {
		t += c.v.(float64)
	}
	return t
}

// V3 closure
type slot struct{ value interface{} }

func counter() (inc func(string), get func(string) int) {
	m := map[string]*slot{}
	inc = func(k string) {
		if s, ok := m[k]; ok {
			s.value = s.value.(int) + 1
			return
		}
		m[k] = &slot{value: 1}
	}
	get = func(k string) int { return m[k].value.(int) }
	return
}

// V4 generic
type box[K comparable] struct{ m map[K]any }

func (b *box[K]) add(k K, n int) {
	old, _ := b.m[k].(int)
	b.m[k] = old + n
}

// V5 two functions
type stat struct{ n any }

var stats = map[string]*stat{}

func intOf(v any) int { i, _ := v.(int); return i }
func bump(k string, d int) {
	s := stats[k]
	if s == nil {
		s = &stat{}
		stats[k] = s
	}
	s.n = intOf(s.n) + d
}
