// Package evidence maps keys of rows to fields.
package evidence

import (
	"encoding/json"
	"fmt"
	"strings"
)

// schema has 400 fields.
var schema = []byte(`{"PrimaryKey": ["id", "region"], "Fields": [{"Name": "id", "Type": "int"}, {"Name": "region", "Type": "string"}` +
	strings.Repeat(`, {"Name": "size", "Type": "int", "Description": "how large it is"}`, 398) + `]}`)

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
