package c01

// V1 renamed
type user struct {
	name string
	age  int
}

func byName(users []user) map[string]user {
	res := make(map[string]user)
	for _, u := range users {
		res[u.name] = u
	}
	return res
}

// V2 method
type reg struct{ items []string }

func (r *reg) Index() map[string]int {
	ix := map[string]int{}
	for i, s := range r.items {
		ix[s] = i
	}
	return ix
}

// V3 closure
func mk(users []user) func() map[string]bool {
	return func() map[string]bool {
		seen := make(map[string]bool)
		for _, u := range users {
			seen[u.name] = true
		}
		return seen
	}
}

// V4 generic
func toSet[K comparable](keys []K) map[K]struct{} {
	set := make(map[K]struct{})
	for _, k := range keys {
		set[k] = struct{}{}
	}
	return set
}

// V5 two functions
func put(m map[string]int, k string, v int) { m[k] = v }
func lens(words []string) map[string]int {
	m := map[string]int{}
	for _, w := range words {
		put(m, w, len(w))
	}
	return m
}
