package load

import (
	"fmt"
	"math"
	"strings"

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
	l.Standing, l.Why = c.stand(l.Metrics)
	return l
}

// stand sums the verdicts up in one word and says what it rests on.
func (c *comparison) stand(metrics []model.LoadMetric) (model.Standing, string) {
	if e := c.errors(); e.rose() {
		return model.Open, e.String()
	}
	var slower []string
	for _, m := range metrics {
		if m.Verdict.Answer == model.Slower {
			slower = append(slower, describe(m))
		}
	}
	cpu := metrics[0]
	memory := c.memory()
	switch {
	case len(slower) > 0:
		return model.Regressed, strings.Join(slower, "; ")
	case cpu.Verdict.Answer == model.Faster && memory.Tripped:
		return model.Open, fmt.Sprintf("%s, but %s: cost has moved to memory", describe(cpu), describeGuard(memory))
	case memory.Tripped:
		return model.Open, fmt.Sprintf("%s; %s", describeGuard(memory), describe(cpu))
	case cpu.Verdict.Answer == model.Faster:
		return model.Improved, describe(cpu)
	case cpu.Verdict.Answer == model.NoEffect:
		return model.Clean, describe(cpu)
	case c.claims[0].noSlower():
		return model.Clean, fmt.Sprintf("cpu/request: a slowdown of %s or more is excluded", percent(c.MinEffect))
	}
	return model.Open, fmt.Sprintf("cpu/request is undecided after %d units: %s%s", len(c.runs), signed(cpu.Verdict.Change), interval(cpu.Verdict))
}

// describe says what the verdict of a metric is.
func describe(m model.LoadMetric) string {
	switch v := m.Verdict; v.Answer {
	case model.Slower, model.Faster:
		return fmt.Sprintf("%s %s by %s%s", m.Name, v.Answer, percent(math.Abs(v.Change)), interval(v))
	default:
		return fmt.Sprintf("%s: %s%s", m.Name, v.Answer, interval(v))
	}
}

// interval returns the interval of a verdict, or nothing while it is open.
func interval(v model.Verdict) string {
	if v.Lo <= -1 || v.Hi >= 1e6 {
		return ""
	}
	return fmt.Sprintf(" [%s, %s]", signed(v.Lo), signed(v.Hi))
}

func percent(x float64) string { return fmt.Sprintf("%.1f %%", 100*x) }
func signed(x float64) string {
	return strings.Replace(fmt.Sprintf("%+.1f %%", 100*x), "-", "−", 1)
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
	g := model.Guard{Name: "peak RSS", Unit: "B", Detail: fmt.Sprintf("a tenth more, and %d MiB, is let pass; medians of %d units", memoryBytes>>20, len(c.runs))}
	var before, after []float64
	more := 0
	for _, pair := range c.runs {
		b, a := pair.Base.PeakRSS, pair.Candidate.PeakRSS
		before, after = append(before, b), append(after, a)
		if a > b*(1+memoryShare) && a > b+memoryBytes {
			more++
		}
	}
	g.Before, g.After = median(before), median(after)
	if len(c.runs) < memoryUnits {
		g.Skipped = fmt.Sprintf("only %d units; it takes %d", len(c.runs), memoryUnits)
		return g
	}
	g.Tripped = 10*more >= 9*len(c.runs)
	return g
}

func describeGuard(g model.Guard) string {
	return fmt.Sprintf("the peak resident set rose from %.1f to %.1f MiB", g.Before/(1<<20), g.After/(1<<20))
}
