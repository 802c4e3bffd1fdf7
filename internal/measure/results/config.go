package results

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/words"
)

// single returns the value of a configuration key if the file has one only.
func (s *side) single(name string) string {
	if v := s.allOf(name); len(v) == 1 {
		return v[0]
	}
	return ""
}

// allOf returns the values of a configuration key, sorted.
func (s *side) allOf(name string) []string {
	values := make(map[string]bool)
	for _, r := range s.results {
		if v := r.config[name]; v != "" {
			values[v] = true
		}
	}
	return slices.Sorted(maps.Keys(values))
}

// goVersion is what pawl writes, or what people add.
func (s *side) goVersion() string {
	for _, name := range goKeys {
		if v := s.single(name); v != "" {
			return v
		}
	}
	return ""
}

var goKeys = []string{"go", "goversion", "go-version", "toolchain"}

// describe says what the side is.
func (s *side) describe() model.Side {
	d := model.Side{Name: s.name, Kind: model.SideSamples, GoVersion: s.goVersion()}
	names := make(map[string]bool)
	for _, r := range s.results {
		for name := range r.config {
			names[name] = true
		}
	}
	for _, name := range append([]string{"pkg"}, goKeys...) {
		delete(names, name)
	}
	for name := range names {
		if v := s.single(name); v != "" {
			if d.Settings == nil {
				d.Settings = make(map[string]string)
			}
			d.Settings[name] = v
		}
	}
	if s.procs > 0 {
		if d.Settings == nil {
			d.Settings = make(map[string]string)
		}
		d.Settings["GOMAXPROCS"] = fmt.Sprint(s.procs)
	}
	return d
}

// environment is what both files say of the machine.
func environment(sides [2]*side) model.Environment {
	both := func(of func(*side) string) string {
		if a := of(sides[0]); a == of(sides[1]) {
			return a
		}
		return ""
	}
	key := func(name string) string { return both(func(s *side) string { return s.single(name) }) }
	return model.Environment{GoVersion: both((*side).goVersion), GOOS: key("goos"), GOARCH: key("goarch"), CPU: key("cpu")}
}

// between says how the circumstances of the two files differ.
func between(sides [2]*side) []model.Warning {
	a, b := sides[0], sides[1]
	var out []model.Warning
	warn := func(name, cause, try string, of func(*side) string) {
		if x, y := of(a), of(b); x != y && x != "" && y != "" {
			out = append(out, model.Warning{Seen: fmt.Sprintf("%s differs: %s in %s, %s in %s", name, x, a.name, y, b.name), Cause: cause, Try: try})
		}
	}
	all := func(name string) func(*side) string {
		return func(s *side) string { return listed(s.allOf(name), 4) }
	}
	const machine = "two machines are compared, not two versions"
	const measure = "measure both versions on the same machine, with the same toolchain"
	warn("goos", machine, measure, all("goos"))
	warn("goarch", machine, measure, all("goarch"))
	warn("cpu", machine, measure, all("cpu"))
	warn("the Go version", "toolchains are compared as well as versions: allocations and times may both be the toolchain's", measure, (*side).goVersion)
	warn("GOMAXPROCS (the -N of the names)", "collector and scheduler have another number of threads", "set the same GOMAXPROCS, or -cpu, on both sides",
		func(s *side) string {
			if s.procs == 0 {
				return ""
			}
			return fmt.Sprint(s.procs)
		})
	for _, name := range slices.Sorted(maps.Keys(a.describe().Settings)) {
		if strings.HasPrefix(strings.ToUpper(name), "GO") && !slices.Contains([]string{"goos", "goarch", "GOMAXPROCS"}, name) {
			warn(name, "the builds differ by a setting", measure, all(name))
		}
	}
	if bytes.Equal(a.text.data, b.text.data) {
		out = append(out, model.Warning{
			Seen: fmt.Sprintf("%s and %s are the same, line by line", a.name, b.name), Cause: "a file was copied, or given twice",
			Try: "give the results of the base and of the candidate",
		})
	}
	return out
}

// mostMessages is how many messages of one kind are shown.
const mostMessages = 5

// warnings are those about the file itself.
func (s *side) warnings() []model.Warning {
	out := slices.Clone(s.text.warnings)
	for i, text := range s.lines.broken {
		if i == mostMessages {
			out = append(out, model.Warning{Seen: fmt.Sprintf("%s: %d more lines do not parse", s.name, len(s.lines.broken)-i)})
			break
		}
		out = append(out, model.Warning{Seen: text + "; the line is passed over"})
	}
	for _, text := range s.odd.each() {
		out = append(out, model.Warning{Seen: text + "; passed over", Cause: "a figure that no run of a benchmark has"})
	}
	out = append(out, s.tornWarnings()...)
	if s.lines.ended != "" {
		out = append(out, model.Warning{
			Seen:  fmt.Sprintf("the run that wrote %s ended early: %s", s.name, quote(s.lines.ended)),
			Cause: "a package did not build, failed, or was killed", Try: "repair it and measure again: what would have come after is missing",
		})
	}
	return out
}

// tornWarnings says once for each benchmark how many of its results were lost.
func (s *side) tornWarnings() []model.Warning {
	var out []model.Warning
	n := make(map[string]int)
	for _, t := range s.lines.torn {
		n[t.name]++
	}
	for _, t := range s.lines.torn {
		if n[t.name] == 0 {
			continue
		}
		if len(out) == mostMessages {
			return append(out, model.Warning{Seen: s.name + ": lines of more benchmarks are torn"})
		}
		by := ""
		if t.by != "" {
			by = " by " + quote(t.by)
		}
		out = append(out, model.Warning{
			Seen:  fmt.Sprintf("%s:%d: the line of %s is torn%s; %s lost", s.name, t.line, t.name, by, words.Inflect(n[t.name], "sample is", "samples are")),
			Cause: "go test prints the name before the benchmark runs and the figures after it: what is printed meanwhile lands between them",
			Try:   "let the benchmark print to io.Discard or with b.Log, and measure again",
		})
		n[t.name] = 0
	}
	return out
}
