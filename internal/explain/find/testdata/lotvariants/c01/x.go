package x

// V2 in a method
type host struct {
	addr string
	port int
}
type registry struct{ hosts []host }

func (r *registry) byAddr() map[string]host {
	m := make(map[string]host)
	for _, h := range r.hosts {
		m[h.addr] = h
	}
	return m
}
