package c74

import (
	"net/http"
	"slices"
	"strings"
)

// V1 closure
type product struct {
	slug string
	tags []string
}

func Suggest(products []product) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		byTag := make(map[string][]string)
		for _, p := range products {
			for _, t := range p.tags {
				byTag[strings.ToLower(t)] = append(byTag[strings.ToLower(t)], p.slug)
			}
		}
		for _, slug := range byTag[r.URL.Query().Get("tag")] {
			w.Write([]byte(slug + "\n"))
		}
	}
}

// V2 generic, missed
type Table[T any] struct {
	rows []T
	name func(T) string
}

func (t *Table[T]) Names() []string {
	out := make([]string, 0, len(t.rows))
	for _, r := range t.rows {
		out = append(out, t.name(r))
	}
	slices.Sort(out)
	return out
}

func (t *Table[T]) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	for _, n := range t.Names() {
		if strings.HasPrefix(n, r.URL.Path[1:]) {
			w.Write([]byte(n))
		}
	}
}
