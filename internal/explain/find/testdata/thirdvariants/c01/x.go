package c01

// V5 two functions
func presence(keys []int64) map[int64]bool {
	seen := newSeen()
	for _, k := range keys {
		seen[k] = true
	}
	return seen
}

func newSeen() map[int64]bool { return map[int64]bool{} }

// V4 generic
func indexBy[K comparable, V any](vs []V, key func(V) K) map[K]V {
	byKey := make(map[K]V)
	for i := range vs {
		byKey[key(vs[i])] = vs[i]
	}
	return byKey
}
