package c64

import (
	"encoding/json"
	"os"
)

// V1 generic
func LoadOr[T any](path string, def T) (T, error) {
	if _, err := os.Stat(path); os.IsNotExist(err) {
		return def, nil
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return def, err
	}
	var v T
	err = json.Unmarshal(data, &v)
	return v, err
}
