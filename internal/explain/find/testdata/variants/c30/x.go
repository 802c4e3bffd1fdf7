package c30

// V1 renamed
type entry struct{ hits, size int }

func build(ks []string) int {
	es := make(map[string]*entry)
	for i, k := range ks {
		es[k] = &entry{size: i}
	}
	t := 0
	for _, e := range es {
		t += e.size
	}
	return t
}

// V2 method
type idx struct{ m map[int]*span }
type span struct{ from, to int }

func (x *idx) add(id, a, b int) { x.m[id] = &span{a, b} }
func (x *idx) width(id int) int {
	if s, ok := x.m[id]; ok {
		return s.to - s.from
	}
	return 0
}

// V3 closure
type pos struct{ line, col int }

func table2() (func(string, int), func(string) int) {
	m := map[string]*pos{}
	return func(s string, l int) { m[s] = &pos{line: l} }, func(s string) int {
		if p := m[s]; p != nil {
			return p.line
		}
		return -1
	}
}

// V4 generic
type pair struct{ a, b int32 }

func group[K comparable](ks []K) int32 {
	m := map[K]*pair{}
	for i, k := range ks {
		m[k] = &pair{a: int32(i)}
	}
	var s int32
	for _, p := range m {
		s += p.a
	}
	return s
}

// V5 two functions
type tok struct{ kind, at int }

func mktok(k, at int) *tok { return &tok{k, at} }
func toks(ws []string) int {
	m := map[string]*tok{}
	for i, w := range ws {
		m[w] = mktok(len(w), i)
	}
	n := 0
	for _, t := range m {
		n += t.kind
	}
	return n
}
