package trace

import (
	"time"

	xtrace "golang.org/x/exp/trace"
)

// A site is a place at which goroutines wait for a cause.
type site struct {
	cause cause
	kind  cause // by the runtime's reason alone, as go tool trace goes
	stack stackID
	own   bool // of the program, not of the runtime or of a harness
}

// A tally is what is known of a site.
type tally struct {
	waits
	whole, wholeNs int64 // waits that began and ended in the trace: what pprof gets

	// The longest wait.
	group     *group
	goroutine xtrace.GoID
	at        xtrace.Time
	reason    string
}

// A collector turns events into sums.
type collector struct {
	start, now xtrace.Time
	begun      bool
	wall       *time.Time
	syncs      int
	events     int64

	stacks *stacks
	groups *groups
	alive  map[xtrace.GoID]*goroutine
	sites  map[site]*tally
	parked map[parkedAt]int
	gc     collection
	procs  processors
}

// A parkedAt is where goroutines stood that never ran.
type parkedAt struct {
	cause cause
	stack stackID
	group *group
}

func newCollector() *collector {
	return &collector{
		stacks: newStacks(),
		groups: &groups{byName: make(map[started]*group)},
		alive:  make(map[xtrace.GoID]*goroutine),
		sites:  make(map[site]*tally),
		parked: make(map[parkedAt]int),
		gc:     newCollection(),
		procs:  newProcessors(),
	}
}

// event takes the next event in order.
func (c *collector) event(ev xtrace.Event) {
	c.now = ev.Time()
	switch ev.Kind() {
	case xtrace.EventSync:
		c.sync(ev)
		return // the last one has the time of the last event, or none
	case xtrace.EventMetric:
		c.metric(ev.Metric())
	case xtrace.EventLabel:
		c.label(ev.Label())
	case xtrace.EventRangeBegin, xtrace.EventRangeActive:
		c.rangeBegin(ev)
	case xtrace.EventRangeEnd:
		c.rangeEnd(ev)
	case xtrace.EventStateTransition:
		if st := ev.StateTransition(); st.Resource.Kind == xtrace.ResourceGoroutine {
			c.transition(ev, st)
		}
	}
	c.events++
}

// sync is the start of a generation. Only the first has the start of the trace.
func (c *collector) sync(ev xtrace.Event) {
	c.syncs++
	c.stacks.forget()
	s := ev.Sync()
	if !c.begun {
		c.begun = true
		c.start = ev.Time()
		if s.ClockSnapshot != nil {
			wall := s.ClockSnapshot.Wall
			c.wall = &wall
		}
	}
	c.procs.begin(c.start)
}

func (c *collector) metric(m xtrace.Metric) {
	if m.Name == "/sched/gomaxprocs:threads" && m.Value.Kind() == xtrace.ValueUint64 {
		c.procs.limit(c.now, m.Value.Uint64())
	}
}

// transition is a goroutine's change of state.
func (c *collector) transition(ev xtrace.Event, st xtrace.StateTransition) {
	id := st.Resource.Goroutine()
	from, to := st.Goroutine()
	g := c.goroutine(id)
	own := c.stacks.id(st.Stack)
	if !g.named {
		c.groups.name(g, c.startOf(ev, from, own))
	}
	if g.state == to && from == to {
		return // a new generation says again what is known
	}
	c.procs.advance(c.now)
	c.leave(g, c.now, false)
	c.procs.change(g.state, to)
	g.cut = from == xtrace.GoUndetermined
	if !g.cut {
		g.since = c.now
	}
	if to == xtrace.GoNotExist {
		c.groups.bury(g)
		delete(c.alive, id)
		return
	}
	c.enter(g, to, ev, st, own)
}

// startOf tells what a goroutine was started as, by the root of its stack.
func (c *collector) startOf(ev xtrace.Event, from xtrace.GoState, own stackID) started {
	s := started{fn: c.stacks.all[own].root()}
	if s.fn != "" && from == xtrace.GoNotExist {
		s.by = starter(s.fn, c.stacks.all[c.stacks.id(ev.Stack())].frames)
	}
	return s
}

// goroutine returns the entry of a goroutine, which is made at its first event.
// What it did before that event it did since the trace began.
func (c *collector) goroutine(id xtrace.GoID) *goroutine {
	g, ok := c.alive[id]
	if !ok {
		g = &goroutine{id: id, group: &group{goroutines: 1}, since: c.start}
		c.alive[id] = g
	}
	return g
}

// enter begins a state.
func (c *collector) enter(g *goroutine, to xtrace.GoState, ev xtrace.Event, st xtrace.StateTransition, own stackID) {
	g.state, g.reason = to, st.Reason
	switch to {
	case xtrace.GoRunning:
		g.ran = true
		g.proc = ev.Proc()
	case xtrace.GoRunnable:
		// Who made it runnable says more than where it stood.
		g.cause, g.stack = causeSched, c.stacks.id(ev.Stack())
	case xtrace.GoSyscall:
		g.cause, g.stack, g.ran = causeSyscall, own, g.ran || !g.cut
	case xtrace.GoWaiting:
		g.cause, g.stack = causeOf(st.Reason), own
		if st.Reason == "" {
			g.cause = causeIn(c.stacks.all[own].frames)
		}
		if g.cause == causeSync && c.stacks.all[own].collector {
			g.cause = causeGC
		}
	}
}

// leave ends a state at now; last says that the trace ends there.
func (c *collector) leave(g *goroutine, now xtrace.Time, last bool) {
	ns := int64(now - g.since)
	switch g.state {
	case xtrace.GoRunning:
		c.procs.ran(g.proc, ns)
		c.gc.worked(g.worker, ns)
		switch g.mode {
		case modeAssist:
			g.modeNs += ns
			c.gc.assisted += ns
		case modeSweep:
			g.modeNs += ns
			c.gc.swept += ns
		default:
			g.group.running += ns
		}
	case xtrace.GoRunnable, xtrace.GoSyscall, xtrace.GoWaiting:
		if g.mode == modeAssist && g.cause == causeAssist {
			g.modeNs += ns
			return
		}
		c.record(g, g.cause, g.stack, ns, g.since, g.cut, last)
	}
}

// record counts one wait. A wait that is cut by the end of the trace counts as
// one that is cut by its beginning does.
func (c *collector) record(g *goroutine, why cause, at stackID, ns int64, since xtrace.Time, cut, last bool) {
	harness := c.stacks.all[at].harness
	if !harness {
		g.group.waits[why].add(ns, cut || last)
	}
	key := site{why, g.kindOf(why), at, !harness && !g.group.runtime}
	t, ok := c.sites[key]
	if !ok {
		t = &tally{}
		c.sites[key] = t
	}
	if ns >= t.longest {
		t.group, t.goroutine, t.at, t.reason = g.group, g.id, since, g.reason
	}
	t.add(ns, cut || last)
	if !cut && !last {
		t.whole++
		t.wholeNs += ns
	}
}

// end closes what is open when the trace ends.
func (c *collector) end() {
	c.procs.advance(c.now)
	for _, g := range c.alive {
		if g.cut && !g.ran && (g.state == xtrace.GoWaiting || g.state == xtrace.GoSyscall) {
			c.park(g)
			continue
		}
		c.leave(g, c.now, true)
		c.modeEnd(g, true)
		c.groups.bury(g)
	}
	clear(c.alive)
	c.gc.end(c.now)
}

// park counts a goroutine that never ran.
func (c *collector) park(g *goroutine) {
	c.groups.bury(g)
	if !c.stacks.all[g.stack].harness {
		c.parked[parkedAt{g.cause, g.stack, g.group}]++
	}
}
