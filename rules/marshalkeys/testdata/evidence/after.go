// Package evidence encodes a document of nested objects.
package evidence

import (
	"encoding/json"
)

type object map[string]any

// From makes objects of the maps in a document.
func From(x any) any {
	switch x := x.(type) {
	case map[string]any:
		o := make(object, len(x))
		for k, v := range x {
			o[k] = From(v)
		}
		return o
	case []any:
		all := make([]any, len(x))
		for i, v := range x {
			all[i] = From(v)
		}
		return all
	}
	return x
}

// Encode returns the document.
func Encode(doc any) ([]byte, error) { return json.Marshal(doc) }
