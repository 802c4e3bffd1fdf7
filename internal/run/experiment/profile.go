package experiment

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"

	"github.com/google/pprof/profile"

	"github.com/pawl-dev/pawl/internal/measure/testbed"
)

// merge adds up CPU profiles into one file, as the compiler reads it. One is taken
// through the same way, so that what is no CPU profile is refused by its name.
func merge(files []string, out string) (*profile.Profile, error) {
	var all []*profile.Profile
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			return nil, testbed.Usagef("-pgo: %v", err)
		}
		p, err := profile.Parse(bytes.NewReader(data))
		if err != nil {
			return nil, testbed.Usagef("-pgo %s: %v", name, err)
		}
		if !hasCPU(p) {
			return nil, testbed.Usagef("-pgo %s: it is no CPU profile, which is what the compiler reads", name)
		}
		all = append(all, p)
	}
	merged, err := profile.Merge(all)
	if err != nil {
		return nil, testbed.Usagef("-pgo: the profiles do not add up: %v", err)
	}
	var text bytes.Buffer
	if err := merged.Write(&text); err != nil {
		return nil, fmt.Errorf("adding up the profiles: %w", err)
	}
	if err := os.WriteFile(out, text.Bytes(), 0o600); err != nil {
		return nil, fmt.Errorf("adding up the profiles: %w", err)
	}
	return merged, nil
}

// hasCPU reports whether the compiler finds in a profile what it looks for.
func hasCPU(p *profile.Profile) bool {
	for _, t := range p.SampleType {
		if t.Type == "samples" && t.Unit == "count" || t.Type == "cpu" && t.Unit == "nanoseconds" {
			return true
		}
	}
	return false
}

// mergeAll adds up the profiles of the options into the run's scratch directory.
func (s *session) mergeAll() error {
	if len(s.opt.Profiles) == 0 {
		return nil
	}
	s.pgo = filepath.Join(s.bed.Scratch, "merged.pgo")
	_, err := merge(s.opt.Profiles, s.pgo)
	return err
}
