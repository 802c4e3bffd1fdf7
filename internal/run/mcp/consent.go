package mcp

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// ReadConsent returns the kinds of changes that the user allows in the module in
// dir, as a file such as {"allow": {"/home/me/module": ["errortext"]}} says. A
// file that is not there allows nothing. One inside the module is an error: an
// agent can write there.
func ReadConsent(file, dir string) ([]string, error) {
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return nil, err
	}
	real, err := filepath.EvalSymlinks(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	if rel, err := filepath.Rel(dir, real); err == nil && filepath.IsLocal(rel) {
		return nil, fmt.Errorf("%s lies in the module, where an agent can write: keep it elsewhere", file)
	}
	data, err := os.ReadFile(real)
	if err != nil {
		return nil, err
	}
	var c struct {
		Allow map[string][]string `json:"allow"`
	}
	if err := json.Unmarshal(data, &c); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return c.Allow[dir], nil
}
