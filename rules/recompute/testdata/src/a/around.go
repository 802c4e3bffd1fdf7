package a

import (
	"html/template"
	"iter"
	"net/http"
)

func titled(text string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		t, err := template.New("page").Parse(text) // want `computes the same each time`
		if err == nil {
			t.Execute(w, r.URL.Path)
		}
	}
}

// What follows is left alone.

func keys(m map[string]int) (all []string) {
	for k := range m {
		all = append(all, k)
	}
	return all
}

func eachKey(m map[string]int) iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, k := range keys(m) {
			if !yield(k) {
				return
			}
		}
	}
}

func edited(text string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if t, err := template.New("page").Parse(text); err == nil {
			t.Execute(w, r.URL.Path)
		}
		text = r.FormValue("text")
	}
}
