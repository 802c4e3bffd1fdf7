package a

type window struct{ low, high int }

type windows[K comparable] struct {
	of   map[K]*window
	lent map[K]*window
}

func (w *windows[K]) set(k K, low, high int) {
	if w.of == nil {
		w.of = map[K]*window{}
	}
	w.of[k] = &window{low, high} // want `of holds pointers that are only read through: a map of window keeps the values, of 16 bytes, in itself`
	w.lent[k] = &window{low, high}
}

func (w *windows[K]) has(k K, n int) bool {
	x := w.of[k]
	return x != nil && x.low <= n && n < x.high
}

func (w *windows[K]) lend(k K) *window { return w.lent[k] }

func wide(w windows[string]) bool { return w.of["all"].high > 9 }
