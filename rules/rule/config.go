package rule

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
)

// Config is the configuration file, .pawl.json at the module's root: JSON
// whose schema docs/pawl.schema.json holds.
type Config struct {
	Schema   string   `json:"$schema,omitempty"`
	Off      []string `json:"off,omitempty"`       // rules that are not asked
	Exclude  []string `json:"exclude,omitempty"`   // path.Match patterns of files, or DIR/..., from the module's root
	MinShare float64  `json:"min_share,omitempty"` // least share that makes a line hot
	Tier     string   `json:"tier,omitempty"`      // what -tier is when not given
}

// ReadConfig reads a configuration file. An unknown member is an error, since
// a misspelt one would be followed by silence.
func ReadConfig(file string) (*Config, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("reading configuration: %w", err)
	}
	c := new(Config)
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(c); err != nil {
		return nil, fmt.Errorf("reading configuration %s: %w; docs/rules.md lists the members", file, err)
	}
	return c, nil
}
