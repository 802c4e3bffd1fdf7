package profile

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
)

// tinyBlock is the size of the block that the runtime puts several objects
// without pointers in, when each is smaller (runtime.maxTinySize). A profile
// shows one object for each block.
const tinyBlock = 16

// agree is how far a sum of sites may be from allocs/op.
const agree = 0.05

// AddTiny completes a profile of allocations by the tiny objects that share a
// block with others and that it does not show. The race detector's allocator
// does not combine them, so a profile of a -race build (raceCosts, of the same
// benchmark) has each. Of that profile only the counts of sites of less than
// 16 bytes are taken: its other figures are not those of the program.
//
// Under -race sync.Pool drops a part of what is put into it, so sites below a
// Pool can be too high there. The result is used only where it adds up to
// allocsPerOp, the count that was measured. Otherwise costs is returned as it
// was, with what is missing as an unexplained entry; its text names the sites
// that are likely.
func AddTiny(costs, raceCosts []model.Cost, allocsPerOp float64) ([]model.Cost, []model.Unexplained) {
	gap := allocsPerOp - sum(costs)
	if math.Abs(gap) <= agree || len(costs)+len(raceCosts) == 0 {
		return costs, nil
	}
	candidates := missing(costs, raceCosts)
	if gap > 0 {
		for _, keep := range []func(tinySite) bool{
			func(tinySite) bool { return true },
			func(t tinySite) bool { return !belowPool(t.cost.Stack) },
		} {
			if out := complete(costs, candidates, keep); math.Abs(allocsPerOp-sum(out)) <= agree {
				return out, nil
			}
		}
	}
	bm := slices.Concat(costs, raceCosts)[0].Benchmark
	return costs, []model.Unexplained{{
		Benchmark: bm, Resource: model.Allocs, PerOp: gap, Kind: reasonOfGap(gap), Text: gapText(gap, candidates),
	}}
}

// A tinySite is a site that the normal profile shows too little of.
type tinySite struct {
	cost  model.Cost // of the race profile
	index int        // in costs; -1 when it is not there at all
	more  float64    // objects per op that are missing
}

func missing(costs, raceCosts []model.Cost) []tinySite {
	index := make(map[string]int, len(costs))
	for i, c := range costs {
		index[siteKey(c.Stack)] = i
	}
	var out []tinySite
	for _, c := range raceCosts {
		if c.Resource != model.Allocs || c.PerOp <= 0 || c.Bytes > tinyBlock*c.PerOp {
			continue
		}
		i, known := index[siteKey(c.Stack)]
		t := tinySite{cost: c, index: -1, more: c.PerOp}
		if known {
			t.index, t.more = i, c.PerOp-costs[i].PerOp
		}
		if t.more > 0 {
			out = append(out, t)
		}
	}
	return out
}

func complete(costs []model.Cost, sites []tinySite, keep func(tinySite) bool) []model.Cost {
	out := slices.Clone(costs)
	for _, t := range sites {
		switch {
		case !keep(t):
		case t.index >= 0:
			out[t.index].PerOp += t.more
		default:
			c := t.cost
			c.Bytes = 0 // the blocks' bytes are on the sites that the profile shows
			out = append(out, c)
		}
	}
	if total := sum(out); total > 0 {
		for i := range out {
			out[i].Share = out[i].PerOp / total
		}
	}
	sortCosts(out)
	return out
}

func sum(costs []model.Cost) float64 {
	total := 0.0
	for _, c := range costs {
		total += c.PerOp
	}
	return total
}

// siteKey leaves out what differs between a build with the race detector and
// one without: whether a call was inlined.
func siteKey(stack []model.Frame) string {
	plain := slices.Clone(stack)
	for i := range plain {
		plain[i].Inline = false
	}
	return stackKey(plain)
}

func belowPool(stack []model.Frame) bool {
	return slices.ContainsFunc(stack, func(f model.Frame) bool { return f.Func == "sync.(*Pool).Get" })
}

func reasonOfGap(gap float64) model.ReasonKind {
	if gap > 0 {
		return model.ReasonTiny
	}
	return model.ReasonUnknown
}

func gapText(gap float64, sites []tinySite) string {
	if gap < 0 {
		return fmt.Sprintf("the profile shows %.2f objects per op more than were measured: set-up in the benchmark function", -gap)
	}
	text := fmt.Sprintf("Go packs objects under %d B into blocks, and a profile shows only the first of each", tinyBlock)
	var at []string
	for _, t := range sites {
		if pos := t.cost.Stack[max(0, t.cost.Home)].Pos().String(); !slices.Contains(at, pos) {
			at = append(at, pos)
		}
	}
	if len(at) > 0 {
		text += "; likely at " + strings.Join(at[:min(3, len(at))], ", ")
	}
	return text
}
