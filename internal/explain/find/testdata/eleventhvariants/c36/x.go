package c36

// V5 two functions

type permission struct{ action, resource string }

func granted(have []permission, want permission) bool {
	for _, p := range have {
		if p == want {
			return true
		}
	}
	return false
}

func missing(have, want []permission) []permission {
	var out []permission
	for _, p := range want {
		if !granted(have, p) {
			out = append(out, p)
		}
	}
	return out
}
