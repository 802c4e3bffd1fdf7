package trace

import (
	"strings"

	xtrace "golang.org/x/exp/trace"
)

// The runtime's names of ranges, and of what its workers do.
const (
	rangeMark   = "GC concurrent mark phase"
	rangeSweep  = "GC incremental sweep"
	rangeAssist = "GC mark assist"
	stopPrefix  = "stop-the-world ("
	workerIdle  = "GC (idle)"
	workerAny   = "GC ("
)

// maxStops is how many reasons of stops are told apart; the runtime has some
// twenty.
const maxStops = 100

// A collection is what the garbage collector did.
type collection struct {
	cycles   int
	marking  bool
	markFrom xtrace.Time
	markNs   int64
	worker   int64
	idle     int64
	assisted int64 // running, not waiting
	swept    int64
	stops    map[string]*waits
	stopping map[string]xtrace.Time
}

func newCollection() collection {
	return collection{stops: make(map[string]*waits), stopping: make(map[string]xtrace.Time)}
}

// worked adds what a worker of the collector ran.
func (gc *collection) worked(worker string, ns int64) {
	switch worker {
	case "":
	case workerIdle:
		gc.idle += ns
	default:
		gc.worker += ns
	}
}

func (gc *collection) markBegin(at xtrace.Time) {
	if !gc.marking {
		gc.marking, gc.markFrom = true, at
		gc.cycles++
	}
}

func (gc *collection) markEnd(at xtrace.Time) {
	if gc.marking {
		gc.marking = false
		gc.markNs += int64(at - gc.markFrom)
	}
}

func (gc *collection) stopBegin(name string, at xtrace.Time) {
	if _, ok := gc.stopping[name]; !ok && len(gc.stopping) < maxStops {
		gc.stopping[name] = at
	}
}

func (gc *collection) stopEnd(name string, at xtrace.Time) {
	from, ok := gc.stopping[name]
	if !ok {
		return
	}
	delete(gc.stopping, name)
	reason := strings.TrimSuffix(strings.TrimPrefix(name, stopPrefix), ")")
	w := gc.stops[reason]
	if w == nil {
		if len(gc.stops) >= maxStops {
			return
		}
		w = &waits{}
		gc.stops[strings.Clone(reason)] = w
	}
	w.add(int64(at-from), false)
}

func (gc *collection) end(at xtrace.Time) { gc.markEnd(at) }

// rangeBegin is the start of a phase; a generation says again which go on.
func (c *collector) rangeBegin(ev xtrace.Event) {
	r := ev.Range()
	active := ev.Kind() == xtrace.EventRangeActive
	at := c.now
	if active && c.syncs == 1 {
		at = c.start
	}
	switch {
	case r.Name == rangeMark:
		c.gc.markBegin(at)
	case strings.HasPrefix(r.Name, stopPrefix):
		c.gc.stopBegin(r.Name, at)
	case r.Name == rangeAssist && r.Scope.Kind == xtrace.ResourceGoroutine:
		c.modeBegin(c.alive[r.Scope.Goroutine()], modeAssist, c.stacks.id(ev.Stack()), active)
	case r.Name == rangeSweep:
		c.modeBegin(c.alive[ev.Goroutine()], modeSweep, c.stacks.id(ev.Stack()), active)
	}
}

func (c *collector) rangeEnd(ev xtrace.Event) {
	r := ev.Range()
	switch {
	case r.Name == rangeMark:
		c.gc.markEnd(c.now)
	case strings.HasPrefix(r.Name, stopPrefix):
		c.gc.stopEnd(r.Name, c.now)
	case r.Name == rangeAssist && r.Scope.Kind == xtrace.ResourceGoroutine:
		c.modeEnd(c.alive[r.Scope.Goroutine()], false)
	case r.Name == rangeSweep:
		c.modeEnd(c.alive[ev.Goroutine()], false)
	}
}

// modeBegin: from here on the goroutine works for the collector.
func (c *collector) modeBegin(g *goroutine, m mode, at stackID, active bool) {
	if g == nil || g.mode != modeOwn {
		return
	}
	c.cutRunning(g)
	g.mode, g.modeNs, g.modeSince, g.modeStack, g.modeCut = m, 0, c.now, at, active
}

// modeEnd: from here on it works for itself again.
func (c *collector) modeEnd(g *goroutine, last bool) {
	if g == nil || g.mode == modeOwn {
		return
	}
	if !last {
		c.cutRunning(g)
	}
	why := causeAssist
	if g.mode == modeSweep {
		why = causeGC
	}
	g.mode = modeOwn
	g.reason = ""
	c.record(g, why, g.modeStack, g.modeNs, g.modeSince, g.modeCut, last)
}

// cutRunning accounts for the time that a goroutine ran until now, and lets it
// run on.
func (c *collector) cutRunning(g *goroutine) {
	if g.state == xtrace.GoRunning {
		c.leave(g, c.now, false)
		g.since, g.cut = c.now, false
	}
}

// label is how the runtime says what a worker does until it stops.
func (c *collector) label(l xtrace.Label) {
	if l.Resource.Kind != xtrace.ResourceGoroutine || !strings.HasPrefix(l.Label, workerAny) {
		return
	}
	if g := c.alive[l.Resource.Goroutine()]; g != nil {
		g.worker = strings.Clone(l.Label)
	}
}
