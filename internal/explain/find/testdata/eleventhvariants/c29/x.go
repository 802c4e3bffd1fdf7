package c29

// V4 generic

type ranked[T any] struct {
	value T
	score int
}

func rank[T any](values []T, score func(T) int) []*ranked[T] {
	out := make([]*ranked[T], 0, len(values))
	for _, v := range values {
		out = append(out, &ranked[T]{value: v, score: score(v)})
	}
	return out
}

func best[T any](values []T, score func(T) int) (winner T, points int) {
	for _, r := range rank(values, score) {
		if r.score > points {
			winner, points = r.value, r.score
		}
	}
	return winner, points
}
