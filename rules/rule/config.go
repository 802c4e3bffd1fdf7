package rule

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path"
	"slices"
	"strings"
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
	f, err := os.Open(file)
	if err != nil {
		return nil, fmt.Errorf("reading configuration: %w", err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, MaxConfig))
	if err != nil {
		return nil, fmt.Errorf("reading configuration: %w", err)
	}
	return ParseConfig(data, file)
}

// Excludes reports whether findings of a rule in a file, whose slashed name is from
// the module's root, are not wanted. Without a configuration all are.
func (c *Config) Excludes(rule, file string) bool {
	if c == nil || slices.Contains(c.Off, rule) {
		return c != nil
	}
	return slices.ContainsFunc(c.Exclude, func(pattern string) bool {
		if dir, ok := strings.CutSuffix(pattern, "/..."); ok {
			return strings.HasPrefix(file, dir+"/")
		}
		ok, _ := path.Match(pattern, file)
		return ok
	})
}

// MaxConfig is how many bytes a configuration file may have.
const MaxConfig = 1 << 20

// ParseConfig parses a configuration; file is its name, for errors.
func ParseConfig(data []byte, file string) (*Config, error) {
	c := new(Config)
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(c); err != nil {
		return nil, fmt.Errorf("reading configuration %s: %w; docs/rules.md lists the members", file, err)
	}
	return c, nil
}
