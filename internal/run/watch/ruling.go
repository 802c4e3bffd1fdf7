package watch

import (
	"fmt"
	"math"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/words"
	"github.com/pawl-dev/pawl/judge"
)

// A ruling reads the windows of a canary one by one, and may be asked after each: its
// errors are those of package judge, however often one looks.
type ruling struct {
	seq       *judge.Sequence
	alpha     float64
	tolerated float64 // what two processes of one version may lie apart, for reasons that no window shows
	minEffect float64 // a slowdown that must not pass
	least     int     // windows before there can be a verdict; twice as many before a pass
	ratios    []float64
}

func newRuling(alpha, tolerated, minEffect float64, units int) *ruling {
	rules := judge.Rules{Kind: judge.Regress, Alpha: alpha, Beta: alpha, MinEffect: minEffect, MaxUnits: max(1, units)}
	return &ruling{seq: judge.NewSequence(rules), alpha: alpha, tolerated: tolerated, minEffect: minEffect, least: rules.MinUnits()}
}

// add takes what a unit of work cost on both sides in a window.
func (r *ruling) add(baseline, canary float64) error {
	if err := r.seq.Add(math.Log(canary / baseline)); err != nil {
		return err
	}
	r.ratios = append(r.ratios, canary/baseline)
	return nil
}

// verdict is what the windows so far show. Either side of it is refuted at half of alpha,
// as the interval that is shown with it has it. What processes of one version may lie apart is taken off both sides: it can
// make an equal version seem slower, and hide a part of a slowdown. A pass takes twice the windows: a neighbour on the machine
// that slows one side for some seconds makes a worse version pass, and nobody looks at it again.
func (r *ruling) verdict() model.CanaryVerdict {
	switch {
	case len(r.ratios) < r.least:
		return model.CanaryUndecided
	case r.seq.EvidenceAbove(r.tolerated) >= 2/r.alpha:
		return model.CanaryFail
	case len(r.ratios) >= 2*r.least && r.seq.ExcludesSlowdown(r.passes(), r.alpha/2):
		return model.CanaryPass
	}
	return model.CanaryUndecided
}

// passes is the slowdown that has to be excluded.
func (r *ruling) passes() float64 { return r.minEffect - r.tolerated }

// why puts a verdict into words.
func (r *ruling) why(v model.CanaryVerdict) string {
	switch v {
	case model.CanaryFail:
		return fmt.Sprintf("it costs more than %s more", words.Percent(r.tolerated))
	case model.CanaryPass:
		return fmt.Sprintf("that it costs %s more, or beyond, is excluded", words.Percent(r.passes()))
	}
	if n := len(r.ratios); n < 2*r.least {
		return fmt.Sprintf("%s, and it takes %d at least, or %d for a pass", words.Plural(n, "window"), r.least, 2*r.least)
	}
	return fmt.Sprintf("a slowdown by %s is neither shown nor excluded", words.Percent(r.minEffect))
}

// follows reports whether windows resemble the ones before them, by the correlation of
// each with the next: the judge takes the sign of what is left of each for a fair coin.
func (r *ruling) follows() bool {
	n := len(r.ratios)
	if n < 2*r.least {
		return false
	}
	mean := 0.0
	for _, x := range r.ratios {
		mean += math.Log(x) / float64(n)
	}
	var same, next float64
	for i, x := range r.ratios {
		d := math.Log(x) - mean
		same += d * d
		if i > 0 {
			next += d * (math.Log(r.ratios[i-1]) - mean)
		}
	}
	return same > 0 && next/same*math.Sqrt(float64(n)) > 3
}
