package c02

// V3 closure
type user struct {
	name string
	age  int
}

func names(us []user) []string {
	collect := func() []string {
		var out []string
		for _, u := range us {
			out = append(out, u.name)
		}
		return out
	}
	return collect()
}

// V4 generic
func project[A, B any](in []A, f func(A) B) (out []B) {
	for _, a := range in {
		out = append(out, f(a))
	}
	return out
}
