// Package evidence maps keys of rows to fields.
package evidence

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"
)

// schema has 400 fields.
var schema = []byte(`{"PrimaryKey": ["id", "region"], "Fields": [{"Name": "id", "Type": "int"}, {"Name": "region", "Type": "string"}` +
	strings.Repeat(`, {"Name": "size", "Type": "int", "Description": "how large it is"}`, 398) + `]}`)

var primaryKey = sync.OnceValues(func() ([]string, error) {
	var s struct{ PrimaryKey []string }
	err := json.Unmarshal(schema, &s)
	return s.PrimaryKey, err
})

// Keys returns the filter of a row with a key.
func Keys(values []string) (map[string]string, error) {
	key, err := primaryKey()
	if err != nil {
		return nil, fmt.Errorf("schema: %w", err)
	}
	filter := map[string]string{}
	for i, value := range values {
		filter[key[i]] = value
	}
	return filter, nil
}
