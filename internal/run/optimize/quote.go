package optimize

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/report/page/code"
	"github.com/pawl-dev/pawl/internal/run/optimize/state"
)

// The page shows source around the lines that cost, with what the profiles and
// the compiler say of each line.
const (
	excerptLines = 3  // above and below
	longExcerpt  = 30 // lines
	mostExcerpts = 3  // of a change
)

// quote remembers the source around what the changes aim at, as it is now: when
// the page is written, other changes will have been made to it.
func (p *page) quote(v *state.State, changes []model.Change) {
	for _, c := range changes {
		p.quotes[c.ID] = p.excerptsOf(v, c.Targets)
	}
}

// excerpts returns the source around each target of the plan, as it was before
// any change.
func (p *page) excerpts(base *state.State) map[string]code.Excerpt {
	out := make(map[string]code.Excerpt)
	for _, t := range p.run.Targets {
		src, ok, err := p.m.Snap.Base(t.At.File)
		if err != nil || !ok || !base.Pictured(t.Benchmark) {
			continue // a target outside the tree has no source here, and one that was found later has another
		}
		if e, ok := p.excerpt(base, base.LineCosts(t), t, []int{t.At.Line}, string(src)); ok {
			out[t.ID] = e
		}
	}
	return out
}

// excerptsOf returns the source around targets: one excerpt for those that
// stand close together. The costs are those of the first target's resource.
func (p *page) excerptsOf(v *state.State, targets []model.Target) []code.Excerpt {
	var out []code.Excerpt
	lines := make(map[string][]int)
	first := make(map[string]model.Target)
	for _, t := range targets {
		if _, ok := first[t.At.File]; !ok {
			first[t.At.File] = t
		}
		lines[t.At.File] = append(lines[t.At.File], t.At.Line)
	}
	for _, file := range slices.Sorted(maps.Keys(lines)) {
		src, err := p.m.Source(file)
		if err != nil {
			continue
		}
		for _, marks := range near(lines[file]) {
			if e, ok := p.excerpt(v, v.LineCosts(first[file]), first[file], marks, string(src)); ok && len(out) < mostExcerpts {
				out = append(out, e)
			}
		}
	}
	return out
}

// near groups the numbers of lines whose surroundings meet.
func near(lines []int) [][]int {
	lines = slices.Compact(slices.Sorted(slices.Values(lines)))
	var out [][]int
	for _, n := range lines {
		if k := len(out) - 1; k >= 0 {
			g := out[k]
			if n-g[len(g)-1] <= 2*excerptLines+1 && n-g[0] < longExcerpt {
				out[k] = append(g, n)
				continue
			}
		}
		out = append(out, []int{n})
	}
	return out
}

// excerpt returns the lines around the marks, with the costs of lines, which are
// those of t's resource in its benchmark.
func (p *page) excerpt(v *state.State, costs map[model.Pos]model.Cost, t model.Target, marks []int, src string) (code.Excerpt, bool) {
	lines := strings.Split(src, "\n")
	low, high := marks[0], marks[len(marks)-1]
	if low < 1 || high > len(lines) {
		return code.Excerpt{}, false
	}
	first, last := max(1, low-excerptLines), min(len(lines), high+excerptLines)
	e := code.Excerpt{
		File: t.At.File, First: first, Lines: p.scrubbed(lines[first-1 : last]), Marks: marks,
		Costs: make(map[int]code.LineShare), Notes: make(map[int][]string),
		Of: fmt.Sprintf("%s in %s", t.Resource, t.Benchmark),
	}
	for n := first; n <= last; n++ {
		at := model.Pos{File: t.At.File, Line: n}
		if c, ok := costs[at]; ok {
			e.Costs[n] = code.NewLineShare(t.Resource, c.Share, c.PerOp)
		}
		if notes := v.NotesAt(at, t.Resource); len(notes) > 0 {
			e.Notes[n] = p.scrubbed(notes)
		}
	}
	return e, true
}

func (p *page) scrubbed(lines []string) []string {
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i], _ = p.scrub.Text(l)
	}
	return out
}
