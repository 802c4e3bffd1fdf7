package runs

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/report/figure"
	"github.com/pawl-dev/pawl/internal/sorted"
	"github.com/pawl-dev/pawl/internal/words"
)

// shownCosts is how many lines that cost are named where not all are asked for.
const shownCosts = 10

// A cost is a line of source with all that it costs, of whichever resource and in
// whichever benchmarks.
type cost struct {
	at      model.Pos
	after   int // of its target
	fn      string
	best    model.Prospect // the one with most to save
	all     []model.Prospect
	of      []model.Benchmark // those that it costs
	most    model.Benchmark   // the one of cpu, or of waiting, or else of allocs
	cpu     float64           // the largest part of a benchmark's CPU time that can be saved
	allocs  float64           // the same of its objects
	waiting float64           // the same of the time spent waiting for mutexes
	leads   []model.Lead
}

// costs merges the plan by line, and sorts it by what can be saved.
func costs(r *model.Run) []cost {
	var out []cost
	type place struct {
		model.Pos
		after int
	}
	at := map[place]int{}
	for _, p := range prospects(r) {
		t := p.Target
		key := place{model.Pos{File: t.At.File, Line: t.At.Line}, t.After}
		i, ok := at[key]
		if !ok {
			i = len(out)
			at[key] = i
			out = append(out, cost{at: key.Pos, after: t.After, fn: t.Func, best: p})
		}
		out[i].add(p)
	}
	sorted.By(out, func(a, b cost) int {
		return cmp.Or(cmp.Compare(max(b.cpu, b.waiting), max(a.cpu, a.waiting)), cmp.Compare(b.allocs, a.allocs))
	})
	return out
}

func (c *cost) add(p model.Prospect) {
	t := p.Target
	c.all = append(c.all, p)
	if t.CPUShare > c.best.Target.CPUShare {
		c.best = p
	}
	switch {
	case max(t.CPUShare, c.cpu, c.waiting) > max(c.cpu, c.waiting), t.Resource == model.Mutex && t.Share > max(c.cpu, c.waiting):
		c.most = t.Benchmark
	case c.cpu == 0 && c.waiting == 0 && t.Share > c.allocs:
		c.most = t.Benchmark
	}
	switch t.Resource {
	case model.Mutex:
		c.waiting = max(c.waiting, t.Share)
	case model.Allocs:
		c.allocs = max(c.allocs, t.Share)
	}
	c.cpu = max(c.cpu, t.CPUShare)
	if !slices.Contains(c.of, t.Benchmark) {
		c.of = append(c.of, t.Benchmark)
	}
	for _, l := range t.Leads {
		if !slices.ContainsFunc(c.leads, func(x model.Lead) bool { return x.Try == l.Try }) {
			c.leads = append(c.leads, l)
		}
	}
	order := []model.LeadKind{model.LeadCompiler, model.LeadRule, model.LeadPractice}
	sorted.By(c.leads, func(a, b model.Lead) int { return slices.Index(order, a.Kind) - slices.Index(order, b.Kind) })
	c.leads = c.leads[:min(len(c.leads), mostLeads)]
}

// mostLeads is how many leads a line has.
const mostLeads = 3

func (c cost) ideas() []string {
	var out []string
	for _, p := range c.all {
		if p.Title != "" && !slices.Contains(out, p.Title) {
			out = append(out, p.Title)
		}
	}
	return out
}

// skips are the reasons why something that was thought of is not tried there.
func (c cost) skips() []string {
	var out []string
	for _, p := range c.all {
		if p.Skip != "" && !slices.Contains(out, p.Skip) && !c.minor(p.Target) {
			out = append(out, p.Skip)
		}
	}
	return out
}

// minor reports whether a target is next to nothing of what its line costs: that little can
// be gained there would be read as said of the line.
func (c cost) minor(t model.Target) bool {
	return t.CPUShare < c.cpu/10 && t.Share < max(c.cpu, c.waiting, c.allocs)/10
}

// place is where it is: "snake.go:69", and "snake.go:70 with 1 change" where the file was another one then.
func (c cost) place() string {
	at := c.at.File + ":" + strconv.Itoa(c.at.Line)
	if c.after > 0 {
		at += " with " + words.Plural(c.after, "change")
	}
	return at
}

// in names the benchmarks that it costs, sub-benchmarks by what they are part of.
func (c cost) in() string {
	names := families(c.of)
	if len(names) == 1 {
		return names[0]
	}
	return names[0] + " and " + strconv.Itoa(len(names)-1) + " more"
}

// families are the names of benchmarks, each once for all of its sub-benchmarks.
func families(bs []model.Benchmark) []string {
	var out []string
	for _, b := range bs {
		name, _, _ := strings.Cut(b.String(), "/")
		if !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return out
}

func (c cost) why() string {
	t := c.best.Target.Reason.Text
	if _, rest, ok := strings.Cut(t, " of the CPU time"); ok && c.best.Target.Resource == model.CPU {
		t = strings.TrimPrefix(rest, ", ")
	}
	for _, p := range c.all { // of an allocation, the compiler's words say most
		if p.Target.Resource == model.Allocs && p.Target.Reason.Kind == model.ReasonEscape {
			return p.Target.Reason.Text
		}
	}
	return t
}

// shares are the parts of CPU time, or of waiting, and of objects that can be saved
// at most; "" for none.
func (c cost) shares() (cpu, allocs string) {
	switch {
	case c.waiting > c.cpu:
		cpu = figure.Share(c.waiting) + " waiting"
	case c.cpu > 0:
		cpu = figure.Share(c.cpu)
	}
	if c.allocs > 0 {
		allocs = figure.Share(c.allocs)
	}
	return cpu, allocs
}

// leadText is a lead in one sentence. What stands above it already is not said again.
func leadText(l model.Lead, above string) string {
	t := l.Try
	if l.Seen != "" && l.Kind != model.LeadPractice && !strings.Contains(above, l.Seen) {
		t = l.Seen + ": " + t
	}
	if l.Rule != "" && !strings.Contains(t, "pawl rules") {
		t += " (pawl rules " + l.Rule + ")"
	}
	return t
}

// leastLoose is the part of a benchmark's cost from which what no line explains is
// worth a word.
const leastLoose = 0.05

// tellingLoose reports whether what no line explains is a part of the benchmark's cost
// that matters, or one that nobody knows.
func tellingLoose(r *model.Run, u model.Unexplained) bool {
	for _, res := range r.Results {
		if res.Benchmark != u.Benchmark {
			continue
		}
		whole := res.Before.Allocs
		if u.Resource == model.CPU {
			whole = res.Before.CPUNs
		}
		return u.PerOp >= leastLoose*whole
	}
	return true
}

// loose is what no line explains, each kind once, with the benchmarks where it is
// and the figure of the first.
func loose(r *model.Run) []string {
	type kind struct {
		resource model.Resource
		kind     model.ReasonKind
		less     bool
	}
	var order []kind
	of := map[kind][]model.Unexplained{}
	for _, u := range r.Unexplained {
		if !tellingLoose(r, u) {
			continue
		}
		k := kind{u.Resource, u.Kind, u.PerOp < 0}
		if of[k] == nil {
			order = append(order, k)
		}
		of[k] = append(of[k], u)
	}
	var out []string
	for _, k := range order {
		all := of[k]
		sorted.By(all, func(a, b model.Unexplained) int { return cmp.Compare(b.PerOp, a.PerOp) })
		t := unexplained(all[0])
		if n := len(all) - 1; n > 0 {
			t += "; likewise in " + words.Plural(n, "other benchmark")
		}
		out = append(out, t)
	}
	return out
}
