package rank

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/sorted"
	"github.com/pawl-dev/pawl/internal/words"
)

// allocTime returns, for each way to an allocation, the share of CPU time
// spent in the allocator under it. Heap profiles leave out the runtime's
// frames at the inner end of a stack, so they are taken off here, too.
//
// The second result is the share of that in which the value was put into an
// interface.
func allocTime(costs []model.Cost) (time, boxing map[string]float64) {
	time, boxing = make(map[string]float64), make(map[string]float64)
	for _, c := range costs {
		i, allocates, boxes := 0, false, false
		for i < len(c.Stack) && IsRuntime(c.Stack[i].Func) {
			allocates = allocates || strings.HasPrefix(c.Stack[i].Func, "runtime.mallocgc")
			boxes = boxes || strings.HasPrefix(c.Stack[i].Func, "runtime.convT")
			i++
		}
		if !allocates || i == len(c.Stack) {
			continue
		}
		key := wayKey(c.Stack[i:])
		time[key] += c.Share
		if boxes {
			boxing[key] += c.Share
		}
	}
	return time, boxing
}

// IsRuntime reports whether a function is the runtime's, by its name.
func IsRuntime(fn string) bool {
	return strings.HasPrefix(fn, "runtime.") || strings.HasPrefix(fn, "internal/runtime/") || !strings.Contains(fn, ".")
}

// A spot is a line of the module with the costs that are at home there.
type spot struct {
	total model.Cost // with the stack of the greatest
	most  float64
	costs []model.Cost
}

// spots adds up CPU time by line: the lines' own, and that of what they call
// outside the module.
func spots(costs []model.Cost) map[model.Pos]*spot {
	out := make(map[model.Pos]*spot)
	for _, c := range costs {
		f, ok := c.HomeFrame()
		if !ok || !f.Module {
			continue
		}
		s := out[f.Pos()]
		if s == nil {
			s = &spot{total: c}
			s.total.PerOp, s.total.Share = 0, 0
			out[f.Pos()] = s
		}
		if c.PerOp > s.most {
			s.total.Stack, s.total.Home, s.most = c.Stack, c.Home, c.PerOp
		}
		s.total.PerOp += c.PerOp
		s.total.Share += c.Share
		s.costs = append(s.costs, c)
	}
	return out
}

func (in Input) hotTargets(bm model.Benchmark, r *reader) []model.Target {
	var out []model.Target
	for _, s := range spots(in.CPU[bm]) {
		if s.total.Share < hotShare {
			continue
		}
		t := target(s.total)
		t.CPUShare, t.Ceiling = min(1, t.Share), min(1, t.Share)
		if in.Notes != nil && s.total.Home == 0 {
			t.Notes = bounds(in.Notes.At(leafChain(t.Stack)))
		}
		t.Reason = r.hot(s, t.Notes)
		r.written(&t)
		out = append(out, t)
	}
	sorted.By(out, func(a, b model.Target) int {
		return cmp.Or(worth(a, b), cmp.Compare(a.At.String(), b.At.String()))
	})
	return out[:min(len(out), hotLines)]
}

func bounds(notes []model.Note) []model.Note {
	return slices.DeleteFunc(slices.Clone(notes), func(n model.Note) bool { return n.Kind != model.NoteBounds })
}

// ruling is the part of a line's time that makes a kind of work the reason.
const ruling = 0.5

// hot says what a line spends its time on.
func (r *reader) hot(s *spot, checks []model.Note) model.Reason {
	m := mixOf(s)
	home := s.total.Stack[s.total.Home]
	around, looped := r.loopOf(s)
	rules := m.share >= ruling*s.total.Share
	reason := model.Reason{Kind: model.ReasonHot, Text: fmt.Sprintf("%.1f %% of the CPU time", 100*s.total.Share)}
	switch {
	case looped && rules && m.appends() && r.appendsByte(home.Pos()):
		reason.Kind = model.ReasonBytewise
		reason.Text += ", with bytes that are appended one at a time"
	case rules && m.work.kind != model.ReasonHot:
		reason.Kind = m.work.kind
		reason.Text += fmt.Sprintf(", %.1f %% in %s", 100*m.share, m.work.text(m.called))
		if m.grown > 0 {
			reason.Text += fmt.Sprintf(", %.1f %% while it grows", 100*m.grown)
		}
	case looped && len(checks) > 0 && m.own >= ruling*s.total.Share:
		reason.Kind = model.ReasonBounds
		reason.Text += fmt.Sprintf(", %.1f %% on the line itself, where the compiler checks %s each time round", 100*m.own, plural(len(checks), "index", "indexes"))
	case m.leaf != home.Func:
		reason.Text += fmt.Sprintf(", %.1f %% in %s", 100*m.leafShare, words.Symbol(m.leaf))
	}
	if looped {
		reason.Also = append(reason.Also, model.ReasonLoop)
		reason.Text += ", in the loop at " + shortPos(around.at)
	}
	return reason
}

// loopOf returns the loop that most of a line's time is in, whether around the
// line or around the call of its function, where at least half is in loops.
func (r *reader) loopOf(s *spot) (loop, bool) {
	loops, all := make(map[loop]float64), 0.0
	for _, c := range s.costs {
		if l, ok := r.loopAround(c.Stack, c.Home, 1); ok {
			loops[l] += c.Share
			all += c.Share
		}
	}
	best, _ := top(loops, func(a, b loop) int { return cmp.Compare(a.at.String(), b.at.String()) })
	return best, all > 0 && all >= ruling*s.total.Share
}

// A mix is how a line's time divides.
type mix struct {
	work      work    // most of it
	share     float64 // of that
	called    string  // the function that the line calls for it
	grown     float64 // in maps that are made larger
	own       float64 // on the line itself
	leaf      string  // the function that most is spent in
	leafShare float64
}

func mixOf(s *spot) mix {
	works, calls, leaves := make(map[work]float64), make(map[work]map[string]float64), make(map[string]float64)
	var m mix
	for _, c := range s.costs {
		w, called := workOf(c.Stack[:c.Home])
		works[w] += c.Share
		if calls[w] == nil {
			calls[w] = make(map[string]float64)
		}
		calls[w][called] += c.Share
		if w.kind == model.ReasonMap && growsMap(c.Stack[:c.Home]) {
			m.grown += c.Share
		}
		inside := withoutPreemption(c.Stack)
		leaves[inside[0].Func] += c.Share
		if len(inside) == len(c.Stack)-c.Home {
			m.own += c.Share
		}
	}
	m.work, m.share = top(works, func(a, b work) int { return cmp.Or(cmp.Compare(a.kind, b.kind), cmp.Compare(a.what, b.what)) })
	m.called, _ = top(calls[m.work], strings.Compare)
	if m.work.kind != model.ReasonMap {
		m.grown = 0
	}
	m.leaf, m.leafShare = top(leaves, strings.Compare)
	return m
}

// appends reports whether the work can be that of appending to a slice.
func (m mix) appends() bool {
	return m.work.kind == model.ReasonHot || m.work.kind == model.ReasonAppend || m.work.kind == model.ReasonLibrary
}

// top returns the key with the greatest value, of equals the first.
func top[K comparable](m map[K]float64, compare func(a, b K) int) (best K, most float64) {
	for _, k := range sorted.Of(maps.Keys(m), compare) {
		if m[k] > most {
			best, most = k, m[k]
		}
	}
	return best, most
}

func plural(n int, one, many string) string {
	if n == 1 {
		return "an " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
