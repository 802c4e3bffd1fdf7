package c36

import "slices"

// V1 closure, other call
type user struct {
	id   int
	name string
}

type order struct{ owner, sum int }

func Orphans(users []user, orders []order) (n int) {
	for _, o := range orders {
		if !slices.ContainsFunc(users, func(u user) bool { return u.id == o.owner }) {
			n++
		}
	}
	return n
}

// V2 two functions, method, early continue
type allowlist struct{ hosts []string }

func (a *allowlist) has(host string) bool {
	for _, h := range a.hosts {
		if h == host {
			return true
		}
	}
	return false
}

func (a *allowlist) Refused(asked []string) []string {
	var out []string
	for _, host := range asked {
		if a.has(host) {
			continue
		}
		out = append(out, host)
	}
	return out
}
