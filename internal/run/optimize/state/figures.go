package state

import (
	"fmt"
	"slices"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/read/profile"
)

// Stats returns the figures of a benchmark.
func (v *figures) Stats(bm model.Benchmark) model.Stats { return v.stats[bm] }

// Measured sets the figures of a benchmark.
func (v *figures) Measured(bm model.Benchmark, st model.Stats) { v.stats[bm] = st }

// Follow takes over from the state before what the attempts that lie between
// the two left as it was: its figures, with what was measured of the attempts
// put in, and the costs of benchmarks that do not run the changed files.
func (v *figures) Follow(before *State, files map[string][]byte, attempts ...model.Attempt) {
	v.stats = before.stats
	for _, a := range attempts {
		v.stats = restate(v.stats, a)
	}
	changed := func(p model.Pos) bool { _, ok := files[p.File]; return ok }
	for bm, c := range before.costs {
		if !before.Runs(bm, changed) {
			v.costs[bm] = c
		}
	}
}

// restate carries the figures of the version before over to the one with the
// change, with what was measured of it put in.
func restate(before map[model.Benchmark]model.Stats, a model.Attempt) map[model.Benchmark]model.Stats {
	stats := make(map[model.Benchmark]model.Stats)
	for bm, st := range before {
		for _, v := range a.Verdicts {
			if v.Benchmark == bm {
				st.CPUNs *= 1 + v.Change
			}
		}
		for _, c := range a.Counts {
			if c.Benchmark != bm {
				continue
			}
			switch c.Metric {
			case "allocs/op":
				st.Allocs = c.After
			case "B/op":
				st.Bytes = c.After
			}
		}
		stats[bm] = st
	}
	return stats
}

// Runs reports whether a benchmark's profiles show a place for which at holds.
func (v *figures) Runs(bm model.Benchmark, at func(model.Pos) bool) bool {
	c := v.costs[bm]
	for _, cost := range slices.Concat(c.allocs, c.cpu) {
		for _, f := range cost.Stack {
			if at(f.Pos()) {
				return true
			}
		}
	}
	return false
}

// Hot reports whether a place is on a line of the module that the profiles
// show.
func (v *figures) Hot(p model.Pos) bool {
	if v.hot == nil {
		v.hot = v.lines()
	}
	return v.hot[model.Pos{File: p.File, Line: p.Line}]
}

// lines returns the lines of the module that the profiles show.
func (v *figures) lines() map[model.Pos]bool {
	lines := make(map[model.Pos]bool)
	for _, c := range v.costs {
		for _, cost := range slices.Concat(c.allocs, c.cpu) {
			for _, f := range cost.Stack {
				if f.Module {
					lines[f.Pos()] = true
				}
			}
		}
	}
	return lines
}

// Heat returns what each line costs in the benchmarks: the largest share in
// any of them.
func (v *figures) Heat() ([]model.LineCost, error) {
	type line struct {
		pkg, file, resource string
		n                   int
	}
	most := map[line]model.LineCost{}
	for bm, c := range v.costs {
		for _, p := range []*profile.Profile{c.cpuProfile, c.memProfile} {
			if p == nil {
				continue
			}
			costs, err := p.Lines()
			if err != nil {
				return nil, fmt.Errorf("the profile of %s: %w", bm.Name, err)
			}
			for _, c := range costs {
				k := line{c.Pkg, c.File, c.Resource, c.Line}
				if c.Share > most[k].Share {
					most[k] = c
				}
			}
		}
	}
	out := make([]model.LineCost, 0, len(most))
	for _, c := range most {
		out = append(out, c)
	}
	return out, nil
}

// LineCosts returns what each line of the module costs the target's benchmark
// of its resource. Where the profile is not there any more, as in a run that
// was resumed, the target speaks for its own line.
func (v *figures) LineCosts(t model.Target) map[model.Pos]model.Cost {
	out := make(map[model.Pos]model.Cost)
	c := v.costs[t.Benchmark]
	stacks := map[model.Resource][]model.Cost{model.CPU: c.cpu, model.Allocs: c.allocs, model.Mutex: c.locks}[t.Resource]
	for _, cost := range stacks {
		f, ok := cost.HomeFrame()
		if !ok {
			continue
		}
		sum := out[f.Pos()]
		sum.Share += cost.Share
		sum.PerOp += cost.PerOp
		out[f.Pos()] = sum
	}
	at := model.Pos{File: t.At.File, Line: t.At.Line}
	if _, ok := out[at]; !ok {
		out[at] = model.Cost{Share: t.Share, PerOp: t.PerOp}
	}
	return out
}
