package optimize

import (
	"os"
	"slices"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/internal/change/propose/outside"
	"github.com/pawl-dev/pawl/internal/keep/store"
	"github.com/pawl-dev/pawl/internal/model"
)

func asking(limit outside.Limit, commands ...string) *outsiders {
	o := Outsiders{Limit: limit}
	for _, c := range commands {
		o.Commands = append(o.Commands, outside.Command{Line: c})
	}
	return newOutsiders(o, &model.Run{}, nil)
}

// A proposal is tried before pawl's own changes where it is about costlier code,
// and one about code that costs nothing any more comes last.
func TestNextProposal(t *testing.T) {
	o := asking(outside.DefaultLimit)
	o.run.Targets = []model.Target{{ID: "T1", Func: "A"}, {ID: "T2", Func: "B"}, {ID: "T3", Func: "C"}}
	o.queue = []proposal{{fn: "gone"}, {fn: "C"}, {fn: "A"}, {fn: "B"}}
	own := []model.Change{{Targets: []model.Target{{ID: "T2"}}}}
	if p, ok := o.next(own); !ok || p.fn != "A" {
		t.Errorf("%q, %t", p.fn, ok)
	}
	if p, ok := o.next(own); ok {
		t.Errorf("%q comes before a change of pawl's on the same line", p.fn)
	}
	var got []string
	for p, ok := o.next(nil); ok; p, ok = o.next(nil) {
		got = append(got, p.fn)
	}
	if len(got) != 3 || got[0] != "B" || got[1] != "C" || got[2] != "gone" {
		t.Errorf("without own changes the order is %q", got)
	}
}

// What a run has asked before it went on counts against its limits.
func TestResumeProposals(t *testing.T) {
	past := &store.Past{Asked: []store.Asked{
		{Call: model.Call{Func: "A", Question: "a", Round: 1, Proposals: 1, Cost: 2}, Answers: []model.Proposal{{Diff: "x"}}},
		{Call: model.Call{Func: "B", Question: "b", Round: 2, Cost: 1, Error: "it hangs"}},
	}}
	o := asking(outside.Limit{Calls: 3, Rounds: 3, Cost: 4}, "x")
	o.resume(past)
	if len(o.queue) != 1 || o.queue[0].fn != "A" || o.round != 2 || o.calls != 2 || !o.asked["a"] || o.asked["b"] || o.run.Proposers.Cost != 3 {
		t.Errorf("%+v, %+v", o, o.run.Proposers)
	}
	if !o.may() {
		t.Error("one call of three is left, and nobody may make it")
	}
	for what, l := range map[string]outside.Limit{"calls": {Calls: 2, Rounds: 3}, "money": {Calls: 9, Rounds: 3, Cost: 3}} {
		o := asking(l, "x")
		if o.resume(past); o.may() {
			t.Errorf("the limit of %s has no effect", what)
		}
	}
}

// No more calls are under way than may be, none is made above the limit, and the
// end of the run ends them.
func TestLaunch(t *testing.T) {
	if _, err := os.Stat("/bin/sh"); err != nil {
		t.Skip(err)
	}
	o := asking(outside.Limit{Calls: 7, Rounds: 1, Time: time.Hour}, "sleep 1000")
	o.begin(t.Context())
	o.ask(slices.Repeat([]question{{Command: o.Commands[0]}}, 20))
	if o.pending != mostAtOnce || o.left() != mostAtOnce || len(o.waiting) != 20-mostAtOnce {
		t.Errorf("%d are under way, and %d wait", o.pending, len(o.waiting))
	}
	o.calls = o.Limit.Calls
	if o.launch(); len(o.waiting) > 0 {
		t.Errorf("%d calls above the limit wait", len(o.waiting))
	}
	o.end()
	if o.pending != 0 {
		t.Errorf("%d are under way after the end", o.pending)
	}
}

func TestTitle(t *testing.T) {
	for want, p := range map[string]proposal{
		"proposed: it is shorter": {Proposal: model.Proposal{Reason: "it is shorter."}, fn: "a.com/b.F"},
		"proposed for b.(*T).F":   {fn: "a.com/b.(*T).F"},
	} {
		if got := title(p); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
