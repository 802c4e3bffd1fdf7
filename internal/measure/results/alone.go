package results

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
)

// A failure is what a file says about a benchmark that failed.
type failure struct {
	count int
	text  string
}

// gatherFailures counts the failures by benchmark. That of a benchmark whose
// sub-benchmarks fail is theirs.
func (s *side) gatherFailures(strip bool) {
	s.failures = make(map[plain]failure)
	for _, f := range s.lines.failed {
		// A failure in the first, single iteration is printed without -N.
		p := plain{f.pkg, f.name}
		if m := procsSuffix.FindStringSubmatch(f.name); strip && m != nil && m[2] == fmt.Sprint(s.procs) {
			p.name = m[1]
		}
		old := s.failures[p]
		old.text = cmp.Or(old.text, f.text)
		s.failures[p] = failure{old.count + 1, old.text}
	}
	for p := range s.failures {
		for q := range s.failures {
			if q.pkg == p.pkg && strings.HasPrefix(q.name, p.name+"/") {
				delete(s.failures, p)
			}
		}
	}
}

// failureOf returns the failure of a benchmark or of the one that it is a part
// of, and how it is to be told.
func (s *side) failureOf(p plain) (string, bool) {
	for {
		if f, ok := s.failures[p]; ok {
			return f.tell(s.name), true
		}
		i := strings.LastIndexByte(p.name, '/')
		if i < 0 {
			return "", false
		}
		p.name = p.name[:i]
	}
}

func (f failure) tell(where string) string {
	t := "fails in " + where
	if f.count > 1 {
		t += fmt.Sprintf(", %d times", f.count)
	}
	if f.text != "" {
		t += ": " + quote(f.text)
	}
	return t
}

// alone is a benchmark with results on one side only.
func alone(sides [2]*side, i int, s *series) model.Compared {
	c := model.Compared{Benchmark: s.bm, Standing: model.OneSided}
	other := sides[1-i]
	if why, failed := other.failureOf(s.plain()); failed {
		c.Standing, c.Why = model.Failed, why
		return c
	}
	c.Why = "only in " + sides[i].name
	is := func(name string) bool { return name == s.key.name || bare(name, true) == s.key.name }
	torn := slices.ContainsFunc(other.lines.torn, func(t tornLine) bool { return is(t.name) })
	switch like := other.like(s.key); {
	case torn:
		c.Why += ": in " + other.name + " its lines are torn by what it prints"
	case slices.ContainsFunc(other.lines.skipped, is):
		c.Why += ": skipped in " + other.name
	case like != "":
		c.Why += ": " + other.name + " has " + like
	case other.lines.ended != "":
		c.Why += ": the run of " + other.name + " ended early with " + quote(other.lines.ended)
	}
	return c
}

// like finds what a benchmark may have been renamed to.
func (s *side) like(k key) string {
	for _, o := range s.series {
		switch same := strings.EqualFold(o.key.name, k.name); {
		case same && o.key.pkg == k.pkg && o.key.name == k.name:
			return "it under " + named(o.key.variant)
		case same && o.key.pkg == k.pkg:
			return o.key.name
		case same:
			return o.key.name + " in " + named(o.key.pkg)
		}
	}
	return ""
}

func named(s string) string {
	return cmp.Or(s, "no such key")
}

// failures adds the benchmarks that fail and have no results at all.
func (m *matches) failures(sides [2]*side) {
	have := make(map[plain]bool)
	for _, s := range sides {
		for _, ser := range s.series {
			have[ser.plain()] = true
			for name := ser.key.name; strings.Contains(name, "/"); {
				name = name[:strings.LastIndex(name, "/")]
				have[plain{ser.key.pkg, name}] = true
			}
		}
	}
	for i, s := range sides {
		for _, f := range s.lines.failed {
			for _, p := range []plain{{f.pkg, f.name}, {f.pkg, bare(f.name, true)}} {
				fail, ok := s.failures[p]
				if !ok || have[p] {
					continue
				}
				have[p] = true
				if _, both := sides[1-i].failures[p]; both {
					m.warnings = append(m.warnings, model.Warning{
						Seen: fmt.Sprintf("%s fails in both files: %s", p.name, fail.text), Try: "repair it: there is nothing to compare",
					})
					continue
				}
				m.alone = append(m.alone, model.Compared{
					Benchmark: model.Benchmark{Pkg: p.pkg, Name: p.name}, Standing: model.Failed,
					Why: fail.tell(s.name) + "; " + sides[1-i].name + " does not have it",
				})
			}
		}
	}
}
