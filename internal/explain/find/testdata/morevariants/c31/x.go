package c31

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
)

// V1 renamed
func wordCount(req *http.Request) int {
	raw, err := io.ReadAll(req.Body)
	if err != nil {
		return 0
	}
	text := string(raw)
	return len(strings.Fields(text))
}

// V2 method
type srv struct{}
type msg struct{ A int }

func (s *srv) post(w http.ResponseWriter, r *http.Request) {
	b, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	var m msg
	json.Unmarshal(b, &m)
}

// V3 closure
func ingest() http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		data, _ := io.ReadAll(r.Body)
		s := string(data)
		io.WriteString(w, s)
	}
}

// V4 generic
func ReadJSON[T any](r io.Reader) (v T, err error) {
	b, err := io.ReadAll(r)
	if err != nil {
		return v, err
	}
	err = json.Unmarshal(b, &v)
	return v, err
}

// V5 two functions
func slurp(r io.Reader) ([]byte, error) { return io.ReadAll(r) }
func parseBody(r *http.Request) (m msg, err error) {
	b, err := slurp(r.Body)
	if err != nil {
		return m, err
	}
	err = json.Unmarshal(b, &m)
	return m, err
}
