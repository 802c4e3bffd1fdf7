package results

import (
	"fmt"
	"maps"
	"slices"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/words"
)

// A pairing is what two series have in common of one run of pawl.
type pairing struct {
	pairs    [][2]model.Sample // base first, in the order of the base's file
	rounds   []int             // of each pair: links are numbered anew in each
	swapped  bool              // the base's file holds the candidate of the run
	half     bool              // one series only is pawl's
	warnings []model.Warning
}

// pairUp pairs the samples of one benchmark. Pairs are those of one run, round,
// link and duet, one of each arm and at the same number of iterations; what has
// no partner, because a run was killed between two files, is left out.
func pairUp(m matched, sides [2]*side) pairing {
	var p pairing
	var all [2][]model.Sample
	var of [2]bool
	total := 0
	for i, s := range sides {
		total += len(s.samples[m.of(i).results[0].printed])
		for _, x := range s.samples[m.of(i).results[0].printed] {
			if x.Arm != "" && x.Unit >= 0 {
				all[i] = append(all[i], x)
			}
		}
		of[i] = len(all[i]) > 0
	}
	if !of[0] || !of[1] {
		p.half = of[0] != of[1]
		return p
	}
	if why := strangers(m, all); why != "" {
		p.warnings = append(p.warnings, model.Warning{
			Seen:  "pawl wrote both files, but they are not the two arms of one run: " + why,
			Cause: "files of different runs, or the same arm twice",
			Try:   "give NAME.base.txt and NAME.candidate.txt of one run's samples directory",
		})
		return p
	}
	p.swapped = all[0][0].Arm == model.Candidate
	p.join(all)
	if left := total - 2*len(p.pairs); left > 0 {
		p.warnings = append(p.warnings, model.Warning{
			Seen:  fmt.Sprintf("%s without a usable partner in the other file left out", words.Inflect(left, "sample is", "samples are")),
			Cause: "pawl was killed between the writing of two samples, or a file is not complete",
		})
	}
	return p
}

// strangers says why two series are not the arms of one run.
func strangers(m matched, all [2][]model.Sample) string {
	var arms [2]model.Arm
	for i, samples := range all {
		arms[i] = samples[0].Arm
		if slices.ContainsFunc(samples, func(x model.Sample) bool { return x.Arm != arms[i] }) {
			return "a file holds both arms"
		}
	}
	if arms[0] == arms[1] {
		return "both hold the " + string(arms[0])
	}
	if arms[0] != model.Base && arms[0] != model.Candidate || arms[1] != model.Base && arms[1] != model.Candidate {
		return fmt.Sprintf("arms %s and %s are not known", quote(string(arms[0])), quote(string(arms[1])))
	}
	runs := make(map[string]bool)
	for i := range all {
		for _, r := range m.of(i).results {
			runs[r.config["pawl-run"]] = true
		}
	}
	if len(runs) != 1 || runs[""] {
		return "they name the runs " + listed(slices.Sorted(maps.Keys(runs)), 3)
	}
	if m.key().variant != "" {
		return "the benchmark is there under several configurations"
	}
	return ""
}

// A place is where a sample belongs in its run. A trial that was run again,
// after a kill, starts its duets from the first: that is another round.
type place struct{ round, link, unit int }

// places finds the place of each sample.
func places(samples []model.Sample) []place {
	out := make([]place, len(samples))
	seen := make(map[place]bool)
	round := 0
	for i, s := range samples {
		p := place{round, s.Link, s.Unit}
		if seen[p] {
			round++
			p.round = round
		}
		seen[p] = true
		out[i] = p
	}
	return out
}

func (p *pairing) join(all [2][]model.Sample) {
	partner := make(map[place]model.Sample)
	cand := places(all[1])
	for i, at := range cand {
		partner[at] = all[1][i]
	}
	base := places(all[0])
	if rounds(base) != rounds(cand) {
		return // which round goes with which cannot be known
	}
	for i, at := range base {
		b, c := all[0][i], partner[at]
		if b.N == c.N && b.Clock == c.Clock && timeOf(b) > 0 && timeOf(c) > 0 {
			p.pairs = append(p.pairs, [2]model.Sample{b, c})
			p.rounds = append(p.rounds, at.round)
		}
	}
}

func rounds(ps []place) int {
	if len(ps) == 0 {
		return 0
	}
	return ps[len(ps)-1].round
}

// timeOf is the time that a sample is compared by, in nanoseconds; 0 where it
// has none.
func timeOf(s model.Sample) float64 {
	t := s.CPUNs
	if s.Clock == model.ClockWall {
		t = s.WallNs
	}
	if !(0 < t && t < 1e9*absurd) {
		return 0
	}
	return t
}

// ordered reports whether fresh links have their functions in one order on both sides.
func (p pairing) ordered() bool {
	return slices.ContainsFunc(p.pairs, func(pair [2]model.Sample) bool { return pair[0].Ordered })
}

// units returns the log ratios of the units of one stage: duets on the build's
// own links, or the means over the duets of each pair of fresh links. Pairs without
// a ratio are left out.
func (p pairing) units(linked bool, logRatio func([2]model.Sample) (float64, error)) []float64 {
	var out []float64
	var sum float64
	n := 0
	at := [2]int{-1, -1}
	flush := func() {
		if n > 0 {
			out = append(out, sum/float64(n))
		}
		sum, n = 0, 0
	}
	for i, pair := range p.pairs {
		if (pair[0].Link > 0) != linked {
			continue
		}
		if now := [2]int{p.rounds[i], pair[0].Link}; !linked || now != at {
			flush()
			at = now
		}
		if d, err := logRatio(pair); err == nil {
			sum, n = sum+d, n+1
		}
	}
	flush()
	return out
}
