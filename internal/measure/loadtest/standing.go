package loadtest

import (
	"fmt"
	"math"

	"github.com/pawl-dev/pawl/internal/measure/verdict"
	"github.com/pawl-dev/pawl/internal/model"
)

// result returns what was found so far; nil where there is nothing.
func (c *comparison) result() *model.Load {
	if len(c.runs) == 0 {
		return nil
	}
	l := &model.Load{Command: c.load.text, Units: len(c.runs), Metrics: c.metrics(), Runs: c.runs, Noise: c.noise, Mode: model.Duet}
	if c.Alternate {
		l.Mode = model.Alternate
	}
	if g := c.memory(); g.Before > 0 {
		l.Guards = append(l.Guards, g)
	}
	for _, pair := range c.runs {
		l.Requests[0] += pair.Base.Requests
		l.Requests[1] += pair.Candidate.Requests
	}
	l.Standing, l.Why = c.stand()
	return l
}

// stand sums the answers up in one word and says what it rests on. Where one
// side fails more often, they say nothing.
func (c *comparison) stand() (model.Standing, string) {
	if e := c.errors(); e.rose() {
		return model.Open, e.String()
	}
	var e verdict.Evidence
	if !c.Priced {
		e.Guards = []model.Guard{c.memory()}
	}
	for _, m := range c.claims {
		e.Times = append(e.Times, m.answer())
	}
	r := c.claims[0].rules.Read(e)
	return r.Standing, r.Why
}

// A failing is how many requests failed on each side.
type failing struct {
	requests, errors [2]float64
}

// minErrorUnits is after how many units a rise in errors may end a comparison.
const minErrorUnits = 3

func (c *comparison) errors() failing {
	var f failing
	for _, pair := range c.runs {
		for i, r := range []model.LoadRun{pair.Base, pair.Candidate} {
			f.requests[i] += r.Requests
			f.errors[i] += r.Errors
		}
	}
	return f
}

func (f failing) share(i int) float64 {
	if f.requests[i] == 0 {
		return 0
	}
	return f.errors[i] / f.requests[i]
}

// rose reports whether one side fails clearly more often: by one request in a
// thousand at least, and by five standard deviations of a count of errors that
// come alone. Errors come in bursts, which makes it easier to reach; what it
// leads to is only that nothing is claimed.
func (f failing) rose() bool {
	p, q := f.share(0), f.share(1)
	pooled := (f.errors[0] + f.errors[1]) / max(1, f.requests[0]+f.requests[1])
	sd := math.Sqrt(pooled * (1/max(1, f.requests[0]) + 1/max(1, f.requests[1])))
	return math.Abs(p-q) >= 0.001 && math.Abs(p-q) > 5*sd
}

func (f failing) String() string {
	more, less := 1, 0
	if f.share(0) > f.share(1) {
		more, less = 0, 1
	}
	side := [2]model.Arm{model.Base, model.Candidate}
	return fmt.Sprintf("errors on the %s: %.0f of %.0f requests failed there, %.0f of %.0f on the %s; what a failed request costs says nothing of the others",
		side[more], f.errors[more], f.requests[more], f.errors[less], f.requests[less], side[less])
}

// What the guard on memory lets pass, and on how many units it has to rest: if
// neither side is apt to need more, all of five say that it is the candidate in
// one comparison of 32, and by a tenth hardly ever.
const (
	memoryShare = 0.10
	memoryBytes = 4 << 20
	memoryUnits = 5
)

// memory compares the peak resident sets of the programs. It trips where nine
// units in ten find the candidate's clearly larger.
func (c *comparison) memory() model.Guard {
	g := model.Guard{Name: verdict.PeakRSS, Unit: "B", Detail: fmt.Sprintf("a tenth more, and %d MiB, is let pass; medians of %d units", memoryBytes>>20, len(c.runs))}
	var before, after []float64
	more := 0
	for _, pair := range c.runs {
		b, a := pair.Base.PeakRSS, pair.Candidate.PeakRSS
		before, after = append(before, b), append(after, a)
		if a > b*(1+memoryShare) && a > b+memoryBytes {
			more++
		}
	}
	g.Before, g.After = verdict.Median(before), verdict.Median(after)
	if len(c.runs) < memoryUnits {
		g.Skipped = fmt.Sprintf("only %d units; it takes %d", len(c.runs), memoryUnits)
		return g
	}
	g.Tripped = 10*more >= 9*len(c.runs)
	return g
}
