package c01

import ()

// V1 renamed
func uniqueNames(names []string) map[string]bool {
	seen := map[string]bool{}
	for _, name := range names {
		seen[name] = true
	}
	return seen
}

// V2 method
type catalog struct{ parts []part }
type part struct {
	sku   string
	price int
}

func (c *catalog) prices() map[string]int {
	out := make(map[string]int)
	for i := range c.parts {
		out[c.parts[i].sku] = c.parts[i].price
	}
	return out
}

// V3 closure
func indexer() func(words []string) map[string]int {
	return func(words []string) map[string]int {
		pos := map[string]int{}
		for i, w := range words {
			pos[w] = i
		}
		return pos
	}
}

// V4 generic
func ToSet[T comparable](items []T) map[T]struct{} {
	set := make(map[T]struct{})
	for _, it := range items {
		set[it] = struct{}{}
	}
	return set
}

// V5 two functions
func newIndex() map[int]string { return map[int]string{} }
func buildIndex(ids []int, label func(int) string) map[int]string {
	idx := newIndex()
	for _, id := range ids {
		idx[id] = label(id)
	}
	return idx
}
