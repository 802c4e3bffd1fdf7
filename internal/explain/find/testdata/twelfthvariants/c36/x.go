package c36

// V2 method
type registry struct {
	hosts []string
}

func (r *registry) conflicts() []string {
	var twice []string
	for i, host := range r.hosts {
		for _, other := range r.hosts[i+1:] {
			if host == other {
				twice = append(twice, host)
			}
		}
	}
	return twice
}
