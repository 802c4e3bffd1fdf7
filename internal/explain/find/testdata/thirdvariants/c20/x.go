package c20

import (
	"encoding/json"
	"net/http"
)

// V2 method, missed
type codec struct{}

func (codec) encode(v any) ([]byte, error) { return json.Marshal(v) }

type api struct{ c codec }

func (a api) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	data, err := a.c.encode(map[string]string{"path": r.URL.Path})
	if err != nil {
		http.Error(w, "", 500)
		return
	}
	w.Write(data)
}
