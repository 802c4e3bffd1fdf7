package attempt

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/pawl-dev/pawl/internal/model"
)

func TestInspected(t *testing.T) {
	at := model.Pos{File: "p.go", Line: 3}
	tests := []struct {
		refused []model.Suspicion
		name    string
	}{
		{nil, "inspection"},
		{[]model.Suspicion{{Kind: model.SuspectFrozen, At: at, Detail: "x"}}, "frozen"},
		{[]model.Suspicion{{Kind: model.SuspectDirective, At: at, Detail: "x"}}, "frozen"},
		{[]model.Suspicion{{Kind: model.SuspectAPI, At: at, Detail: "x"}}, "api"},
		{[]model.Suspicion{{Kind: model.SuspectDetect, At: at, Detail: "x"}}, "refused"},
	}
	for _, tt := range tests {
		c := inspected(tt.refused)
		if c.Name != tt.name || c.OK != (tt.refused == nil) {
			t.Errorf("%v: got %+v", tt.refused, c)
		}
		if tt.refused != nil && !strings.HasPrefix(c.Detail, "p.go:3: ") {
			t.Errorf("no place in %q", c.Detail)
		}
	}
}

func TestMergeStates(t *testing.T) {
	read := []model.State{{Name: "T.buf", Kind: "field", Bound: "as large as the largest call", Retained: -1}, {Name: "cache", Kind: "map", Retained: -1}}
	ran := []model.State{{Name: "T.buf", Retained: 64, Instances: 2}, {Name: "cache", Retained: 4096, Grows: true}, {Name: "T.n", Retained: 8}}
	want := []model.State{
		{Name: "T.buf", Kind: "field", Bound: "as large as the largest call", Retained: 64, Instances: 2},
		{Name: "cache", Kind: "map", Retained: 4096, Grows: true},
		{Name: "T.n", Retained: 8},
	}
	if diff := cmp.Diff(want, merge(read, ran)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if read[0].Retained != -1 {
		t.Error("what was read is changed")
	}
}

func TestDrivenCheck(t *testing.T) {
	equal := model.Driven{Func: "m.F", Pairs: 1000}
	differs := func(kind model.DifferenceKind, where string) model.Driven {
		return model.Driven{Func: "m.F", Pairs: 1000, Differences: []model.Difference{{Kind: kind, Where: where, Base: "1", Candidate: "2"}}}
	}
	memo := model.Driven{Func: "m.F", Pairs: 1000, Fresh: &model.Fresh{Inputs: 200, BaseAllocs: 5, CandAllocs: 5, RepeatBaseAllocs: 5}}
	saves := model.Driven{Func: "m.F", Pairs: 1000, Fresh: &model.Fresh{Inputs: 200, BaseAllocs: 5, CandAllocs: 1, RepeatBaseAllocs: 5}}
	grown := model.Driven{Func: "m.F", Pairs: 1000, Fresh: &model.Fresh{Inputs: 200, BaseAllocs: 5, CandAllocs: 2, RepeatBaseAllocs: 5}}
	grows := []model.State{{Name: "cache", Grows: true}}
	tests := []struct {
		name   string
		driven []model.Driven
		states []model.State
		allow  []model.SuspicionKind
		ok     bool
		want   string // part of what is said
	}{
		{"equal", []model.Driven{equal}, nil, nil, true, ""},
		{"nothing driven", []model.Driven{{Func: "m.F", Skipped: "takes a channel"}}, nil, nil, false, "no changed function could be driven: takes a channel"},
		{"no function changed", nil, nil, nil, false, "it changes no function that both versions have"},
		{"a result", []model.Driven{differs(model.DiffResult, "result 0")}, nil, nil, false, "m.F: result, result 0: the base gives 1, the candidate 2"},
		{"internal state", []model.Driven{differs(model.DiffArgument, model.InternalState)}, nil, nil, false, "-allow internal"},
		{"internal state, allowed", []model.Driven{differs(model.DiffArgument, model.InternalState)}, nil, []model.SuspicionKind{model.SuspectInternal}, true, ""},
		{"an error's text", []model.Driven{differs(model.DiffErrorText, "result 1")}, nil, nil, false, "-allow errortext"},
		{"an error's text, allowed", []model.Driven{differs(model.DiffErrorText, "result 1")}, nil, []model.SuspicionKind{model.SuspectErrorText}, true, ""},
		{"an empty slice", []model.Driven{differs(model.DiffNil, "result 0")}, nil, []model.SuspicionKind{model.SuspectErrorText}, false, "-allow nil"},
		{"a result is never allowed", []model.Driven{differs(model.DiffResult, "result 0")}, nil, model.Allowable(), false, "result 0"},
		{"remembers answers", []model.Driven{memo}, nil, nil, false, "remembers answers"},
		{"remembers answers, allowed", []model.Driven{memo}, nil, []model.SuspicionKind{model.SuspectState}, true, ""},
		{"saves on new inputs too", []model.Driven{saves}, nil, nil, true, ""},
		{"keeps what grew the first time", []model.Driven{grown}, nil, nil, true, ""},
		{"grows", []model.Driven{equal}, grows, nil, false, "cache grows"},
	}
	for _, tt := range tests {
		c := driven(&model.Attempt{Driven: tt.driven, States: tt.states}, tt.allow, nil)
		if c.OK != tt.ok || !strings.Contains(c.Detail+c.Skipped, tt.want) {
			t.Errorf("%s: got %+v", tt.name, c)
		}
	}
}

// Driving gets the time that a proof takes, and leaves a part of what is left to what
// follows it, however long others hold it up.
func TestDriveTime(t *testing.T) {
	for _, tt := range []struct {
		left, toProve   time.Duration
		pkgs            int
		search          bool
		budget, ceiling time.Duration
	}{
		{0, 15 * time.Second, 1, true, driveFew, 6750 * time.Millisecond},
		{50 * time.Second, 50 * time.Second, 3, true, 11250 * time.Millisecond, 22500 * time.Millisecond},
		{200 * time.Second, 200 * time.Second, 1, true, 40 * time.Second, 90 * time.Second},
		{-time.Second, -time.Second, 0, false, 1, 1},
		{0, 0, 0, false, 1, 1},
		{0, 15 * time.Second, 1, false, 13500 * time.Millisecond, 13500 * time.Millisecond}, // of what the comparison would have
		{time.Second, time.Second, 1, false, 900 * time.Millisecond, 900 * time.Millisecond},
		{25 * time.Second, 25 * time.Second, 1, false, driveLeast, driveLeast},
		{50 * time.Second, 50 * time.Second, 3, false, driveLeast + 2*driveMore, driveLeast + 2*driveMore},
		{50 * time.Second, 50 * time.Second, 100, false, 45 * time.Second, 45 * time.Second},
		{70 * time.Second, 70 * time.Second, 100, false, driveMost, driveMost},
		{200 * time.Second, 200 * time.Second, 1, false, 40 * time.Second, 90 * time.Second},
		{time.Hour, time.Hour, 1, false, driveMost, driveStretch * driveMost},
	} {
		budget, ceiling := driveTime(tt.left, tt.toProve, tt.pkgs, !tt.search)
		if budget != tt.budget || ceiling != tt.ceiling {
			t.Errorf("%s left, %d packages: %s in %s, want %s in %s", tt.left, tt.pkgs, budget, ceiling, tt.budget, tt.ceiling)
		}
	}
}

// A change where nothing could be compared is not kept as if it were equal:
// only what is proven goes on without, and what the user lets through.
func TestUnseen(t *testing.T) {
	const why = "no changed function could be driven: no test and no benchmark calls it"
	proven, assumed := model.Obligation{How: "proven"}, model.Obligation{How: "assumed"}
	for _, tt := range []struct {
		name   string
		change model.Change
		allow  []model.SuspicionKind
		want   bool
	}{
		{"a patch", model.Change{Kind: "patch"}, nil, false},
		{"a patch that is let through", model.Change{Kind: "patch"}, []model.SuspicionKind{model.SuspectUncompared}, true},
		{"a patch that is let through for something else", model.Change{Kind: "patch"}, []model.SuspicionKind{model.SuspectState}, false},
		{"proven", model.Change{Kind: "x", Obligations: []model.Obligation{proven, proven}}, nil, true},
		{"assumed in part", model.Change{Kind: "x", Obligations: []model.Obligation{proven, assumed}}, nil, false},
		{"without obligations", model.Change{Kind: "x"}, nil, false},
		{"must be driven", model.Change{Kind: "x", MustDrive: true, Obligations: []model.Obligation{proven}}, nil, false},
	} {
		a := new(Attempt).of(subject{Attempt: model.Attempt{Change: tt.change, Outcome: model.Kept, Driven: []model.Driven{{Func: "m.F", Skipped: "no test and no benchmark calls it"}}}, policy: Own(model.Change{}), p: &Prover{}})
		c := driven(&a.Attempt, nil, nil)
		r := unseen(a.Attempt, tt.allow, c.Skipped)
		got := r == nil
		if !got {
			a.refuse(*r)
		}
		if got != tt.want || got != a.Outcome.Kept() {
			t.Errorf("%s: %v, %s", tt.name, got, a.Outcome)
		}
		if want := "behaviour was not compared with the base's: " + why + "; write a test that calls m.F, or use -allow uncompared to rely on the tests alone"; !got && a.Reason != want {
			t.Errorf("%s: the reason is %q", tt.name, a.Reason)
		}
		if len(a.Needs) > 0 == got {
			t.Errorf("%s: consent is asked for: %v", tt.name, a.Needs)
		}
	}
}

// The set-up of one benchmark is no set-up when another has it in its loop.
func TestSetUp(t *testing.T) {
	in := func(setUp, timed bool) covered { return func(string, int, int) (bool, bool) { return setUp, timed } }
	tests := []struct {
		covers       []covered
		setUp, timed bool
	}{
		{nil, false, true}, // not known yet
		{[]covered{in(false, false)}, false, false},
		{[]covered{in(true, false), in(false, false)}, true, false},
		{[]covered{in(true, false), in(false, true)}, false, true},
	}
	for i, tt := range tests {
		x := &subject{policy: Policy{covers: tt.covers}}
		if setUp, timed := x.policy.setUp("p.go", 1, 2), x.timed("p.go", 1, 2); setUp != tt.setUp || timed != tt.timed {
			t.Errorf("%d: got %v, %v", i, setUp, timed)
		}
		if len(tt.covers) == 0 && x.policy.timed("p.go", 1, 2) {
			t.Errorf("%d: what no benchmark was asked for counts as timed", i)
		}
	}
}

// Consent asks for what stands in the way, all of it, and for nothing that is
// never let through.
func TestConsent(t *testing.T) {
	driven := func(kinds ...model.DifferenceKind) []model.Driven {
		var ds []model.Difference
		for _, k := range kinds {
			ds = append(ds, model.Difference{Kind: k, Where: "result 0"})
		}
		return []model.Driven{{Func: "m.F", Differences: ds}}
	}
	failed := func(name string) []model.Check {
		return []model.Check{{Name: "vet", OK: true}, {Name: name, Detail: "x"}}
	}
	for _, tt := range []struct {
		name string
		a    model.Attempt
		want []model.SuspicionKind
	}{
		{"not refused", model.Attempt{Checks: []model.Check{{Name: "vet", OK: true}, {Name: "race", Skipped: "no compiler"}}}, nil},
		{"tests", model.Attempt{Checks: failed("tests")}, nil},
		{"both soft", model.Attempt{Checks: failed("behaviour"), Driven: driven(model.DiffErrorText, model.DiffNil)}, []model.SuspicionKind{model.SuspectErrorText, model.SuspectNil}},
		{"one hard", model.Attempt{Checks: failed("behaviour"), Driven: driven(model.DiffErrorText, model.DiffResult)}, nil},
		{"better", model.Attempt{Checks: failed("behaviour"), Driven: []model.Driven{{Differences: []model.Difference{
			{Kind: model.DiffPanic, Where: "the call", Base: "panics: index out of range", Candidate: "returns"},
			{Kind: model.DiffDeleted, Where: "the branch \"n > 9\""},
			{Kind: model.DiffHeap, Where: model.LiveResults},
		}}}}, []model.SuspicionKind{model.SuspectBetter, model.SuspectUncompared, model.SuspectState}},
		{"a new panic", model.Attempt{Checks: failed("behaviour"), Driven: []model.Driven{{Differences: []model.Difference{
			{Kind: model.DiffPanic, Where: "the call", Base: "returns", Candidate: "panics: index out of range"},
		}}}}, nil},
		{"grows", model.Attempt{Checks: failed("behaviour"), States: []model.State{{Name: "c", Grows: true}}}, []model.SuspicionKind{model.SuspectState}},
		{"state", model.Attempt{Checks: failed("refused"), Suspicions: []model.Suspicion{{Kind: model.SuspectState}}}, []model.SuspicionKind{model.SuspectState}},
		{"a cheat", model.Attempt{Checks: failed("refused"), Suspicions: []model.Suspicion{{Kind: model.SuspectState}, {Kind: model.SuspectCount}}}, nil},
	} {
		if got := needs(tt.a, nil); !cmp.Equal(got, tt.want) {
			t.Errorf("%s: %v; want %v", tt.name, got, tt.want)
		}
	}
}
