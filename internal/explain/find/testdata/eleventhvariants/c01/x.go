package c01

// V1 renamed

type backend struct {
	host   string
	port   uint16
	weight int
}

func routesByHost(backends []backend) map[string]backend {
	routes := make(map[string]backend)
	for i := range backends {
		b := backends[i]
		routes[b.host] = b
	}
	return routes
}
