package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"

	"github.com/pawl-dev/pawl/internal/measure/verdict"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/judge"
)

func verdictOf(d judge.Decision) model.Verdict {
	return model.Verdict{Answer: model.Answer(d.Answer), Change: d.Estimate, Lo: d.Lo, Hi: d.Hi}
}

// A pool holds the duets of comparisons of equals.
type pool struct {
	sequences [][]float64 // each of one pair of builds, whose luck of layout is in it
	links     [][]float64 // of the same comparisons; empty where none followed
	all       []float64   // of all comparisons
}

func poolOf(records []Record) pool {
	var p pool
	for _, r := range records {
		if (r.Verb != "aa" && r.Verb != "gate") || r.Effect != 0 {
			continue
		}
		for _, j := range r.Pawl {
			if len(j.Duets) < settingLen || j.Wall {
				continue
			}
			p.sequences, p.links = append(p.sequences, j.Duets), append(p.links, j.Links)
			p.all = append(p.all, j.Links...)
		}
	}
	return p
}

// drawBlocks returns units without end: blocks of consecutive ones from a
// sequence, because units that share a core and a copy of the file share luck.
func drawBlocks(seq []float64, rng *rand.Rand) func() float64 {
	at, left := 0, 0
	return func() float64 {
		if left == 0 {
			at, left = rng.IntN(len(seq)), settingLen
		}
		d := seq[at%len(seq)]
		at, left = at+1, left-1
		return d
	}
}

// soundUnits is how many units a gate takes before it calls a benchmark clean.
const soundUnits = 8

// gateStage judges by the rules of a gate: until there is an answer in either
// direction, or a slowdown of the least effect is excluded.
func gateStage(r judge.Rules, next func() float64) (d judge.Decision, excluded bool, err error) {
	s := judge.NewSequence(r)
	for {
		if err := s.Add(next()); err != nil {
			return d, false, err
		}
		d = s.Decision()
		excluded = s.ExcludesSlowdown(r.MinEffect, r.Beta)
		switch {
		case d.Answer == judge.Faster, d.Answer == judge.Slower, d.Units >= r.MaxUnits:
			return d, excluded, nil
		case excluded && d.Units >= soundUnits:
			return d, true, nil
		}
	}
}

// A fate is how a gate over benchmarks without a regression ended.
type fate struct{ alarms, open int }

// family runs one gate over m benchmarks that are drawn from the pool.
func (p pool) family(m int, r judge.Rules, rng *rand.Rand) (fate, error) {
	var f fate
	r.Alpha /= float64(m)
	for range m {
		i := rng.IntN(len(p.sequences))
		d, excluded, err := gateStage(r, drawBlocks(p.sequences[i], rng))
		if err != nil {
			return f, err
		}
		if verdict.NeedsLinks(verdictOf(d)) {
			from := p.links[i]
			if len(from) < soundUnits {
				from = p.all
			}
			if d, excluded, err = gateStage(r, func() float64 { return from[rng.IntN(len(from))] }); err != nil {
				return f, err
			}
		}
		switch {
		case d.Answer == judge.Slower && d.Hi >= r.MinEffect:
			f.alarms++
		case d.Answer == judge.Undecided && !excluded:
			f.open++
		}
	}
	return f, nil
}

func replayFlags(f *flag.FlagSet, s *settings) {
	commonFlags(f, s)
	f.Uint64Var(&s.seed, "seed", 1, "what the draws follow from")
	f.IntVar(&s.gates, "gates", 2000, "how many gates to draw")
	f.IntVar(&s.n, "benchmarks", 20, "benchmarks of a gate")
	f.IntVar(&s.units, "units", 120, "the most units of a stage")
	f.Float64Var(&s.least, "min-effect", 0.03, "the smallest slowdown that counts")
}

// runReplay draws gates from all duets of equals that have been measured.
func runReplay(ctx context.Context, s *settings) error {
	records, err := readRecords(s.results)
	if err != nil {
		return err
	}
	text, err := familyText(ctx, poolOf(records), s)
	if err != nil {
		return err
	}
	fmt.Fprintln(s.stdout, text)
	return nil
}

func familyText(ctx context.Context, p pool, s *settings) (string, error) {
	if len(p.sequences) == 0 || len(p.all) < soundUnits {
		return "", errors.New("there are too few duets of equals: run aa and gate first, until some comparisons came to the layout stage")
	}
	rng := rand.New(rand.NewPCG(s.seed, 5))
	r := judge.RegressRules()
	r.MaxUnits, r.MinEffect = s.units, s.least
	var alarms, open count
	for range s.gates {
		if ctx.Err() != nil {
			return "", ctx.Err()
		}
		f, err := p.family(s.n, r, rng)
		if err != nil {
			return "", err
		}
		alarms.add(f.alarms > 0)
		open.add(f.open > 0)
	}
	return fmt.Sprintf("%d gates of %d benchmarks drawn from %d comparisons of equals (%d units on fresh links): false alarms %s; with something undecided %s",
		s.gates, s.n, len(p.sequences), len(p.all), alarms, open), nil
}
