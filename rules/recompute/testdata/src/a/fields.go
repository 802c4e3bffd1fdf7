package a

import "net/http"

type route struct {
	tenant, target string
}

func byTenant(routes []route) map[string]route {
	all := make(map[string]route, len(routes))
	for _, r := range routes {
		all[r.tenant] = r
	}
	return all
}

type gateway struct {
	routes  []route
	changed []route
	shown   []route
	peers   []*gateway
	menu    []entry[string]
}

// An entry has others, so that its type never ends.
type entry[T any] struct {
	name T
	sub  []entry[T]
}

func flat(menu []entry[string]) map[string]bool {
	all := make(map[string]bool)
	for _, e := range menu {
		all[e.name] = true
	}
	return all
}

func (g *gateway) entries(w http.ResponseWriter, r *http.Request) {
	if flat(g.menu)[r.URL.Path] { // want `flat computes the same each time`
		w.Write([]byte("ok"))
	}
}

func newGateway(routes []route) *gateway {
	g := &gateway{routes: routes}
	g.shown = routes
	return g
}

func (g *gateway) names() []string {
	var all []string
	for _, r := range g.routes {
		all = append(all, r.tenant)
	}
	return all
}

func (g *gateway) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	to := byTenant(g.routes)[r.URL.Path] // want `byTenant computes the same each time; once, for all, is enough, and ServeHTTP is reached from an HTTP handler`
	for _, name := range g.names() {     // want `g.names computes the same each time`
		w.Write([]byte(name + to.target))
	}
	targets := map[string]string{}
	for _, r := range g.shown { // want `targets is filled with the same each time`
		targets[r.tenant] = r.target
	}
	w.Write([]byte(targets[r.URL.Path]))
}

func listing(routes []route) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		n := make(map[string]int)
		for _, r := range routes { // want `n is filled with the same each time`
			n[r.tenant]++
		}
		w.Write([]byte{byte(n[r.URL.Path])})
	}
}

// What follows is left alone.

func (g *gateway) add(r route) { g.changed = append(g.changed, r) }

func (g *gateway) reload(w http.ResponseWriter, r *http.Request) {
	w.Write([]byte(byTenant(g.changed)[r.URL.Path].target))
	mine := map[string]string{}
	for _, one := range g.shown {
		mine[one.tenant] = r.URL.Path
	}
	own := map[string]string{}
	for _, one := range g.shown {
		own[one.tenant] = one.target
	}
	own["x"] = mine["x"]
	filter := r.URL.Query().Get("tenant")
	some := map[string]string{}
	for _, one := range g.shown {
		if one.tenant != filter {
			some[one.tenant] = one.target
		}
	}
	w.Write([]byte(some["x"]))
	all := map[string]route{}
	for _, p := range g.peers {
		all[p.routes[0].tenant] = p.routes[0]
	}
	w.Write([]byte(all["x"].target))
}

type call struct{ parts []route }

func (c *call) run() route { return byTenant(c.parts)["x"] }

func perCall(w http.ResponseWriter, r *http.Request) {
	c := &call{parts: []route{{tenant: r.URL.Path}}}
	w.Write([]byte(c.run().target))
}
