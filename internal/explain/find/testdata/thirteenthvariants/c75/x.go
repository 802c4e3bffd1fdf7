package c75

import (
	"net/http"
	"strings"
)

// V1 method

type artifactServer struct {
	repos map[string]http.Handler
}

func (a *artifactServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	segments := strings.Split(strings.TrimPrefix(r.URL.Path, "/"), "/")
	repo, ok := a.repos[segments[0]]
	if !ok {
		http.NotFound(w, r)
		return
	}
	repo.ServeHTTP(w, r)
}
