package c36

type dependency struct {
	module  string
	version string
}

// V1 closure
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
