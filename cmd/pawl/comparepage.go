package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"

	"github.com/pawl-dev/pawl/internal/host/scrub"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/report/comparison"
	"github.com/pawl-dev/pawl/internal/report/data"
)

// writePage writes what a comparison found as a page, with its samples and its
// flame graphs in it. The flag that asked for it is named in errors.
func writePage(e *env, flag, file string, c *model.Comparison, flames map[model.Benchmark][]model.Flame) error {
	raw, err := comparisonRaw(e, c)
	if err != nil {
		return fmt.Errorf("%s: %w", flag, err)
	}
	var page bytes.Buffer
	if err := comparison.HTML(&page, c, comparison.Extra{Flames: flames, Raw: raw}); err != nil {
		return fmt.Errorf("%s: %w", flag, err)
	}
	if err := os.WriteFile(file, page.Bytes(), 0o600); err != nil {
		return fmt.Errorf("%s: %w", flag, err)
	}
	return nil
}

// comparisonRaw returns what the page offers to take along: all that was found,
// and the samples of each side.
func comparisonRaw(e *env, c *model.Comparison) ([]data.Raw, error) {
	where := ""
	if c.Dir != "" {
		where = filepath.Join(c.Dir, "comparison.json")
	}
	found, err := data.RawJSON(c.Verb+".json", "All that this page says, and more, for programs.", where, c)
	if err != nil {
		return nil, err
	}
	raw := []data.Raw{found}
	for i, name := range c.Samples {
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		shown, _ := scrub.New(e.environ).Text(string(text))
		side := [...]string{"base", "candidate"}[min(i, 1)]
		raw = append(raw, data.Raw{
			Name: side + ".txt", What: "The " + side + "'s samples as benchmark results, which benchstat and pawl compare read.",
			Type: "text/plain", Where: name, Data: []byte(shown),
		})
	}
	return raw, nil
}
