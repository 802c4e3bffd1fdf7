package c30

// V2 method
type point struct{ x, y int32 }

type atlas struct{ pts map[string]*point }

func (a *atlas) load(names []string) {
	a.pts = make(map[string]*point, len(names))
	for i, n := range names {
		a.pts[n] = &point{x: int32(i), y: int32(len(n))}
	}
}

func (a *atlas) width() (w int32) {
	for _, p := range a.pts {
		w = max(w, p.x)
	}
	return w
}
