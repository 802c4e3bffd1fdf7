package trace

import "testing"

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
