package hotpath

import (
	"maps"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/host/gocmd"
	"github.com/pawl-dev/pawl/internal/model"
)

// Selection returns what the records are about: the import
// paths of the packages, sorted, and a pattern of functions for -bench that
// selects at least what the records do.
func Selection(records []Record) (packages []string, bench string) {
	pkgs := make(map[string]bool)
	var patterns []string
	for _, r := range records {
		pkgs[r.Pkg] = true
		if p := gocmd.TopOf(r.Bench); !slices.Contains(patterns, p) {
			patterns = append(patterns, p)
		}
	}
	return slices.Sorted(maps.Keys(pkgs)), strings.Join(patterns, "|")
}

// Owns reports whether a file is a record or lies beside them, where rel is
// relative to the module with forward slashes. A change that is judged by
// records must not touch it.
func Owns(rel string) bool { return rel == Dir || strings.HasPrefix(rel, Dir+"/") }

// Loosened says what a tree does not keep any more that its base kept: records
// and guardrails that were removed, commands that were changed, directions that
// were removed or changed. It is for reviewers to say whether that is meant.
func Loosened(base, now []Record) []model.Warning {
	var out []model.Warning
	warn := func(seen string) {
		out = append(out, model.Warning{Seen: seen, Try: "look at it in review: what guards a hot path was taken away or changed"})
	}
	for _, b := range base {
		i := slices.IndexFunc(now, func(r Record) bool { return r.Name == b.Name })
		if i < 0 {
			warn("the record " + b.Name + " is gone")
			continue
		}
		n := now[i]
		if n.Pkg != b.Pkg || n.Bench != b.Bench {
			warn("the record " + b.Name + " is about other benchmarks than before: " + n.Pkg + " " + n.Bench)
		}
		for _, g := range b.Guards {
			j := slices.IndexFunc(n.Guards, func(o Guard) bool { return o.Name == g.Name })
			switch {
			case j < 0:
				warn("the record " + b.Name + " has no guard " + g.Name + " any more")
			case n.Guards[j].Command != g.Command:
				warn("the guard " + g.Name + " of record " + b.Name + " is another command than before")
			}
		}
		for _, d := range b.Better {
			if !slices.Contains(n.Better, d) {
				warn("the record " + b.Name + " does not ask for “" + d.String() + "” any more")
			}
		}
	}
	return out
}
