package c23

import (
	"encoding/json"
	"os"
	"sync"
)

// V3 closure
func newSettings(path string) (set func(key, value string) error) {
	var mu sync.Mutex
	values := map[string]string{}
	return func(key, value string) error {
		mu.Lock()
		defer mu.Unlock()
		values[key] = value
		data, err := json.Marshal(values)
		if err != nil {
			return err
		}
		return os.WriteFile(path, data, 0o600)
	}
}
