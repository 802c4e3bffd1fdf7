package a

import (
	"encoding/json"
	"fmt"
	"html/template"
	"net/http"
	"strings"
	"sync"
	"time"
)

var schemaJSON = []byte(`{"primaryKey":["id"]}`)

type schema struct {
	PrimaryKey []string `json:"primaryKey"`
}

func handle(w http.ResponseWriter, r *http.Request) {
	var s schema
	if err := json.Unmarshal(schemaJSON, &s); err != nil { // want `json.Unmarshal computes the same each time; once, for all, is enough, and handle is reached from an HTTP handler`
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	fmt.Fprintln(w, s.PrimaryKey)
}

var columns = []string{"id", "name", "size"}

func index(names []string) map[string]int {
	m := map[string]int{}
	for i, name := range names {
		m[strings.ToLower(name)] = i
	}
	return m
}

type server struct {
	zone  string
	names []string
}

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	fmt.Fprintln(w, s.column(r.FormValue("by")))
}

func (s *server) column(by string) int {
	return index(columns)[by] // want `index computes the same each time; .*, and column is reached`
}

const page = "<p>{{.}}</p>"

func render(w http.ResponseWriter, r *http.Request) {
	func() {
		template.Must(template.New("page").Parse(page)).Execute(w, r.URL.Path) // want `Parse computes the same each time`
	}()
}

func each[T ~string](all []T) (out []string) {
	for _, s := range all {
		out = append(out, strings.NewReplacer("<", "&lt;", ">", "&gt;").Replace(string(s))) // want `strings.NewReplacer computes the same each time`
	}
	return out
}

func zone(w http.ResponseWriter, r *http.Request) {
	loc, _ := time.LoadLocation("Europe/Berlin") // want `time.LoadLocation computes the same each time`
	fmt.Fprintln(w, time.Now().In(loc))
}

func (s *server) local(w http.ResponseWriter, r *http.Request) {
	loc, _ := time.LoadLocation(s.zone)                 // want `time.LoadLocation computes the same each time`
	fmt.Fprintln(w, time.Now().In(loc), index(s.names)) // want `index computes the same each time`
}

// What follows is left alone.

func body(w http.ResponseWriter, r *http.Request) {
	var s schema
	json.Unmarshal([]byte(r.FormValue("schema")), &s) // what the request says
	fmt.Fprintln(w, index(s.PrimaryKey), s.PrimaryKey)
}

var changing = []string{"a"}

func set(w http.ResponseWriter, r *http.Request) {
	changing[0] = r.URL.Path
	fmt.Fprintln(w, index(changing))
}

var (
	once  sync.Once
	known map[string]int
	byKey = map[string]map[string]int{}
)

func kept(w http.ResponseWriter, r *http.Request) {
	once.Do(func() { known = index(columns) })
	if _, ok := byKey["columns"]; !ok {
		byKey["columns"] = index(columns)
	}
	fmt.Fprintln(w, known, byKey)
}

func size(w http.ResponseWriter, r *http.Request) {
	fmt.Fprintln(w, count(columns)) // no loop
}

func count(names []string) int { return len(names) }

func random(w http.ResponseWriter, r *http.Request) {
	fmt.Fprintln(w, stamps(columns))
}

func stamps(names []string) (out []string) { // it depends on the time
	for _, name := range names {
		out = append(out, name+time.Now().String())
	}
	return out
}

func init() {
	for range 2 {
		started = index(columns)
	}
}

var started map[string]int
