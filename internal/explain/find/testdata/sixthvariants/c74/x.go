package c74

import (
	"net/http"
	"strconv"
	"text/template"
)

// V1 closure, handler
const layout = `<p>{{.Name}} has {{.Count}}</p>`

type view struct {
	Name  string
	Count int
}

func Pages(count func(string) int) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		t, err := template.New("page").Parse(layout)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		name := r.FormValue("name")
		_ = t.Execute(w, view{name, count(name)})
	}
}

// V2 two functions
var currencies = []string{"CHF", "EUR", "GBP", "JPY", "NOK", "SEK", "USD", "AUD", "CAD", "CZK", "DKK", "HUF", "INR", "KRW", "MXN", "NZD", "PLN", "RON", "TRY", "ZAR"}

func codes() map[string]int {
	m := make(map[string]int, len(currencies))
	for i, c := range currencies {
		m[c] = i
	}
	return m
}

type exchange struct{ rates []float64 }

func (e *exchange) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	i, ok := codes()[r.FormValue("currency")]
	if !ok {
		http.NotFound(w, r)
		return
	}
	_, _ = w.Write(strconv.AppendFloat(nil, e.rates[i], 'f', 2, 64))
}
