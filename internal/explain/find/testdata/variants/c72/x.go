package c72

import (
	"encoding/json"
)

type doc struct {
	ID    string                  `json:"id"`
	Tags  []string                `json:"tags"`
	Body  string                  `json:"body"`
	Meta  map[string]string       `json:"meta"`
	Parts []struct{ A, B string } `json:"parts"`
}

// V1 renamed
func idOf(b []byte) (string, error) {
	var d doc
	err := json.Unmarshal(b, &d)
	return d.ID, err
}

// V2 method
type st struct{ raw []byte }

func (s *st) tags() int {
	d := doc{}
	if json.Unmarshal(s.raw, &d) != nil {
		return 0
	}
	return len(d.Tags)
}

// V3 closure
func idFn(load func() []byte) func() string {
	return func() string {
		var d doc
		json.Unmarshal(load(), &d)
		return d.ID
	}
}

// V4 generic
func tagAs[S ~string](b []byte) (S, error) {
	d := new(doc)
	if err := json.Unmarshal(b, d); err != nil {
		return "", err
	}
	return S(d.ID), nil
}

// V5 two functions
func parseDoc(b []byte) (*doc, error) {
	d := &doc{}
	return d, json.Unmarshal(b, d)
}
func ident(b []byte) string {
	d, err := parseDoc(b)
	if err != nil {
		return ""
	}
	return d.ID
}
