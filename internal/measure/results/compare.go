package results

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/pawl-dev/pawl/internal/measure/verdict"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/words"
	"github.com/pawl-dev/pawl/judge"
)

// maxBytes is the largest file that is read.
const maxBytes = 256 << 20

// errNothing is part of the error for a file that has no results.
var errNothing = errors.New("no benchmark results")

// An Input is one file of results.
type Input struct {
	Name string // as the user wrote it; for messages
	R    io.Reader
}

// Options are what a comparison promises and looks for. A zero means the
// default of judge.RegressRules.
type Options struct {
	Alpha     float64 // error rate of all claims together
	MinEffect float64 // what counts as a regression, as a fraction
	// Metrics are the directions of units that the files do not give.
	Metrics verdict.Directions
}

// Compare reads two files and compares what is in both. It returns the sides,
// the benchmarks in the order of the base's file, the environment as far as
// both files agree on it, and warnings; Verb, Args and what else belongs to a
// run are the caller's to fill.
//
// An error names the file and what to do: a file cannot be read, is larger
// than maxBytes, or has no result and no failure (errNothing); the options make
// no sense; ctx has ended.
func Compare(ctx context.Context, base, candidate Input, o Options) (*model.Comparison, error) {
	rules, err := o.rules()
	if err != nil {
		return nil, err
	}
	var sides [2]*side
	read := newReader()
	for i, in := range []Input{base, candidate} {
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("reading %s: %w", in.Name, err)
		}
		if sides[i], err = read.side(in); err != nil {
			return nil, err
		}
	}
	for _, s := range sides {
		if err := s.nothing(); err != nil {
			return nil, err
		}
	}
	matches := match(sides)
	c := &model.Comparison{
		Base: sides[0].describe(), Candidate: sides[1].describe(), Env: environment(sides),
		Alpha: rules.Alpha, MinEffect: rules.MinEffect,
	}
	warnings := slices.Concat(sides[0].warnings(), sides[1].warnings(), between(sides), matches.warnings)
	j := &judging{sides: sides, units: read.units(o.Metrics)}
	j.rules = verdict.Rules{Judge: rules, Level: rules.Level(), Floor: rules.MinEffect, From: verdict.Files}
	j.pair(matches.both)
	for _, m := range matches.both {
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("comparing %s with %s: %w", base.Name, candidate.Name, err)
		}
		c.Benchmarks = append(c.Benchmarks, j.compared(m))
	}
	c.Benchmarks = append(c.Benchmarks, matches.alone...)
	c.Warnings = append(warnings, j.warnings()...)
	return c, nil
}

// replayUnits is how many units a verdict may need at least before it is
// final, as in pawl compare; a file with more is judged on all of them.
const replayUnits = 120

func (o Options) rules() (judge.Rules, error) {
	r := judge.RegressRules()
	r.MaxUnits = replayUnits
	if o.Alpha != 0 {
		r.Alpha = o.Alpha
	}
	if o.MinEffect != 0 {
		r.MinEffect = o.MinEffect
	}
	if err := r.Validate(); err != nil {
		return r, fmt.Errorf("comparing two files: %w: choose -alpha and -min-effect between 0 and 1", err)
	}
	return r, nil
}

// A judging is the comparison of the benchmarks that are in both files.
type judging struct {
	sides [2]*side
	rules verdict.Rules // Judge.Alpha is one benchmark's share
	units directions
	pairs map[key]pairing
	// What applies to many benchmarks is said once for all of them.
	blocks   int // benchmarks whose times are unpaired
	swapped  bool
	halfPawl bool
	few      few
	oneUnit  tally // figures that one file lacks
	lengthy  tally // runs of another length
}

// pair finds the benchmarks that can be judged in pairs. They share the error
// rate, as in pawl compare.
func (j *judging) pair(ms []matched) {
	j.pairs = make(map[key]pairing)
	n := 0
	for _, m := range ms {
		p := pairUp(m, j.sides)
		j.pairs[m.key()] = p
		if len(p.pairs) > 0 {
			n++
		}
		j.halfPawl = j.halfPawl || p.half
		j.swapped = j.swapped || p.swapped
	}
	j.rules.Judge.Alpha /= float64(max(1, n))
}

func (j *judging) compared(m matched) model.Compared {
	c := model.Compared{Benchmark: m.base.bm, Standing: model.Open}
	p := j.pairs[m.key()]
	c.Warnings = append(c.Warnings, p.warnings...)
	if len(p.pairs) > 0 {
		j.replay(&c, p)
	} else {
		j.blocksOf(&c, m)
	}
	j.failed(&c, m)
	return c
}

// failed overrides what was found where runs of one side alone failed.
func (j *judging) failed(c *model.Compared, m matched) {
	base, onBase := j.sides[0].failureOf(m.base.plain())
	cand, onCand := j.sides[1].failureOf(m.cand.plain())
	switch {
	case onBase && onCand:
		c.Warnings = append(c.Warnings, model.Warning{
			Seen: base + "; " + cand, Cause: "a benchmark that is not steady",
			Try: "repair it first: what is left are the runs that happened to pass",
		})
	case onBase:
		c.Standing, c.Why = model.Failed, base+"; "+words.Plural(len(m.base.results), "run")+" of it passed there"
	case onCand:
		c.Standing, c.Why = model.Failed, cand+"; "+words.Plural(len(m.cand.results), "run")+" of it passed there"
	}
}

func (j *judging) warnings() []model.Warning {
	var out []model.Warning
	if j.blocks > 0 {
		out = append(out, model.Warning{
			Seen:  "the files hold one block of runs after the other, not pairs: times are shown, and nothing is claimed of them",
			Cause: "on a shared machine a fifth of such comparisons of identical code are “significant”: the error lies between the blocks, and more runs do not help",
			Try:   "pawl compare REF REF measures in pairs",
		})
	}
	if j.swapped {
		out = append(out, model.Warning{
			Seen:  fmt.Sprintf("%s holds the candidate of its run, and %s the base: they are compared as named", j.sides[0].name, j.sides[1].name),
			Cause: "the files are given in the other order",
			Try:   fmt.Sprintf("pawl compare %s %s", j.sides[1].name, j.sides[0].name),
		})
	}
	if j.halfPawl {
		out = append(out, model.Warning{
			Seen:  "only one of the files was written by pawl, so that nothing can be paired",
			Cause: "its samples were taken as duets on one core, by process CPU time; the other ones were not",
			Try:   "compare the two files of one run of pawl compare, or two files of go test",
		})
	}
	for _, text := range j.oneUnit.each() {
		out = append(out, model.Warning{Seen: text, Cause: "other flags or other code on the two sides", Try: "run go test with the same flags, -benchmem among them"})
	}
	for _, text := range j.lengthy.each() {
		out = append(out, model.Warning{
			Seen: text, Cause: "another -benchtime: warm-up, caches and what is done once weigh differently",
			Try: "measure both sides with the same -benchtime",
		})
	}
	return append(out, j.few.warnings()...)
}
