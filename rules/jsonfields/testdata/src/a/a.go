package a

import (
	"encoding/json"
	"io"
	"time"
)

type column struct {
	Name        string         `json:"name"`
	Type        string         `json:"type"`
	Constraints map[string]any `json:"constraints"`
}

type primaryKey struct {
	Values []string `json:"values"`
}

type schema struct {
	Title      string     `json:"title"`
	Columns    []column   `json:"columns"`
	PrimaryKey primaryKey `json:"primaryKey"`
	Changed    *time.Time `json:"changed,omitempty"`
	internal   int
}

// The seed's own shape: the schema for its key.
func keys(raw []byte) ([]string, error) {
	var s schema
	if err := json.Unmarshal(raw, &s); err != nil { // want `1 of 4 members of the document are read \(PrimaryKey\)`
		return nil, err
	}
	return s.PrimaryKey.Values, nil
}

func changed(r io.Reader) (string, *time.Time, error) {
	var s schema
	err := json.NewDecoder(r).Decode(&s) // want `2 of 4 members`
	return s.Title, s.Changed, err
}

// The types that the members need are not known: no fix.
func keysOfMap(raw []byte) ([]any, error) {
	var m map[string]any
	if err := json.Unmarshal(raw, &m); err != nil { // want `and "primaryKey" is read`
		return nil, err
	}
	pk, _ := m["primaryKey"].(map[string]any)
	values, _ := pk["values"].([]any)
	return values, nil
}

// Not declared by var: no fix.
func title(raw []byte) string {
	s := schema{Title: "none"}
	_ = json.Unmarshal(raw, &s) // want `1 of 4 members`
	return s.Title
}

type upper struct {
	Name    string
	NAME    []column
	Columns []column
}

// NAME would land in Name: no fix.
func name(raw []byte) string {
	var u upper
	_ = json.Unmarshal(raw, &u) // want `1 of 3 members`
	return u.Name
}

func byPointer(raw []byte) ([]string, error) {
	s := new(schema)
	if err := json.Unmarshal(raw, s); err != nil { // want `1 of \d members of the document are read`
		return nil, err
	}
	return s.PrimaryKey.Values, nil
}

func read(raw []byte) (*schema, error) {
	var s schema
	if err := json.Unmarshal(raw, &s); err != nil { // want `2 of 4 members of the document are read \(Title, PrimaryKey\)`
		return nil, err
	}
	return &s, nil
}

func titleOf(raw []byte) string {
	s, err := read(raw)
	if err != nil {
		return ""
	}
	return s.Title
}

func keysOf(raw []byte) []string {
	s, _ := read(raw)
	return s.PrimaryKey.Values
}

// What follows is left alone.

func load(raw []byte) (s schema, err error) {
	err = json.Unmarshal(raw, &s)
	return s, err
}

func loadTitle(raw []byte) string {
	s, _ := load(raw)
	return s.Title
}

func loadAll(raw []byte) (schema, error) { return load(raw) }

func Open(raw []byte) (s schema, err error) {
	err = json.Unmarshal(raw, &s)
	return s, err
}

func openTitle(raw []byte) string {
	s, _ := Open(raw)
	return s.Title
}

func most(raw []byte) (string, []column) {
	var s schema
	_ = json.Unmarshal(raw, &s)
	return s.Title, s.Columns
}

func handedOn(raw []byte, use func(schema)) string {
	var s schema
	_ = json.Unmarshal(raw, &s)
	use(s)
	return s.Title
}

func (s *schema) valid() bool { return len(s.Columns) > 0 }

func checked(raw []byte) string {
	var s schema
	if json.Unmarshal(raw, &s) != nil || !s.valid() {
		return ""
	}
	return s.Title
}

func onlyChecked(raw []byte) bool {
	var s schema // that the types fit is the point
	return json.Unmarshal(raw, &s) == nil
}

func strict(r io.Reader) (string, error) {
	var s schema
	dec := json.NewDecoder(r)
	dec.DisallowUnknownFields()
	err := dec.Decode(&s)
	return s.Title, err
}

type itself struct {
	Title   string
	Columns []column
}

func (i *itself) UnmarshalJSON(b []byte) error { i.Title = string(b); return nil }

func own(raw []byte) string {
	var i itself
	_ = json.Unmarshal(raw, &i)
	return i.Title
}

type small struct{ A, B, C, D string }

func little(raw []byte) string {
	var s small
	_ = json.Unmarshal(raw, &s)
	return s.A
}

func ranged(raw []byte) (n int) {
	var m map[string]any
	_ = json.Unmarshal(raw, &m)
	for range m {
		n++
	}
	return n
}

func lookedUp(raw []byte, key string) any {
	var m map[string]any
	_ = json.Unmarshal(raw, &m)
	return m[key]
}

func deferred(raw []byte) json.RawMessage {
	var m map[string]json.RawMessage // decodes nothing but the top
	_ = json.Unmarshal(raw, &m)
	return m["title"]
}

func changedMap(raw []byte) ([]byte, error) {
	var m map[string]any
	_ = json.Unmarshal(raw, &m)
	m["title"] = "x"
	return json.Marshal(m)
}
