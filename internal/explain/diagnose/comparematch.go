package diagnose

import (
	"regexp"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/read/profile"
)

// A matcher says what of two builds is the same. Functions go by their symbol.
// Closures are numbered in the order in which they stand in a function, which
// changes with the code: a closure that only the base has is taken for one that
// only the other build has where each has just one of the kind in that
// function. Lines go by their distance from the beginning of their function
// where both builds say where that is, so that code which moved as a whole
// stays matched.
type matcher struct {
	renamed map[string]string // what functions of the base are called now, where that differs
	starts  map[string]int    // the line a function begins at, now or else in the base
	offsets map[string]bool   // functions whose lines go by offset
}

// A place is a line of either build: the offset in the function, or the line.
type place struct {
	fn string
	n  int
}

func newMatcher(base, now []profile.Source) *matcher {
	before, after := names(base), names(now)
	m := &matcher{renamed: closures(before, after), starts: map[string]int{}, offsets: map[string]bool{}}
	old := map[string]int{}
	for fn, line := range before {
		old[m.name(fn)] = line
	}
	for fn, line := range after {
		if b, both := old[fn]; line > 0 && (!both || b > 0) {
			m.offsets[fn], m.starts[fn] = true, line
		}
	}
	for fn, line := range old {
		if _, both := after[fn]; !both && line > 0 {
			m.offsets[fn], m.starts[fn] = true, line
		}
	}
	return m
}

// names returns the functions of profiles, with the line that each begins at;
// 0 where they do not say, or not the same.
func names(of []profile.Source) map[string]int {
	out := map[string]int{}
	for _, s := range of {
		starts := s.Profile.Starts()
		for _, f := range s.Profile.Functions() {
			line, seen := out[f.Func]
			if at := starts[f.Func]; !seen || line == at {
				out[f.Func] = at
			} else {
				out[f.Func] = 0
			}
		}
	}
	return out
}

// numbered is the number at the end of a closure's symbol, with its kind.
var numbered = regexp.MustCompile(`^(.*\.(?:func|gowrap|deferwrap)|.*-range)(\d+)$`)

// closures returns which closures of the base are which now.
func closures(before, after map[string]int) map[string]string {
	only := func(in, notIn map[string]int) map[string][]string {
		out := map[string][]string{}
		for fn := range in {
			if _, both := notIn[fn]; both {
				continue
			}
			if parts := numbered.FindStringSubmatch(fn); parts != nil {
				out[parts[1]] = append(out[parts[1]], fn)
			}
		}
		return out
	}
	out := map[string]string{}
	now := only(after, before)
	for kind, fns := range only(before, after) {
		if len(fns) == 1 && len(now[kind]) == 1 {
			out[fns[0]] = now[kind][0]
		}
	}
	return out
}

// name returns what a function of the base is called now.
func (m *matcher) name(fn string) string {
	if n, ok := m.renamed[fn]; ok {
		return n
	}
	return fn
}

// place returns where a frame is, in terms of both builds. start is the line
// that its function begins at in its own build.
func (m *matcher) place(f model.Frame, start int) place {
	if m.offsets[f.Func] && start > 0 {
		return place{f.Func, f.Line - start}
	}
	return place{f.Func, f.Line}
}

// line returns the line of a place, in the new build where it is there.
func (m *matcher) line(p place) int {
	if m.offsets[p.fn] {
		return p.n + m.starts[p.fn]
	}
	return p.n
}

// inBoth counts the functions that both sides have: all, and those outside the
// standard library. some says whether each side has any of these.
func inBoth(base, now []profile.Source) (all, own int, some bool) {
	before, after := names(base), names(now)
	for fn := range before {
		if _, both := after[fn]; both {
			all++
			if !profile.Standard(fn) {
				own++
			}
		}
	}
	return all, own, hasOwn(before) && hasOwn(after)
}

func hasOwn(fns map[string]int) bool {
	for fn := range fns {
		if !profile.Standard(fn) {
			return true
		}
	}
	return false
}

// isBenchmark reports whether a symbol is that of a benchmark's function, and
// not of one inside it.
func isBenchmark(fn string) bool {
	name, ok := strings.CutPrefix(fn, profile.Package(fn)+".Benchmark")
	return ok && profile.Package(fn) != "" && !strings.Contains(name, ".")
}
