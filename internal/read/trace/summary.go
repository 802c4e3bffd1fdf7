package trace

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/sorted"
)

// How much a summary shows: all causes, and the first of what has no end.
const (
	topGroups = 50
	topStalls = 20
	topParked = 20
	topPlaces = 5 // of each cause
)

// mostNameless is how many nameless waits pass without a warning: the runtime's own
// goroutines, when a short trace ends in a collection.
const mostNameless = 10

// Summary returns what the trace says; tool and file are for the reader. The
// same trace gives the same summary.
func (res *Result) Summary(tool, file string) *model.Trace {
	c := res.c
	t := &model.Trace{
		Schema: model.SchemaVersion, Tool: tool, File: file, Format: res.format, Started: c.wall,
		DurationNs: int64(c.now - c.start), Bytes: res.bytes, Events: c.events, Stopped: res.stopped,
		Causes: []model.TraceCause{}, Groups: []model.TraceGroup{},
	}
	total := c.totals(t)
	spots := c.spots()
	t.Causes = c.causes(&total, spots)
	t.Groups = c.groupList()
	t.Stalls = c.stalls(spots)
	t.Parked = c.parkList()
	t.Processors = c.procSummary(t.DurationNs)
	t.GC = c.gcSummary(&total, t)
	if res.warning != nil {
		t.Warnings = append(t.Warnings, *res.warning)
	}
	t.Warnings = append(t.Warnings, c.warnings(&total)...)
	return t
}

// totals sums the groups of the program, without nameless waits.
func (c *collector) totals(t *model.Trace) group {
	var sum group
	for _, g := range c.groups.byName {
		if g.runtime {
			continue
		}
		of := *g
		if of.nameless() {
			of.waits[causeOther] = waits{}
		}
		sum.merge(&of)
	}
	t.Goroutines, t.RunningNs = sum.goroutines, sum.running
	return sum
}

func (w waits) model() model.Waits {
	return model.Waits{Count: w.n, TotalNs: w.total, LongestNs: w.longest, LongestCut: w.longestCut, Cut: w.cut}
}

// causes returns all causes that there were.
func (c *collector) causes(total *group, spots []*spot) []model.TraceCause {
	all := total.waited()
	out := []model.TraceCause{}
	places := c.places(spots)
	for i, w := range total.waits {
		if w.n > 0 {
			info := causes[i]
			out = append(out, model.TraceCause{
				Cause: info.name, Share: part(w.total, all), Meaning: info.meaning, Lever: info.lever, Rules: info.rules, Waits: w.model(),
				Places: places[i],
			})
		}
	}
	sorted.By(out, func(a, b model.TraceCause) int { return cmp.Compare(b.TotalNs, a.TotalNs) })
	return out
}

func part(x, of int64) float64 {
	if of <= 0 {
		return 0
	}
	return float64(x) / float64(of)
}

func (c *collector) groupList() []model.TraceGroup {
	out := []model.TraceGroup{}
	for _, g := range c.groups.byName {
		m := model.TraceGroup{Func: g.name, By: g.by, Goroutines: g.goroutines, Runtime: g.runtime, RunningNs: g.running, Waits: []model.TraceGrouped{}}
		for i, w := range g.waits {
			if w.n > 0 {
				m.Waits = append(m.Waits, model.TraceGrouped{Cause: causes[i].name, Waits: w.model()})
			}
		}
		sorted.By(m.Waits, func(a, b model.TraceGrouped) int { return cmp.Compare(b.TotalNs, a.TotalNs) })
		out = append(out, m)
	}
	sorted.By(out, func(a, b model.TraceGroup) int {
		return cmp.Or(boolOrder(a.Runtime, b.Runtime), cmp.Compare(b.RunningNs+b.Waited(), a.RunningNs+a.Waited()), cmp.Compare(a.Func, b.Func), cmp.Compare(a.By, b.By))
	})
	return out[:min(len(out), topGroups)]
}

// boolOrder puts false first.
func boolOrder(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

func (c *collector) parkList() []model.TracePark {
	out := []model.TracePark{}
	keys := sorted.Of(maps.Keys(c.parked), func(a, b parkedAt) int {
		return cmp.Or(cmp.Compare(c.parked[b], c.parked[a]), cmp.Compare(a.group.name, b.group.name), cmp.Compare(a.stack, b.stack))
	})
	for _, key := range keys {
		if key.group.runtime || len(out) == topParked {
			continue
		}
		at := &c.stacks.all[key.stack]
		out = append(out, model.TracePark{
			Cause: causes[key.cause].name, Func: key.group.name, By: key.group.by, Goroutines: c.parked[key], Stack: at.model(), Home: at.home(),
		})
	}
	return out
}

func (c *collector) procSummary(duration int64) model.TraceProcs {
	p := &c.procs
	out := model.TraceProcs{
		Max: int(p.max), BusyNs: p.total, BusyShare: p.share(p.total), SaturatedShare: part(p.saturated, duration),
		QueueMean: part(p.queued, duration), QueueMax: p.longest, Each: []model.TraceProc{},
	}
	for _, id := range slices.Sorted(maps.Keys(p.busy)) {
		out.Each = append(out.Each, model.TraceProc{ID: int64(id), BusyShare: min(1, part(p.busy[id], duration))})
	}
	return out
}

func (c *collector) gcSummary(total *group, t *model.Trace) model.TraceGC {
	gc := &c.gc
	out := model.TraceGC{
		Cycles: gc.cycles, MarkNs: gc.markNs, MarkShare: part(gc.markNs, t.DurationNs), WorkerNs: gc.worker, IdleNs: gc.idle,
		AssistNs: total.waits[causeAssist].total, Assists: total.waits[causeAssist].n, Stops: []model.TraceSTW{},
	}
	for _, reason := range slices.Sorted(maps.Keys(gc.stops)) {
		w := gc.stops[reason]
		out.Stops = append(out.Stops, model.TraceSTW{Reason: reason, Waits: w.model()})
		out.StoppedNs += w.total
		out.LongestStopNs = max(out.LongestStopNs, w.longest)
	}
	sorted.By(out.Stops, func(a, b model.TraceSTW) int { return cmp.Compare(b.TotalNs, a.TotalNs) })
	out.SweepNs = gc.swept
	out.CPUShare = c.procs.share(gc.worker + gc.assisted + gc.swept)
	return out
}

func (c *collector) warnings(total *group) []model.Warning {
	var out []model.Warning
	if c.stacks.lost {
		out = append(out, model.Warning{
			Seen:  "there are more stacks, or names, than are told apart; the rest counts as “(other stacks)”",
			Cause: "deep recursion, or code that was generated",
			Try:   "record a shorter trace; the causes and groups are whole",
		})
	}
	if n, ns := c.groups.nameless(); n > mostNameless && ns >= total.waited()/10 {
		out = append(out, model.Warning{
			Seen:  fmt.Sprintf("%d goroutines waited %.3g s in all, and the trace says neither what for nor where: the causes are without them", n, float64(ns)/1e9),
			Cause: "they blocked before it began, and did not block again in it",
			Try:   "record a longer trace",
		})
	}
	if c.groups.lost {
		out = append(out, model.Warning{
			Seen:  "goroutines have more start functions than are told apart; the rest counts as “" + otherGroup + "”",
			Cause: "code that was generated, or a damaged file",
			Try:   "record a shorter trace",
		})
	}
	return out
}
