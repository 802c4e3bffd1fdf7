package trace

import (
	"testing"

	"github.com/pawl-dev/pawl/internal/model"
)

// What is learned late about a goroutine holds for all that it did.
func TestNamedLate(t *testing.T) {
	c := newCollector()
	early := &group{goroutines: 1}
	g := &goroutine{group: early}
	c.record(g, causeOther, noStack, 100, 0, true, false)
	if spots := c.spots(); len(spots) != 1 {
		t.Fatalf("one wait has %d places", len(spots))
	}
	c.groups.name(g, started{fn: "runtime.bgsweep"})
	if spots := c.spots(); len(spots) != 0 {
		t.Errorf("a goroutine of the runtime has %d places", len(spots))
	}
	known := c.groups.get(started{fn: "runtime.bgsweep"})
	if known.goroutines != 1 || known.waits[causeOther].total != 100 || early.known() != known {
		t.Errorf("the group has %+v", known)
	}
	c.groups.name(g, started{fn: "main.main"})
	if g.group != known {
		t.Errorf("a goroutine changed its group to %s", g.group.name)
	}
}

// A wait without a known goroutine, reason or stack is in its group alone: as a
// cause it would say nothing.
func TestNameless(t *testing.T) {
	c := newCollector()
	c.now = 1000
	c.start = 1
	for _, why := range []cause{causeOther, causeSched} {
		g := &goroutine{group: &group{goroutines: 1}}
		c.record(g, why, noStack, 100, 0, true, false)
		c.groups.bury(g)
	}
	sum := (&Result{c: c}).Summary("test", "")
	if len(sum.Causes) != 1 || sum.Causes[0].Cause != model.WaitSched || sum.Causes[0].Share != 1 {
		t.Errorf("causes are %s", causeList(sum))
	}
	if len(sum.Stalls) != 1 || sum.Stalls[0].Cause != model.WaitSched {
		t.Errorf("the longest waits are %+v", sum.Stalls)
	}
	if len(sum.Groups) != 1 || len(sum.Groups[0].Waits) != 2 || sum.Goroutines != 2 || len(sum.Warnings) != 0 {
		t.Errorf("groups of %d goroutines are %+v, warnings %v", sum.Goroutines, sum.Groups, sum.Warnings)
	}
	for range mostNameless {
		g := &goroutine{group: &group{goroutines: 1}}
		c.record(g, causeOther, noStack, 100, 0, true, false)
		c.groups.bury(g)
	}
	if sum := (&Result{c: c}).Summary("test", ""); len(sum.Warnings) != 1 {
		t.Errorf("with %d nameless waits, the warnings are %v", mostNameless+1, sum.Warnings)
	}
}

func TestIsRuntime(t *testing.T) {
	for fn, want := range map[string]bool{
		"runtime.bgsweep": true, "runtime.(*traceAdvancerState).start.func1": true, "runtime/trace.(*traceMultiplexer).startLocked.func1": true,
		"runtime/pprof.profileWriter": true, "runtime.main": false, "main.main": false, "runtime/debug.x": false, "example.com/runtime.f": false, unknownGroup: false,
	} {
		if got := isRuntime(fn); got != want {
			t.Errorf("isRuntime(%s) = %v", fn, got)
		}
	}
}

// Start functions beyond the maximum are counted together.
func TestTooManyGroups(t *testing.T) {
	gs := &groups{byName: make(map[started]*group)}
	for i := range maxGroups + 10 {
		gs.name(&goroutine{group: &group{goroutines: 1}}, started{fn: string(rune(0x4e00 + i))})
	}
	if other := gs.byName[started{fn: otherGroup}]; !gs.lost || other == nil || other.goroutines != 10 {
		t.Errorf("lost %v, the others are %+v", gs.lost, other)
	}
}
