package a

// Maps and slices of any in fields.

type ledger[K comparable] struct {
	sums  map[K]any
	order []any
	notes map[string]any
	texts map[string]any
	given map[string]any
	lent  map[string]any
	put   []any
	cells []scalar
}

type scalar any

func (l *ledger[K]) add(k K, cents int64) {
	if l.sums == nil {
		l.sums = make(map[K]any)
	}
	old, _ := l.sums[k].(int64)
	l.sums[k] = old + cents                 // want `the int64 is boxed on the heap, and sums holds no other type`
	l.order = append(l.order, [2]int{1, 2}) // want `and order holds no other type`
}

func (l *ledger[K]) last() [2]int {
	pair, _ := l.order[len(l.order)-1].([2]int)
	return pair
}

// What follows is left alone.

func (l *ledger[K]) note(name, text string, n int) {
	l.notes[name] = text
	l.notes["n"] = n
	l.texts[name] = text
}

func (l *ledger[K]) text(name string) any { return l.texts[name] }

func (l *ledger[K]) take(all map[string]any) {
	l.given = all
	l.given["total"] = int64(len(all))
	l.lent["total"] = int64(len(all))
}

func (l *ledger[K]) fill(n float64) bool {
	l.put = append(l.put, n)
	l.cells = append(l.cells, n)
	_, ok := l.cells[0].(float64)
	return ok
}

func (l *ledger[K]) lend() map[string]any { return l.lent }
