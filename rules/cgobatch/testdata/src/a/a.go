package a

/*
static double half(double x) { return x / 2; }
static void all(double *xs, int n) { for (int i = 0; i < n; i++) xs[i] /= 2; }
static int fill(double *xs) { return 0; }
*/
import "C"

type coord struct{ lat float64 }

func cellID(lat float64) float64 {
	return float64(C.half(C.double(lat))) // want `C.half is called for one item; one call for all items shares what a call of C costs, and cellID is called in a loop at a.go:19`
}

func process(coords []coord) []float64 {
	out := make([]float64, len(coords))
	for i, c := range coords {
		out[i] = cellID(c.lat)
	}
	return out
}

type box[T ~float64] struct{ xs []T }

func (b *box[T]) halves() {
	for i, x := range b.xs {
		b.xs[i] = T(C.half(C.double(x))) // want `C.half is called in each iteration`
	}
}

func pointers(xs []C.double) (n int) {
	for i := range xs {
		n += int(C.fill(&xs[i])) // want `C.fill is called in each iteration`
	}
	return n
}

// What follows is left alone.

func batch(xs []C.double) {
	C.all(&xs[0], C.int(len(xs)))
}
