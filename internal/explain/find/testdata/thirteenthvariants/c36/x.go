package c36

// V1 closure

type dependency struct {
	module  string
	version string
}

func removed(before, after []dependency) []string {
	present := func(module string) bool {
		for _, d := range after {
			if d.module == module {
				return true
			}
		}
		return false
	}
	var gone []string
	for _, d := range before {
		if !present(d.module) {
			gone = append(gone, d.module)
		}
	}
	return gone
}
