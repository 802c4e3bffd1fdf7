// Package evidence reads the primary key of a table from its schema.
package evidence

import "encoding/json"

// A Field is a column of a table.
type Field struct {
	Name        string         `json:"name"`
	Type        string         `json:"type"`
	Description string         `json:"description"`
	Constraints map[string]any `json:"constraints"`
}

// A Key names columns.
type Key struct {
	Values []string `json:"values"`
}

// A Schema describes a table.
type Schema struct {
	Fields     []Field `json:"fields"`
	PrimaryKey Key     `json:"primaryKey"`
}

// PrimaryKey returns the names of the columns of the primary key.
func PrimaryKey(raw []byte) ([]string, error) {
	var s struct {
		PrimaryKey Key `json:"primaryKey"`
	}
	if err := json.Unmarshal(raw, &s); err != nil {
		return nil, err
	}
	return s.PrimaryKey.Values, nil
}
