// Package tested has a test that calls its function.
package tested

type page struct{ body [1024]byte }

func score(x page) int { return int(x.body[0]) } // want `each call of score copies 1024 bytes into x`

func best(all []*page) (n int) {
	for _, p := range all {
		n = max(n, score(*p))
	}
	return n
}

var _ = best
