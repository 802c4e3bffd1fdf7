package c38

// V4 generic
type matrix[F ~float32 | ~float64] struct{ cell [16][16]F }

func trace[F ~float32 | ~float64](m matrix[F]) (t F) {
	for i := range 16 {
		t += m.cell[i][i]
	}
	return t
}

var _ = trace[float64]

// V3 closure
type config struct {
	table [128]int
	names [32]string
}

func scorer(c config) func(int) int {
	score := func(cc config, i int) int { return cc.table[i&127] }
	return func(i int) int { return score(c, i) }
}
