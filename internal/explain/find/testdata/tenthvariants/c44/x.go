package c44

import (
	"net/http"
	"regexp"
)

// V1 field that the constructor sets, asked in a closure
type Gate struct {
	admin *regexp.Regexp
	token string
}

func NewGate(token string) *Gate {
	return &Gate{token: token, admin: regexp.MustCompile(`^/admin/`)}
}

func (g *Gate) Wrap(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if g.admin.MatchString(r.URL.Path) && r.Header.Get("X-Admin-Token") != g.token {
			http.Error(w, "forbidden", http.StatusForbidden)
			return
		}
		next.ServeHTTP(w, r)
	})
}
