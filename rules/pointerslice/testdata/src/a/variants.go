package a

func newItem(x int) *item {
	it := &item{x: x}
	it.y = -x
	return it
}

func (it *item) double() { it.x *= 2 }

func constructed(in []int) (out []*item) {
	for _, v := range in {
		it := newItem(v) // want `each element is a item`
		it.double()
		out = append(out, it)
	}
	return out
}

func addressed(in []int) []*item {
	out := make([]*item, len(in))
	for i, v := range in {
		var it item // want `each element is a item`
		it.x = v
		out[i] = &it
	}
	return out
}

func fill(it *item, v int) { it.x = v }

func filled(in []int) (out []*item) {
	for _, v := range in {
		it := &item{} // want `each element is a item`
		fill(it, v)
		out = append(out, it)
	}
	return out
}

// What follows is left alone.

func indexed(in []int, by map[int]*item) (out []*item) {
	for _, v := range in {
		it := newItem(v)
		by[v] = it
		out = append(out, it)
	}
	return out
}

type tree struct{ kids, open []*item }

func (t *tree) add(it *item) { t.kids = append(t.kids, it) }

func (t *tree) reopen(in []int) {
	for i, v := range in {
		it := newItem(v)
		t.add(it)
		t.open[i] = it
	}
}

func linked(in []int, by map[int]*item) (out []*item) {
	for _, v := range in {
		it := item{x: v}
		by[v] = &it
		out = append(out, &it)
	}
	return out
}
