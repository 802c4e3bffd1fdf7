package worth

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/explain/likeness"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/read/profile"
)

// A Production is what was profiled where the program really runs: a CPU
// profile, a heap profile, or both, each perhaps of several hosts.
type Production struct {
	names []string // of the files, without their directories
	cpu   *profile.Profile
	heap  *profile.Profile
}

// Read reads pprof files, compressed or not, and adds up those of a kind: CPU
// profiles to one and heap profiles to another. Others are refused by name,
// with what to take instead.
func Read(ctx context.Context, files ...string) (*Production, error) {
	if len(files) == 0 {
		return nil, errors.New("no production profile was given")
	}
	p := &Production{}
	var cpu, heap []*profile.Profile
	for _, file := range files {
		f, err := profile.ReadFile(ctx, file)
		if err != nil {
			return nil, fmt.Errorf("%w; give a file in pprof's format, as /debug/pprof/profile serves it", err)
		}
		switch types := f.Types(); {
		case cpuType(types) != "":
			cpu = append(cpu, f)
		case allocType(types) != "":
			heap = append(heap, f)
		default:
			return nil, fmt.Errorf("%s holds samples of %s, which tell neither CPU time nor allocations; take /debug/pprof/profile or /debug/pprof/allocs", file, strings.Join(types, ", "))
		}
		p.names = append(p.names, filepath.Base(file))
	}
	var err error
	if p.cpu, err = merged(cpu); err != nil {
		return nil, err
	}
	p.heap, err = merged(heap)
	return p, err
}

func merged(ps []*profile.Profile) (*profile.Profile, error) {
	if len(ps) == 0 {
		return nil, nil
	}
	return profile.Merge(ps...)
}

// cpuType returns the type of samples to read CPU time from.
func cpuType(types []string) string {
	if slices.Contains(types, "cpu") {
		return "cpu"
	}
	return ""
}

// allocType returns the type of samples to read allocations from. Bytes come
// first, since the collector's work goes with them.
func allocType(types []string) string {
	for _, t := range []string{"alloc_space", "alloc_objects"} {
		if slices.Contains(types, t) {
			return t
		}
	}
	return ""
}

// fewest is how many functions that differ most stay with a likeness.
const fewest = 10

// Like says how like production a benchmark is, by its CPU profile; nil where one of
// the two profiles is not there or has no samples. The draws are always the same.
func (p *Production) Like(bench *profile.Profile) *model.Likeness {
	if p == nil || p.cpu == nil || bench == nil {
		return nil
	}
	l, err := likeness.Of(p.cpu, bench, 0)
	if err != nil || l.Samples[0] == 0 || l.Samples[1] == 0 {
		return nil
	}
	l.Weights = l.Weights[:min(fewest, len(l.Weights))]
	return &l
}

func (p *Production) file() string {
	if len(p.names) > 2 {
		return fmt.Sprintf("%s and %d more", p.names[0], len(p.names)-1)
	}
	return strings.Join(p.names, " and ")
}

// Advice says how to get a production profile, for a run that has none.
func Advice() model.Warning {
	return model.Warning{
		Seen:  "no production profile was given: what a change is worth there is not known",
		Cause: "a benchmark tells how much faster the code is, not how often it runs",
		Try:   "CPU and allocs profiles of the program under typical load, from net/http/pprof of each host, with -profile FILE for each",
	}
}
