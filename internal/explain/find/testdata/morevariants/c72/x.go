package c72

import (
	"encoding/json"
	"io"
)

type Schema struct {
	Name       string
	Fields     []struct{ Name, Type, Doc string }
	PrimaryKey struct{ Values []string }
	Indexes    []struct {
		Name string
		Cols []string
	}
	Notes map[string]string
}

// V1 renamed
func keyCols(doc []byte) ([]string, error) {
	var sc Schema
	if err := json.Unmarshal(doc, &sc); err != nil {
		return nil, err
	}
	return sc.PrimaryKey.Values, nil
}

// V2 method
type backend struct{ raw []byte }

func (b *backend) pk() []string {
	s := new(Schema)
	if json.Unmarshal(b.raw, s) != nil {
		return nil
	}
	return s.PrimaryKey.Values
}

// V3 closure
func nameOf() func(io.Reader) string {
	return func(r io.Reader) string {
		var s Schema
		if err := json.NewDecoder(r).Decode(&s); err != nil {
			return ""
		}
		return s.Name
	}
}

// V4 generic
func KeyOf[T ~[]byte](raw T) (string, error) {
	var s Schema
	if err := json.Unmarshal(raw, &s); err != nil {
		return "", err
	}
	return s.PrimaryKey.Values[0], nil
}

// V5 two functions
func readSchema(b []byte) (*Schema, error) {
	var s Schema
	if err := json.Unmarshal(b, &s); err != nil {
		return nil, err
	}
	return &s, nil
}
func pkOf(b []byte) []string {
	s, err := readSchema(b)
	if err != nil {
		return nil
	}
	return s.PrimaryKey.Values
}
