package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/read/profile"
	"github.com/pawl-dev/pawl/internal/words"
)

// fewSamples is how many a CPU profile has at least where a line with one per cent of it
// is expected to have one.
const fewSamples = 100

// cpuSamples is how many samples a CPU profile has; 0 for one of another kind.
func cpuSamples(p *profile.Profile) int64 {
	if p.Kind() != profile.KindCPU {
		return 0
	}
	part, err := p.Part("cpu", func([]model.Frame) bool { return true })
	if err != nil {
		return 0
	}
	return part.Of
}

// readCosts reads what lines cost from profiles, merged where they are of one
// kind. One of several that costs no line, as of locks inside the runtime, is
// passed over with a word on stderr. The error names the files.
func readCosts(ctx context.Context, e *env, files []string) ([]model.LineCost, error) {
	const next = "name a profile of CPU time, memory, mutexes or blocking, as runtime/pprof and go test write it"
	kinds, names := map[string][]*profile.Profile{}, map[string][]string{}
	opened, done, err := e.open(ctx, files, "cpu", "heap", "mutex", "block")
	defer done()
	if err != nil {
		return nil, err
	}
	for _, f := range opened {
		name := f.name
		p, err := profile.ReadFile(ctx, f.file)
		if err != nil {
			return nil, fmt.Errorf("%w; %s", err, next)
		}
		kind := strings.Join(p.Types(), " ")
		kinds[kind], names[kind] = append(kinds[kind], p), append(names[kind], name)
	}
	var all []model.LineCost
	var without []error
	for _, kind := range slices.Sorted(maps.Keys(kinds)) {
		merged, err := profile.Merge(kinds[kind]...)
		if err != nil {
			return nil, err
		}
		costs, err := merged.Lines()
		if err != nil {
			err = fmt.Errorf("%s: %w", strings.Join(names[kind], ", "), err)
		}
		switch {
		case errors.Is(err, profile.ErrNoLine):
			without = append(without, err)
		case err != nil:
			return nil, fmt.Errorf("%w; %s", err, next)
		}
		if n := cpuSamples(merged); 0 < n && n < fewSamples {
			e.printf("pawl: %s: %s: a line that they do not show may be hot all the same\n", strings.Join(names[kind], ", "), words.Counted(n, "sample"))
		}
		all = append(all, costs...)
	}
	if len(all) == 0 && len(without) > 0 {
		return nil, fmt.Errorf("%w; %s", without[0], next)
	}
	for _, err := range without {
		e.printf("pawl: %v\n", err)
	}
	return all, nil
}
