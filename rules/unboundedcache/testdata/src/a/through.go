package a

func remembering(f func(string) int) func(string) int {
	known := map[string]int{}
	return func(k string) int {
		if v, ok := known[k]; ok {
			return v
		}
		v := f(k)
		known[k] = v // want `each new key stays in known`
		return v
	}
}

// What follows is left alone.

func rememberingSome(f func(string) int) func(string) int {
	known := map[string]int{}
	return func(k string) int {
		if v, ok := known[k]; ok {
			return v
		}
		if len(known) > 100 {
			clear(known)
		}
		v := f(k)
		known[k] = v
		return v
	}
}

func within(known map[string]int) func(string) int {
	return func(k string) int {
		if v, ok := known[k]; ok {
			return v
		}
		known[k] = len(k)
		return len(k)
	}
}
