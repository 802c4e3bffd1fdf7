package results

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/words"
)

// A plain is a benchmark as both files name it: without -N.
type plain struct{ pkg, name string }

// A key is a plain under one set of values of the configuration keys that tell
// benchmarks of one name apart: "goarch=arm64".
type key struct {
	plain
	variant string
}

// A series is what one file holds of one benchmark.
type series struct {
	key     key
	bm      model.Benchmark
	results []result // in the order of the file
}

func (s *series) plain() plain { return s.key.plain }

// values returns the figures in a unit, in the order of the file.
func (s *series) values(unit string) []float64 {
	var out []float64
	for _, r := range s.results {
		if v, ok := r.values[unit]; ok {
			out = append(out, v)
		}
	}
	return out
}

// iterations returns b.N of each result.
func (s *series) iterations() []float64 {
	out := make([]float64, len(s.results))
	for i, r := range s.results {
		out[i] = float64(r.n)
	}
	return out
}

// A matched is a benchmark that both files have.
type matched struct{ base, cand *series }

func (m matched) key() key { return m.base.key }

func (m matched) of(i int) *series {
	if i == 0 {
		return m.base
	}
	return m.cand
}

// matches are the benchmarks of two files.
type matches struct {
	both     []matched
	alone    []model.Compared // on one side only
	warnings []model.Warning
}

// match finds what is in both files, in the order of the base's.
func match(sides [2]*side) matches {
	var out matches
	namePackages(sides)
	strip := suffixes(sides)
	split, pooled := variants(sides)
	for i, s := range sides {
		s.build(strip[i], split)
		for _, k := range pooled[i] {
			out.warnings = append(out.warnings, model.Warning{
				Seen:  fmt.Sprintf("%s holds the same benchmarks under several values of %q (%s): they are taken together", s.name, k.name, listed(k.values, 4)),
				Cause: "results of several versions or machines in one file",
				Try:   "compare one of them at a time",
			})
		}
	}
	cand := make(map[key]*series)
	for _, s := range sides[1].series {
		cand[s.key] = s
	}
	base := make(map[key]bool)
	for _, s := range sides[0].series {
		base[s.key] = true
		if c := cand[s.key]; c != nil {
			out.both = append(out.both, matched{s, c})
		} else {
			out.alone = append(out.alone, alone(sides, 0, s))
		}
	}
	for _, s := range sides[1].series {
		if !base[s.key] {
			out.alone = append(out.alone, alone(sides, 1, s))
		}
	}
	out.failures(sides)
	if len(out.both) == 0 && len(out.alone) > 0 {
		out.warnings = append(out.warnings, model.Warning{
			Seen: "no benchmark has results in both files", Cause: "different packages, names or -bench patterns",
			Try: "measure the same benchmarks on both sides",
		})
	}
	return out
}

// namePackages fills in the package where one file does not name any and the
// name is in one package of the other one.
func namePackages(sides [2]*side) {
	named := [2]map[string][]string{{}, {}}
	for i, s := range sides {
		for _, r := range s.results {
			base := bare(r.printed.Name, true)
			if r.printed.Pkg != "" && !slices.Contains(named[i][base], r.printed.Pkg) {
				named[i][base] = append(named[i][base], r.printed.Pkg)
			}
		}
	}
	for i, s := range sides {
		if len(named[i]) > 0 {
			continue
		}
		for j := range s.results {
			if pkgs := named[1-i][bare(s.results[j].printed.Name, true)]; len(pkgs) == 1 {
				s.results[j].printed.Pkg = pkgs[0]
			}
		}
	}
}

var procsSuffix = regexp.MustCompile(`^(.+)-([1-9][0-9]*)$`)

// bare returns a name without -N, if that is to be taken off.
func bare(name string, strip bool) string {
	if m := procsSuffix.FindStringSubmatch(name); strip && m != nil {
		return m[1]
	}
	return name
}

// suffixes decides for each side whether the -N of its names is GOMAXPROCS, and
// sets procs. go test adds it to every name or, where it is 1, to none, so a
// number that only some names have, or that differs, belongs to them (or
// to -cpu 1,2,4, which is the same to us). What is left open is decided so that
// most names are in both files.
func suffixes(sides [2]*side) [2]bool {
	var can [2]bool
	for i, s := range sides {
		s.procs, can[i] = s.commonProcs()
	}
	var best [2]bool
	most := -1
	for _, try := range [][2]bool{{true, true}, {false, false}, {true, false}, {false, true}} {
		strip := [2]bool{try[0] && can[0], try[1] && can[1]}
		if n := common(sides, strip); n > most {
			best, most = strip, n
		}
	}
	for i, s := range sides {
		if can[i] && !best[i] {
			s.procs = 1
		}
	}
	for i, s := range sides {
		if len(s.results) == 0 { // its failures are named like the other's results
			s.procs, best[i] = sides[1-i].procs, best[1-i]
		}
	}
	return best
}

// commonProcs returns the number that all names end in, 1 where none ends in
// one, and 0 where they differ.
func (s *side) commonProcs() (procs int, suffixed bool) {
	if s.pawl || len(s.results) == 0 {
		return 0, false
	}
	for i, r := range s.results {
		n := 1
		if m := procsSuffix.FindStringSubmatch(r.printed.Name); m != nil {
			n, _ = strconv.Atoi(m[2])
			suffixed = true
		}
		if i > 0 && n != procs {
			return 0, false
		}
		procs = n
	}
	return procs, suffixed
}

func common(sides [2]*side, strip [2]bool) int {
	var names [2]map[plain]bool
	for i, s := range sides {
		names[i] = make(map[plain]bool)
		for _, r := range s.results {
			names[i][plain{r.printed.Pkg, bare(r.printed.Name, strip[i])}] = true
		}
	}
	n := 0
	for p := range names[0] {
		if names[1][p] {
			n++
		}
	}
	return n
}

// build groups the results and the failures of a side.
func (s *side) build(strip bool, split []string) {
	by := make(map[key]*series)
	for _, r := range s.results {
		k := key{plain: plain{r.printed.Pkg, bare(r.printed.Name, strip)}}
		var parts []string
		for _, name := range split {
			if v := r.config[name]; v != "" {
				parts = append(parts, name+"="+v)
			}
		}
		k.variant = strings.Join(parts, " ")
		ser := by[k]
		if ser == nil {
			ser = &series{key: k, bm: model.Benchmark{Pkg: k.pkg, Name: strings.TrimSpace(k.name + " " + k.variant)}}
			by[k] = ser
			s.series = append(s.series, ser)
		}
		ser.results = append(ser.results, r)
	}
	s.gatherFailures(strip)
}

// A varying is a configuration key with several values within one benchmark.
type varying struct {
	name   string
	values []string
}

// variants finds the configuration keys under which a file has one benchmark
// several times. Those with a value that the files share tell benchmarks apart;
// over the others they are pooled. A key that has a value of its own for nearly
// every sample, such as a date, says nothing about identity.
func variants(sides [2]*side) (split []string, pooled [2][]varying) {
	var seen [2]map[string]map[string]bool // side, key, value
	var vary [2]map[string]bool
	for i, s := range sides {
		seen[i], vary[i] = s.keys()
	}
	for i := range sides {
		for _, name := range slices.Sorted(maps.Keys(vary[i])) {
			shared := slices.ContainsFunc(slices.Collect(maps.Keys(seen[0][name])), func(v string) bool { return seen[1][name][v] })
			switch {
			case slices.Contains(split, name):
			case shared:
				split = append(split, name)
			default:
				pooled[i] = append(pooled[i], varying{name, slices.Sorted(maps.Keys(seen[i][name]))})
			}
		}
	}
	slices.Sort(split)
	return split, pooled
}

// keys returns the values of each configuration key, and the keys that vary
// within a benchmark.
func (s *side) keys() (seen map[string]map[string]bool, vary map[string]bool) {
	type use struct {
		samples int
		values  map[string]map[string]bool
	}
	names := make(map[string]bool)
	for _, r := range s.results {
		for name := range r.config {
			names[name] = name != "pkg" && name != "pawl-run"
		}
	}
	uses := make(map[plain]*use)
	seen, vary = make(map[string]map[string]bool), make(map[string]bool)
	for _, r := range s.results {
		p := plain{r.printed.Pkg, r.printed.Name}
		u := uses[p]
		if u == nil {
			u = &use{values: make(map[string]map[string]bool)}
			uses[p] = u
		}
		u.samples++
		for name, counts := range names {
			if counts {
				put(u.values, name, r.config[name])
				put(seen, name, r.config[name])
			}
		}
	}
	for _, u := range uses {
		for name, values := range u.values {
			if len(values) > 1 && 2*len(values) <= u.samples {
				vary[name] = true
			}
		}
	}
	return seen, vary
}

func put(m map[string]map[string]bool, name, value string) {
	if m[name] == nil {
		m[name] = make(map[string]bool)
	}
	m[name][value] = true
}

// listed names some of many.
func listed(all []string, most int) string {
	out := make([]string, len(all))
	for i, s := range all {
		out[i] = cmp.Or(s, "none")
	}
	return words.Some(out, most)
}
