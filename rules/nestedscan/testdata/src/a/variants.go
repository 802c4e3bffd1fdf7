package a

func member(all []string, x string) bool {
	for _, y := range all {
		if y == x {
			return true
		}
	}
	return false
}

func shared(a, b []string) (n int) {
	for _, x := range a {
		if member(b, x) { // want `member searches b in each iteration`
			n++
		}
	}
	return n
}

func distinct(all []string) (out []string) {
	for _, x := range all {
		found := false
		for _, y := range out { // want `each iteration compares x with all of out`
			if y == x {
				found = true
				break
			}
		}
		if !found {
			out = append(out, x)
		}
	}
	return out
}
