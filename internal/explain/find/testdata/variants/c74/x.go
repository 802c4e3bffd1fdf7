package c74

import (
	"encoding/json"
	"fmt"
	"net/http"
	"text/template"
)

// V1 renamed
var rawTmpl = "hello {{.}}"

func hello(w http.ResponseWriter, r *http.Request) {
	t := template.Must(template.New("x").Parse("hi {{.}}"))
	t.Execute(w, r.URL.Path)
}

// V2 method
type proj struct{ head []string }

func (p *proj) pick(rows [][]string, cols []string) (out [][]string) {
	ix := map[string]int{}
	for i, h := range p.head {
		ix[h] = i
	}
	for _, r := range rows {
		var o []string
		for _, c := range cols {
			o = append(o, r[ix[c]])
		}
		out = append(out, o)
	}
	return
}

// V3 closure
var names = []string{"a", "b", "c"}

func lookup() http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		m := map[string]bool{}
		for _, n := range names {
			m[n] = true
		}
		fmt.Fprint(w, m[r.FormValue("n")])
	}
}

// V4 generic
const schemaText = `{"a":[1,2,3]}`

func fieldsOf[T any](w http.ResponseWriter, r *http.Request, pick func(map[string]T) T) {
	var m map[string]T
	json.Unmarshal([]byte(schemaText), &m)
	fmt.Fprint(w, pick(m))
}
func hh(w http.ResponseWriter, r *http.Request) {
	fieldsOf(w, r, func(m map[string]any) any { return m["a"] })
}

// V5 two functions
func table3() map[string]bool {
	m := map[string]bool{}
	for _, n := range names {
		m[n] = true
	}
	return m
}
func known(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, table3()[r.URL.Path]) }
