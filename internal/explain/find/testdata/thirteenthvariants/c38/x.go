package c38

import "sort"

// V1 closure

type histogram struct {
	name    string
	count   uint64
	sum     float64
	buckets [256]uint64
}

func slowest(all []histogram, limit int) []string {
	quantile := func(h histogram, q float64) int {
		want := uint64(q * float64(h.count))
		var seen uint64
		for i, n := range h.buckets {
			seen += n
			if seen >= want {
				return i
			}
		}
		return len(h.buckets)
	}
	order := make([]int, len(all))
	for i := range order {
		order[i] = i
	}
	sort.Slice(order, func(i, j int) bool {
		return quantile(all[order[i]], 0.99) > quantile(all[order[j]], 0.99)
	})
	names := make([]string, 0, limit)
	for _, i := range order[:min(limit, len(order))] {
		names = append(names, all[i].name)
	}
	return names
}
