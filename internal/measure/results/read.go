package results

import (
	"bytes"
	"fmt"
	"maps"
	"math"
	"slices"

	"golang.org/x/perf/benchfmt"
	"golang.org/x/perf/benchunit"

	"github.com/pawl-dev/pawl/internal/keep/store"
	"github.com/pawl-dev/pawl/internal/measure/verdict"
	"github.com/pawl-dev/pawl/internal/model"
)

// A result is one line of figures.
type result struct {
	printed model.Benchmark // as printed, with -N
	config  map[string]string
	n       int
	values  map[string]float64 // by tidied unit: seconds, bytes
	whole   bool               // its counts are whole numbers, as testing prints them
}

// A side is one file.
type side struct {
	name     string
	text     text
	results  []result
	units    []string // tidied, in the order in which they are met
	samples  map[model.Benchmark][]model.Sample
	pawl     bool // pawl wrote some of it
	procs    int  // GOMAXPROCS, 0 where it is not known
	series   []*series
	failures map[plain]failure
	lines    lines
	odd      tally
}

// A reader reads the files of one comparison: benchfmt carries the metadata of
// units from one to the next.
type reader struct{ in *benchfmt.Reader }

func newReader() *reader {
	return &reader{in: benchfmt.NewReader(bytes.NewReader(nil), "")}
}

func (r *reader) units(given verdict.Directions) directions { return directions{r.in.Units(), given} }

func (r *reader) side(in Input) (*side, error) {
	t, err := readText(in)
	if err != nil {
		return nil, err
	}
	s := &side{name: in.Name, text: t, samples: make(map[model.Benchmark][]model.Sample)}
	broken := make(map[int]string)
	var last map[string]string
	r.in.Reset(bytes.NewReader(t.data), in.Name)
	for r.in.Scan() {
		switch rec := r.in.Result().(type) {
		case *benchfmt.SyntaxError:
			broken[rec.Line] = rec.Error()
		case *benchfmt.Result:
			last = configOf(rec, last)
			s.add(rec, last)
		}
	}
	if err := r.in.Err(); err != nil {
		return nil, fmt.Errorf("reading %w: is it the output of go test -bench?", err)
	}
	s.lines = scanLines(t.lines, broken)
	// What ReadSamples warns of has been seen above.
	samples, _, err := store.ReadSamples(bytes.NewReader(t.data), in.Name)
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", in.Name, err)
	}
	for _, m := range samples {
		s.samples[m.Benchmark] = append(s.samples[m.Benchmark], m)
		s.pawl = s.pawl || m.Arm != ""
	}
	return s, nil
}

// configOf returns the configuration of a result, the last one's where it is
// the same.
func configOf(rec *benchfmt.Result, last map[string]string) map[string]string {
	now := make(map[string]string, len(rec.Config))
	for _, c := range rec.Config {
		now[c.Key] = string(bytes.TrimSpace(c.Value))
	}
	if last != nil && maps.Equal(now, last) {
		return last
	}
	return now
}

// absurd is the longest time per op, in seconds, that is believed: eleven days.
const absurd = 1e6

func (s *side) add(rec *benchfmt.Result, config map[string]string) {
	_, line := rec.Pos()
	at := fmt.Sprintf("%s:%d", s.name, line)
	if v := rec.Values; rec.Iters == 0 && math.IsNaN(v[0].Value) {
		return // a panic, which scanLines takes for the failure that it is
	}
	if rec.Iters <= 0 {
		s.odd.add("iterations", fmt.Sprintf("%s: %d iterations", at, rec.Iters))
		return
	}
	r := result{
		printed: model.Benchmark{Pkg: config["pkg"], Name: "Benchmark" + string(rec.Name)},
		config:  config, n: rec.Iters, values: make(map[string]float64), whole: true,
	}
	for _, v := range rec.Values {
		_, unit := benchunit.Tidy(1, v.Unit) // Reader leaves the unit of a zero as it is
		switch _, twice := r.values[unit]; {
		case twice:
			s.odd.add("twice", fmt.Sprintf("%s: a second figure in %s", at, unit))
		case unbelievable(v.Value, unit):
			s.odd.add("value", fmt.Sprintf("%s: %s", at, figure(v)))
		default:
			r.values[unit] = v.Value
			r.whole = r.whole && (!isCount(unit) || v.Value == math.Trunc(v.Value))
			if !slices.Contains(s.units, unit) {
				s.units = append(s.units, unit)
			}
		}
	}
	if len(r.values) > 0 {
		s.results = append(s.results, r)
	}
}

// unbelievable reports whether a figure cannot be a measurement. Units that
// the file defines may well be negative.
func unbelievable(x float64, unit string) bool {
	switch {
	case math.IsNaN(x) || math.IsInf(x, 0):
		return true
	case isTime(unit):
		return !(0 < x && x < absurd)
	case isCount(unit), unit == speedUnit:
		return x < 0
	}
	return false
}

// figure is a value as the file has it.
func figure(v benchfmt.Value) string {
	if v.OrigUnit != "" {
		return fmt.Sprintf("%v %s", v.OrigValue, v.OrigUnit)
	}
	return fmt.Sprintf("%v %s", v.Value, v.Unit)
}

// nothing returns an error for a file that says nothing about any benchmark.
func (s *side) nothing() error {
	if len(s.results)+len(s.lines.failed) > 0 {
		return nil
	}
	why := "run go test -bench=. -count=10 and write its output to it"
	switch l := s.lines; {
	case l.json:
		why = "it is the output of go test -json: run go test without -json, or take the text out of it with jq -j '.Output // empty'"
	case len(l.torn) > 0:
		why = fmt.Sprintf("its lines are torn by what the benchmarks print (line %d): let them print nothing and measure again", l.torn[0].line)
	case l.ended != "":
		why = "it says " + quote(l.ended) + ": repair that and measure again"
	case len(l.broken) > 0:
		why = l.broken[0] + "; write the output of go test -bench=. -count=10 to it, unchanged"
	case s.odd.n() > 0:
		why = "no figure in it is one that a benchmark can have (" + s.odd.first() + "): measure again"
	}
	return fmt.Errorf("%s: %w: %s", s.name, errNothing, why)
}

// A tally counts oddities by kind and keeps the first text of each.
type tally struct {
	kinds []string
	count map[string]int
	text  map[string]string
}

func (t *tally) add(kind, text string) {
	if t.count == nil {
		t.count, t.text = make(map[string]int), make(map[string]string)
	}
	if t.count[kind]++; t.count[kind] == 1 {
		t.kinds = append(t.kinds, kind)
		t.text[kind] = text
	}
}

func (t *tally) n() int { return len(t.kinds) }

func (t *tally) first() string { return t.text[t.kinds[0]] }

// each returns the first text of each kind, with how many more there are.
func (t *tally) each() []string {
	var out []string
	for _, k := range t.kinds {
		s := t.text[k]
		if more := t.count[k] - 1; more > 0 {
			s += fmt.Sprintf(" (and %d more)", more)
		}
		out = append(out, s)
	}
	return out
}
