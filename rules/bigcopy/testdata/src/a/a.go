package a

import "sync"

// The shape of the seed.
type page struct {
	head [1024]byte
	body [1024]byte
}

func score(x page) int { return int(x.head[0]) + int(x.body[0]) } // want `each call of score copies 2048 bytes into x`

func scores(pages []page, first *page) (sum int) {
	for i := range pages {
		sum += score(pages[i])
	}
	local := page{}
	return sum + score(*first) + score(local) + score(page{})
}

type record struct {
	id   int
	name string
	data [16]int64
	tags []string
	mu   sync.Mutex
}

type small struct{ data [15]int64 }

func ids(all []record) (sum int) {
	for _, r := range all { // want `range copies 184 bytes into r in each iteration`
		sum += r.id + len(r.name)
	}
	return sum
}

func indexed(all [8]record) (sum int) {
	for n, r := range all { // want `range copies 184 bytes`
		if r.data[3] > 0 && len(r.tags) > 1 && r.tags[1] != "" {
			sum += n
		}
	}
	return sum
}

func taken(i int, all []record) int {
	for _, r := range all { // want `range copies`
		i += r.id
	}
	return i
}

// Somebody has the address of an element, and what the loop sees of a copy
// stays: no fix.
func pointed(all [8]record) (sum int) {
	first := &all[7]
	for _, r := range all { // want `range copies 184 bytes`
		first.id++
		sum += r.id
	}
	return sum
}

func sliceOf(all [8]record) (sum int) {
	part := all[:]
	for _, r := range all { // want `range copies 184 bytes`
		part[7].id++
		sum += r.id
	}
	return sum
}

// The slice is used in the loop, or is behind a pointer: no fix.
func used(all []record) (sum int) {
	for _, r := range all { // want `range copies`
		all[0].id = sum
		sum += r.id
	}
	return sum
}

type store struct{ all []record }

func (s *store) sum() (sum int) {
	for _, r := range s.all { // want `range copies`
		sum += r.id
	}
	return sum
}

func (r record) key() string { return r.name } // want `each call of key copies its receiver of 184 bytes`

// Exported, used as a value, with an argument without an address: no fix.

func Score(x page) int { return int(x.head[0]) } // want `each call of Score copies`

func value(x page) int { return int(x.head[0]) } // want `each call of value copies`

var scorer = value

func result(x page) int { return int(x.head[0]) } // want `each call of result copies`

func load() page { return page{} }

func loads(m map[int]page) int { return result(load()) + result(m[1]) }

func snapshot(x page) int { return int(x.head[0]) } // want `each call of snapshot copies`

func later(p page) { // want `each call of later copies`
	p2 := p.head[0]
	_ = p2
}

func background(x *page) {
	go snapshot(*x)
}

// A function literal that has a name.
func ranked(pages []page, first *page) int {
	rank := func(x page) int { return int(x.head[1]) } // want `each call of this function copies 2048 bytes into x`
	return rank(*first)
}

// The least that a type parameter takes.
type grid[F ~float32 | ~float64] struct{ cell [8][8]F }

func diagonal[F ~float32 | ~float64](g grid[F]) (t F) { // want `each call of diagonal copies 256 bytes into g`
	for i := range 8 {
		t += g.cell[i][i]
	}
	return t
}

// What follows is left alone.

// A record that is printed would lose it.
func (r record) String() string { return r.name }

func smalls(all []small) (sum int64) {
	for _, s := range all {
		sum += s.data[0]
	}
	return sum
}

func written(all []record) (sum int) {
	for _, r := range all {
		r.id++
		sum += r.id
	}
	return sum
}

func element(all []record) (sum int64) {
	for _, r := range all {
		r.data[2] = 5
		sum += r.data[3]
	}
	return sum
}

func address(all []record, f func(*int)) {
	for _, r := range all {
		f(&r.id)
	}
}

func sliced(all []record, f func([]int64)) {
	for _, r := range all {
		f(r.data[:])
	}
}

func locked(all []record) {
	for _, r := range all {
		r.mu.Lock()
	}
}

func captured(all []record) (fs []func() int) {
	for _, r := range all {
		fs = append(fs, func() int { return r.id })
	}
	return fs
}

func whole(all []record) (out []record) {
	for _, r := range all {
		if r.id > 0 {
			out = append(out, r)
		}
	}
	return out
}

func mapped(all map[int]record) (sum int) {
	for _, r := range all {
		sum += r.id
	}
	return sum
}

func deferring(all []record) {
	for _, r := range all {
		defer r.key()
	}
}

func fills(x page) page {
	x.head[0] = 1
	return x
}

func passes(x page) int { return score(x) }

func unused(x page) {}

func pointer(x *page) int { return int(x.head[0]) }

func generic[T any](all []struct {
	pad [200]T
	n   int
}) (sum int) {
	for _, x := range all {
		sum += x.n
	}
	return sum
}

type free[F any] struct{ cell [8][8]F } // of no known size

func corner[F any](g free[F]) F { return g.cell[0][0] }

func given(pages []page, each func([]page, func(page) int)) {
	each(pages, func(x page) int { return int(x.head[0]) }) // the signature is that of each
}

type weigher struct{ weigh func(page) int }

func (w *weigher) byHead() {
	w.weigh = func(x page) int { return int(x.head[0]) } // the signature is that of the field
}
