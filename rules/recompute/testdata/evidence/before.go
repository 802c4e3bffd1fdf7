// Package evidence maps keys of rows to fields.
package evidence

import (
	"encoding/json"
	"fmt"
)

var schema = []byte(schemaText)

// Keys returns the filter of a row with a key.
func Keys(values []string) (map[string]string, error) {
	filter := map[string]string{}
	for i, value := range values {
		var s struct {
			PrimaryKey []string
			Fields     []struct{ Name, Type, Description string }
		}
		if err := json.Unmarshal(schema, &s); err != nil {
			return nil, fmt.Errorf("schema: %w", err)
		}
		filter[s.PrimaryKey[i]] = value
	}
	return filter, nil
}

const schemaText = `{"PrimaryKey": ["id", "region"], "Fields": [
	{"Name": "id", "Type": "int", "Description": "what identifies it"},
	{"Name": "region", "Type": "string", "Description": "where it is"},
	{"Name": "size", "Type": "int", "Description": "how large it is"},
	{"Name": "colour", "Type": "string", "Description": "how it looks"}]}`
