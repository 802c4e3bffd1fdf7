package rank

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/sorted"
	"github.com/pawl-dev/pawl/internal/words"
)

const (
	callShare = 0.1 // of CPU time below the calls of a line, from which it is looked at
	// dominant is the part of the time below a line that one line may have
	// before that line is the place to look at.
	dominant = 0.4
	// equally is how much of the greatest share makes another candidate as
	// good: then the one nearer to where the time goes is named.
	equally = 0.8
)

// A caller is a line of the module with what is spent below its calls of the
// module's own functions.
type caller struct {
	total  model.Cost // with the stack of the greatest; Home is the caller's frame
	most   float64
	depth  float64               // frames of the module between, times the share
	lines  map[model.Pos]float64 // where the time is at home
	callee string
}

// callTarget returns the line in a loop whose calls of the module's own
// functions cost most, where that cost is spread over so many lines that none
// of them shows it. One for each benchmark: its share has those of the lines
// below in it.
func (in Input) callTarget(bm model.Benchmark, r *reader) (model.Target, bool) {
	var best *caller
	all := callers(in.CPU[bm])
	var found []*caller
	for _, at := range sorted.Of(maps.Keys(all), func(a, b model.Pos) int { return cmp.Compare(a.String(), b.String()) }) {
		c := all[at]
		if c.total.Share < callShare || slices.Max(slices.Collect(maps.Values(c.lines))) > dominant*c.total.Share {
			continue
		}
		if _, ok := r.loopAround(c.total.Stack, c.total.Home, 0); ok {
			found = append(found, c)
		}
	}
	most := 0.0
	for _, c := range found {
		most = max(most, c.total.Share)
	}
	for _, c := range found {
		if c.total.Share >= equally*most && (best == nil || c.depth/c.total.Share < best.depth/best.total.Share) {
			best = c
		}
	}
	if best == nil {
		return model.Target{}, false
	}
	t := target(best.total)
	t.CPUShare, t.Ceiling = min(1, t.Share), min(1, t.Share)
	around, _ := r.loopAround(best.total.Stack, best.total.Home, 0)
	t.Reason = model.Reason{Kind: model.ReasonLoop, Text: fmt.Sprintf("%.1f %% of the CPU time, in calls of %s from the loop at %s, spread over %d lines",
		100*t.Share, words.Symbol(best.callee), shortPos(around.at), len(best.lines))}
	return t, true
}

// callers adds up what is spent below the calls of lines of the module,
// recursion once.
func callers(costs []model.Cost) map[model.Pos]*caller {
	out := make(map[model.Pos]*caller)
	for _, c := range costs {
		home, ok := c.HomeFrame()
		if !ok || !home.Module {
			continue
		}
		seen := map[model.Pos]bool{home.Pos(): true}
		depth := 0
		for i := c.Home + 1; i < len(c.Stack); i++ {
			f := c.Stack[i]
			if !f.Module || seen[f.Pos()] {
				continue
			}
			depth++
			seen[f.Pos()] = true
			l := out[f.Pos()]
			if l == nil {
				l = &caller{total: c, lines: make(map[model.Pos]float64)}
				l.total.PerOp, l.total.Share = 0, 0
				out[f.Pos()] = l
			}
			if c.PerOp > l.most {
				l.total.Stack, l.total.Home, l.most, l.callee = c.Stack, i, c.PerOp, c.Stack[i-1].Func
			}
			l.total.PerOp += c.PerOp
			l.total.Share += c.Share
			l.depth += float64(depth) * c.Share
			l.lines[home.Pos()] += c.Share
		}
	}
	return out
}
