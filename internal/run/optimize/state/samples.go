package state

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/internal/change/guard"
	"github.com/pawl-dev/pawl/internal/sorted"
)

// sample chooses the tests that a check runs from now on: the quickest of those that passed, by
// package, for half of a time. It returns how many.
func (m *Module) sample(check string, t *Tests, passed [][]guard.Passed, limit time.Duration) (n int) {
	type test struct {
		pkg string
		guard.Passed
	}
	var all []test
	only := make(map[string][]string)
	for i, b := range t.bins {
		only[b.Pkg.ImportPath] = nil
		for _, p := range passed[i] {
			all = append(all, test{b.Pkg.ImportPath, p})
		}
	}
	sorted.By(all, func(a, b test) int { return cmp.Compare(a.Took, b.Took) })
	left := limit / 2
	for _, t := range all {
		if left -= t.Took; left < 0 {
			break
		}
		only[t.pkg] = append(only[t.pkg], t.Name)
		n++
	}
	if n > 0 {
		if m.Only == nil {
			m.Only = make(map[string]map[string][]string)
		}
		m.Only[check] = only
	}
	return n
}

// sampled are the test binaries with the tests of them that their check runs. What
// the base was not asked for is run whole.
func (m *Module) sampled(t *Tests) (out []guard.Tested) {
	for _, b := range t.bins {
		only, known := m.only(t.name)[b.Pkg.ImportPath]
		if known && len(only) == 0 {
			continue
		}
		b.Only = only
		out = append(out, b)
	}
	return out
}

// only are the tests that a check runs, by import path. Where the race detector has no sample
// of its own, it has that of the tests without.
func (m *Module) only(check string) map[string][]string {
	if own := m.Only[check]; own != nil {
		return own
	}
	return m.Only[testCheck]
}

// TestFlags returns the flags that tests are run with where all packages get the same.
func (m *Module) TestFlags() []string {
	flags := m.Guard.Flags()
	if only := m.Only[testCheck]; only != nil {
		names := slices.Concat(slices.Collect(maps.Values(only))...)
		slices.Sort(names)
		flags = append(flags, "-test.run=^("+strings.Join(slices.Compact(names), "|")+")$")
	}
	return flags
}
