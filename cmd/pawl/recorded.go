package main

import (
	"path/filepath"

	"github.com/pawl-dev/pawl/internal/keep/hotpath"
	"github.com/pawl-dev/pawl/internal/measure/testbed"
)

// recorded is what -records does: it takes packages and benchmarks from the
// records of the module that dir is in.
func (s *settings) recorded(dir string, patterns []string) ([]string, error) {
	if !s.records {
		return patterns, nil
	}
	if len(patterns) > 0 || s.bench != "" {
		return nil, usageError("-records says which packages and benchmarks; name none beside it")
	}
	directory := filepath.Join(testbed.ModuleRoot(dir), filepath.FromSlash(hotpath.Dir))
	records, _, err := hotpath.Load(directory)
	if err != nil {
		return nil, usageError("%v", err)
	}
	if len(records) == 0 {
		return nil, usageError("there are no records in %s; pawl record makes one", directory)
	}
	patterns, s.bench = hotpath.Selection(records)
	return patterns, nil
}
