package runs

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/report/figure"
	"github.com/pawl-dev/pawl/internal/report/page"
	"github.com/pawl-dev/pawl/internal/report/page/code"
)

// A pageCost is a line that costs.
type pageCost struct {
	Place, Func, In  string
	CPU, Allocs, Bar string // Bar is the length of the bar, of 100
	Why              string
	Ideas            []pageIdea
	Leads            []string
	All              []string // each resource in each benchmark
	Skips, Flow      []string
	Sources          []code.View
}

// A pageIdea is a change that aims at a line; To is its number where it was tried.
type pageIdea struct {
	Title string
	To    int
}

// pageCosts are the lines that cost, the costliest first; of says what their shares
// are of.
func pageCosts(r *model.Run, extra Extra) (all []pageCost, of string) {
	cs := costs(r)
	if len(cs) == 0 {
		return nil, ""
	}
	one := benchmarks(prospects(r))
	switch {
	case len(one) == 1:
		of = "Shares of the CPU time of " + one[0].String() + " that can be saved at most, in this benchmark"
	default:
		of = "Shares of CPU time that can be saved at most, of the benchmark where the line costs most"
	}
	if r.Kept() > 0 {
		of += ", before any change"
	}
	for _, c := range cs {
		all = append(all, newCost(r, c, len(one) > 1, extra))
	}
	return all, of + "."
}

func newCost(r *model.Run, c cost, several bool, extra Extra) pageCost {
	p := pageCost{Place: c.place(), Func: symbol(c.fn), Why: c.why(), Skips: c.skips(), Bar: page.Decimal(100 * math.Min(1, max(c.cpu, c.waiting)))}
	p.CPU, p.Allocs = c.shares()
	p.CPU = cmp.Or(p.CPU, figure.Share(0))
	p.CPU, p.Allocs = page.Together(p.CPU), page.Together(p.Allocs)
	if several {
		p.In = c.in()
	}
	for _, title := range c.ideas() {
		at := slices.IndexFunc(r.Attempts, func(a model.Attempt) bool { return a.Change.Title == title })
		p.Ideas = append(p.Ideas, pageIdea{title, at + 1})
	}
	if len(p.Ideas) == 0 {
		for _, l := range c.leads {
			p.Leads = append(p.Leads, leadText(l, p.Why))
		}
	}
	flow := func(t model.Target) {
		for _, n := range t.Notes {
			for _, f := range n.Flow {
				if line := f.At.String() + "  " + strings.TrimSpace(f.Text); !slices.Contains(p.Flow, line) {
					p.Flow = append(p.Flow, line)
				}
			}
		}
	}
	for _, pr := range c.all {
		t := pr.Target
		own, cpu := ceiling(t)
		if cpu != "" {
			own += ", " + cpu
		}
		p.All = append(p.All, t.Benchmark.String()+": "+perOp(t)+" per op; at most "+own+" to be saved")
		flow(t)
		if e, ok := extra.Excerpts[t.ID]; ok && len(p.Sources) == 0 {
			p.Sources = []code.View{code.NewView(e)}
		}
	}
	return p
}
