package watch

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/pawl-dev/pawl/internal/explain/diagnose"
	"github.com/pawl-dev/pawl/internal/model"
)

// OverheadOptions say what watching is measured on.
type OverheadOptions struct {
	Target   Target
	Per      string        // a counter of work on its page of metrics
	Seconds  int           // of CPU time in a capture
	Interval time.Duration // from one capture to the next, that the result is for
	For      time.Duration
	Seed     uint64
	Tool     string
	Say      func(string)
}

// fewestPairs is how many pairs of stretches it takes for an interval.
const fewestPairs = 5

// unknownEnd is the upper end of an interval that has none, in JSON.
const unknownEnd = 1e6

// Overhead measures what watching costs a program, with a control: it looks at what a unit
// of work costs in stretches with a capture and without one, in pairs whose order is drawn.
// What a capture costs after its end, in the stretch that follows, counts as control.
// The error is one of usage, or says why nothing can be measured.
func Overhead(ctx context.Context, o OverheadOptions) (*model.Overhead, error) {
	s, done, err := o.Target.program(ctx, "what watching costs")
	if err != nil {
		return nil, err
	}
	defer done()
	one := &side{service: s, name: s.name()}
	c := &canary{o: CanaryOptions{Per: o.Per}, sides: [2]*side{one, one}}
	if err := c.begin(ctx); err != nil {
		return nil, err
	}
	if !c.pages {
		return nil, fmt.Errorf("%s: its page of metrics has no %s, by which CPU time is known without a profile", s, processCPU)
	}
	out := &model.Overhead{Schema: model.SchemaVersion, Tool: o.Tool, Service: o.Target.Name, Per: o.Per,
		Seconds: o.Seconds, Interval: o.Interval.Seconds(), Started: time.Now().UTC()}
	coin := rand.New(rand.NewPCG(o.Seed, 1))
	var logs []float64
	for length := time.Duration(2*o.Seconds) * time.Second; time.Since(out.Started)+length <= o.For; {
		ratio, err := c.pair(ctx, o.Seconds, coin.IntN(2) == 1)
		switch {
		case ctx.Err() != nil && len(logs) == 0:
			return nil, ctx.Err()
		case ctx.Err() != nil:
			return measured(out, logs), nil
		case err != nil:
			if out.Left++; out.Left >= mostLost && len(logs) == 0 {
				return nil, err
			}
			o.Say("a pair is left out: " + reason(err))
			continue
		}
		logs = append(logs, math.Log(ratio))
	}
	if len(logs) == 0 {
		return nil, errors.New("there was no time for a pair of stretches: give -for more than twice -seconds")
	}
	return measured(out, logs), nil
}

// pair returns what a unit of work costs with a capture over what it costs without.
func (c *canary) pair(ctx context.Context, seconds int, reversed bool) (float64, error) {
	order := []bool{true, false}
	if reversed {
		slices.Reverse(order)
	}
	cost := map[bool]float64{}
	for _, watched := range order {
		before, err := c.read(ctx, c.sides[0])
		if err != nil {
			return 0, err
		}
		if err := c.stretch(ctx, seconds, watched); err != nil {
			return 0, err
		}
		after, err := c.read(ctx, c.sides[0])
		if err != nil {
			return 0, err
		}
		if cost[watched], _, err = c.cost(before, after, nil); err != nil {
			return 0, err
		}
	}
	return cost[true] / cost[false], nil
}

// stretch is a time with all of a capture, or without.
func (c *canary) stretch(ctx context.Context, seconds int, watched bool) error {
	if watched {
		t, err := c.sides[0].collect(ctx, seconds)
		if why := t.Missing[cpuKind]; err == nil && why != "" {
			err = errors.New(why)
		}
		return err
	}
	select {
	case <-time.After(time.Duration(seconds) * time.Second):
	case <-ctx.Done():
	}
	return ctx.Err()
}

// measured is the mean of the pairs, and its interval by Student's distribution.
func measured(out *model.Overhead, logs []float64) *model.Overhead {
	out.Took = time.Since(out.Started).Seconds()
	n := float64(len(logs))
	mean, square := 0.0, 0.0
	for _, x := range logs {
		mean += x / n
		out.Ratios = append(out.Ratios, math.Exp(x))
	}
	for _, x := range logs {
		square += (x - mean) * (x - mean)
	}
	out.Pairs, out.During = len(logs), math.Expm1(mean)
	share := float64(out.Seconds) / out.Interval
	out.All = out.During * share
	out.DuringLo, out.DuringHi, out.AllLo, out.AllHi = -1, unknownEnd, -1, unknownEnd
	if len(logs) >= fewestPairs {
		half := diagnose.StudentQuantile(0.05, n-1) * math.Sqrt(square/(n-1)/n)
		out.DuringLo, out.DuringHi = math.Expm1(mean-half), math.Expm1(mean+half)
		out.AllLo, out.AllHi = out.DuringLo*share, out.DuringHi*share
	}
	return out
}
