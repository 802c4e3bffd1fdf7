package a

// Literals that do nothing but look, and what follows an element.

func absentIn(before []part, after []part) (gone []string) {
	has := func(code string) bool {
		for _, p := range after {
			if p.code == code {
				return true
			}
		}
		return false
	}
	for _, p := range before {
		if !has(p.code) { // want `has searches after in each iteration; a set that is built before the loop is asked in constant time`
			gone = append(gone, p.code)
		}
	}
	return gone
}

type hosts struct{ names []string }

func (h *hosts) twice() (all []string) {
	for i, name := range h.names {
		for _, other := range h.names[i+1:] { // want `each iteration compares name with all of h.names`
			if name == other {
				all = append(all, name)
			}
		}
	}
	return all
}

// What follows is left alone.

func growing(before []part) (all []part) {
	known := func(code string) bool {
		for _, p := range all {
			if p.code == code {
				return true
			}
		}
		return false
	}
	for _, p := range before {
		if !known(p.code) {
			all = append(all, p, p)
		}
	}
	return all
}

func window(all []string, n int) (same int) {
	for i, name := range all {
		for _, other := range all[i : i+n] {
			if name == other {
				same++
			}
		}
	}
	return same
}

func local(before []part) (n int) {
	for _, p := range before {
		listed := func(cost int) bool {
			parts := []part{p, p}
			for _, q := range parts {
				if q.cost == cost {
					return true
				}
			}
			return false
		}
		if listed(p.cost) {
			n++
		}
	}
	return n
}
