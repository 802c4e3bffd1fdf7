package trace

import (
	"cmp"
	"strings"

	xtrace "golang.org/x/exp/trace"

	"github.com/pawl-dev/pawl/internal/words"
)

// maxGroups is how many start functions are told apart.
const maxGroups = 5_000

const (
	unknownGroup = "(not known)"
	otherGroup   = "(other functions)"
)

// A mode is what a running goroutine does for the collector.
type mode uint8

const (
	modeOwn mode = iota // its own work
	modeAssist
	modeSweep
)

// A goroutine is what is known of one that is alive.
type goroutine struct {
	id     xtrace.GoID
	group  *group
	named  bool
	ran    bool // in the trace
	worker string

	state  xtrace.GoState
	since  xtrace.Time
	cut    bool // the state began before the trace
	cause  cause
	reason string
	stack  stackID
	proc   xtrace.ProcID // where it runs

	mode      mode
	modeNs    int64
	modeSince xtrace.Time
	modeStack stackID
	modeCut   bool
}

// kindOf returns the cause of the wait that ends by the runtime's reason alone.
func (g *goroutine) kindOf(why cause) cause {
	if why == causeGC && g.state == xtrace.GoWaiting {
		return causeOf(g.reason)
	}
	return why
}

// waits are counted per cause.
type waits struct {
	n, cut, total, longest int64
	longestCut             bool
}

func (w *waits) add(ns int64, cut bool) {
	w.n++
	w.total += ns
	if ns >= w.longest {
		w.longest, w.longestCut = ns, cut
	}
	if cut {
		w.cut++
	}
}

func (w *waits) merge(o waits) {
	w.n += o.n
	w.cut += o.cut
	w.total += o.total
	if o.longest >= w.longest && o.n > 0 {
		w.longest, w.longestCut = o.longest, o.longestCut
	}
}

// A group is the goroutines of one start function.
type group struct {
	name, by   string
	into       *group // the group that it became part of when its name was known
	runtime    bool
	goroutines int
	running    int64
	waits      [numCauses]waits
}

// known returns the group that g became part of.
func (g *group) known() *group {
	return cmp.Or(g.into, g)
}

// nameless reports whether nothing is known of the waits of g that have no
// cause: neither who waited, nor for what, nor where. The trace names a
// goroutine when it blocks, and one that stood since before the trace may not
// block again in it. The runtime's own are the usual ones: a short trace in
// which the scavenger wakes at its end would wait for that more than for
// anything else.
func (g *group) nameless() bool { return g.known().name == unknownGroup }

func (g *group) merge(o *group) {
	g.goroutines += o.goroutines
	g.running += o.running
	for c := range g.waits {
		g.waits[c].merge(o.waits[c])
	}
}

// waited is the time of all waits together.
func (g *group) waited() int64 {
	var sum int64
	for _, w := range g.waits {
		sum += w.total
	}
	return sum
}

// isRuntime reports whether goroutines of that start function are the
// runtime's own. The last ones write the trace and a CPU profile, and wait for
// them: runtime/coverage starts none by itself, but pawl diagnose puts one there.
func isRuntime(fn string) bool {
	pkg := words.SymbolPackage(fn)
	return pkg == "runtime" && fn != "runtime.main" || pkg == "runtime/trace" || pkg == "runtime/pprof" || pkg == "runtime/coverage"
}

// A started is the start function of goroutines, and who had them started
// where that is a closure of a library.
type started struct{ fn, by string }

// A groups has the groups by their start functions.
type groups struct {
	byName map[started]*group
	lost   bool
}

func (gs *groups) get(name started) *group {
	if g, ok := gs.byName[name]; ok {
		return g
	}
	if len(gs.byName) >= maxGroups {
		gs.lost = true
		name = started{fn: otherGroup}
		if g, ok := gs.byName[name]; ok {
			return g
		}
	}
	g := &group{name: name.fn, by: name.by, runtime: isRuntime(name.fn)}
	gs.byName[name] = g
	return g
}

// name puts a goroutine into the group of its start function, with what it did
// before that was known.
func (gs *groups) name(g *goroutine, s started) {
	if g.named || s.fn == "" {
		return
	}
	known := gs.get(s)
	known.merge(g.group)
	g.group.into = known // places may point to it
	g.group, g.named = known, true
}

// nameless returns the waits without goroutine, cause or place: how many, and their time.
func (gs *groups) nameless() (n, ns int64) {
	if g, ok := gs.byName[started{fn: unknownGroup}]; ok {
		n, ns = g.waits[causeOther].n, g.waits[causeOther].total
	}
	return n, ns
}

// bury ends a goroutine.
func (gs *groups) bury(g *goroutine) { gs.name(g, started{fn: unknownGroup}) }

// starter tells who had a goroutine started with fn, by the stack of the go
// statement. WaitGroup.Go and its like start a closure of their own, and what
// matters is who called them: the first frame of another package, unless the
// standard library called, as it calls handlers and tests.
func starter(fn string, creator []frame) string {
	if len(creator) == 0 || !strings.HasPrefix(fn, creator[0].fn+".") {
		return ""
	}
	if len(creator) > 1 && words.SymbolPackage(creator[1].fn) != words.SymbolPackage(fn) && !isStandard(creator[1].fn) {
		return creator[1].fn
	}
	return ""
}
