package c74

import (
	"net/http"
)

// V1 across two functions

type route struct {
	tenant string
	target string
	weight int
}

type gateway struct {
	routes []route
}

func routesByTenant(routes []route) map[string][]route {
	byTenant := make(map[string][]route, len(routes))
	for _, r := range routes {
		byTenant[r.tenant] = append(byTenant[r.tenant], r)
	}
	return byTenant
}

func (g *gateway) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	candidates := routesByTenant(g.routes)[r.Header.Get("X-Tenant")]
	if len(candidates) == 0 {
		http.Error(w, "unknown tenant", http.StatusNotFound)
		return
	}
	best := candidates[0]
	for _, c := range candidates[1:] {
		if c.weight > best.weight {
			best = c
		}
	}
	http.Redirect(w, r, best.target, http.StatusTemporaryRedirect)
}
