package observe

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/google/pprof/profile"
)

// join writes the profiles in files, which are of one kind, as one to out,
// without the samples that drop names. It returns false, and writes nothing,
// where there is no sample.
func join(out string, drop func(*profile.Sample) bool, files ...string) (bool, error) {
	var all []*profile.Profile
	for _, name := range files {
		p, err := parse(name)
		if err != nil {
			return false, err
		}
		p.Sample = kept(p.Sample, drop)
		if len(p.Sample) > 0 {
			all = append(all, p)
		}
	}
	if len(all) == 0 {
		return false, nil
	}
	m, err := profile.Merge(all)
	if err != nil {
		return false, fmt.Errorf("joining profiles: %w", err)
	}
	f, err := os.OpenFile(out, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
	if err != nil {
		return false, fmt.Errorf("writing a profile: %w", err)
	}
	if err := errors.Join(m.Write(f), f.Close()); err != nil {
		return false, fmt.Errorf("writing a profile: %w", err)
	}
	return true, nil
}

func parse(name string) (*profile.Profile, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("reading a profile: %w", err)
	}
	defer f.Close()
	p, err := profile.Parse(f)
	if err != nil {
		return nil, fmt.Errorf("reading the profile %s: %w", filepath.Base(name), err)
	}
	return p, nil
}

func kept(samples []*profile.Sample, drop func(*profile.Sample) bool) []*profile.Sample {
	if drop == nil {
		return samples
	}
	var out []*profile.Sample
	for _, s := range samples {
		if !drop(s) {
			out = append(out, s)
		}
	}
	return out
}

// ofTesting reports whether a stack is testing's own work: the runtime's
// functions, locks and profilers apart, its innermost frame is of package testing, which collects
// garbage before each round, reads what was allocated after it, and waits for profiles to be written.
func ofTesting(s *profile.Sample) bool {
	for _, loc := range s.Location {
		for _, l := range loc.Line {
			if l.Function == nil {
				return false
			}
			name := l.Function.Name
			if !ofRuntime(name) {
				return strings.HasPrefix(name, "testing.")
			}
		}
	}
	return false
}

func ofRuntime(name string) bool {
	for _, prefix := range []string{"runtime.", "runtime/pprof.", "internal/runtime/", "sync.", "internal/sync."} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return !strings.Contains(name, ".")
}

// ofObserver reports whether a stack is that of the observer, or of the
// profilers that it has started.
func ofObserver(s *profile.Sample) bool {
	for _, loc := range s.Location {
		for _, l := range loc.Line {
			if l.Function != nil && (strings.HasPrefix(l.Function.Name, "runtime/coverage.") || l.Function.Name == "runtime/pprof.profileWriter") {
				return true
			}
		}
	}
	return false
}

// stash moves a file; a copy that is to be kept has the same name.
func stash(from, to string) error {
	if err := os.Rename(from, to); err != nil {
		return fmt.Errorf("keeping a profile: %w", err)
	}
	return nil
}
