package a

func apply[S ~[]E, E, R any](s S, f func(E) R) []R {
	var out []R
	for i := range s {
		out = append(out, f(s[i])) // want `out`
	}
	return out
}

type prefix string

func (r prefix) cells(names []string) []string {
	add := func(to []string, name string) []string { return append(to, string(r)+name) }
	var out []string
	for _, n := range names {
		out = add(out, n) // want `out`
	}
	return out
}

// What follows is left alone.

func octets[S ~string | ~[]byte](s S) []byte {
	var out []byte
	for i := range len(s) {
		out = append(out, s[i])
	}
	return out
}

func long[S ~[]E, E any](s S, keep func(E) bool) []E {
	var out []E
	for _, x := range s {
		if keep(x) {
			out = append(out, x)
		}
	}
	return out
}
