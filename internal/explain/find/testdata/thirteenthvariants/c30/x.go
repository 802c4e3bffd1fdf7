package c30

// V1 generic code, missed

type totals struct {
	count int
	bytes int64
}

func summarize[K comparable, E any](entries []E, key func(E) K, size func(E) int64) map[K]*totals {
	groups := make(map[K]*totals)
	for _, e := range entries {
		k := key(e)
		g, ok := groups[k]
		if !ok {
			g = &totals{}
			groups[k] = g
		}
		g.count++
		g.bytes += size(e)
	}
	return groups
}
