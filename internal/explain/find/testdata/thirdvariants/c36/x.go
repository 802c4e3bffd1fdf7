package c36

// V4 generic
func unique[T comparable](in []T) (out []T) {
	for _, v := range in {
		dup := false
		for _, o := range out {
			if o == v {
				dup = true
				break
			}
		}
		if !dup {
			out = append(out, v)
		}
	}
	return out
}
