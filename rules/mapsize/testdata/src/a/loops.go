package a

// Loops that count up, and maps in fields.

func places(names []string) map[string]int {
	at := map[string]int{}
	for i := 0; i < len(names); i++ {
		at[names[i]] = i // want `at is rehashed while it grows, although the loop runs len\(names\) times`
	}
	return at
}

type registry[K comparable] struct {
	of    map[K]int
	names []K
	known map[K]bool
}

func (r *registry[K]) reset() {
	r.of = map[K]int{}
	for i, n := range r.names {
		r.of[n] = i // want `of is rehashed while it grows, although the loop runs len\(r.names\) times`
	}
}

func (r *registry[K]) setAll(names []K) error {
	r.known = make(map[K]bool)
	seen := 0
	for i := 0; i < len(names); i++ {
		r.known[names[i]] = true // want `known is rehashed`
		seen++
	}
	return nil
}

// What follows is left alone.

func moving(names []string) map[string]int {
	at := map[string]int{}
	for i := 0; i < len(names); i++ {
		at[names[i]] = i
		i++
	}
	return at
}

func shrinking(names []string) map[string]int {
	at := map[string]int{}
	for i := 0; i < len(names); i++ {
		at[names[i]] = i
		names = names[1:]
	}
	return at
}

func bounded(names []string, n int) map[string]int {
	at := map[string]int{}
	for i := 0; i < n; i++ {
		at[names[i]] = i
	}
	return at
}

func (r *registry[K]) keep(names []K) {
	for i, n := range names {
		r.of[n] = i
	}
}

func (r *registry[K]) other(s *registry[K], names []K) {
	s.of = map[K]int{}
	for i, n := range names {
		r.of[n] = i
	}
}

func (r *registry[K]) filled(first K, names []K) {
	r.of = map[K]int{}
	r.of[first] = -1
	for i, n := range names {
		r.of[n] = i
	}
}
