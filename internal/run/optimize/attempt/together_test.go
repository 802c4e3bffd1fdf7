package attempt

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pawl-dev/pawl/internal/measure/trial"
	"github.com/pawl-dev/pawl/internal/model"
)

const stacked = `package m

type T struct {
	a int
}

func (t *T) First() int {
	return t.a
}

func (t *T) Second() int {
	return t.a + 1
}

func (t *T) Third() int {
	return t.a + 2
}
`

// on makes an attempt that replaces old by new in what the attempts below leave behind.
func on(t *testing.T, below []*Attempt, pairs ...string) *Attempt {
	t.Helper()
	src := stacked
	if len(below) > 0 {
		src = string(below[len(below)-1].After["m.go"])
	}
	a := new(Attempt).of(subject{edited: edited{before: map[string][]byte{"m.go": []byte(src)}, After: map[string][]byte{}}})
	after := src
	for i := 0; i < len(pairs); i += 2 {
		at := strings.Index(src, pairs[i])
		if at < 0 {
			t.Fatalf("no %q", pairs[i])
		}
		a.Change.Edits = append(a.Change.Edits, model.Edit{File: "m.go", Start: at, End: at + len(pairs[i]), New: pairs[i+1]})
		after = strings.Replace(after, pairs[i], pairs[i+1], 1)
	}
	a.After["m.go"], a.edits = []byte(after), a.Change.Edits
	return a
}

func line(src, text string) int { return 1 + strings.Count(src[:strings.Index(src, text)], "\n") }

// What was driven belongs to the change that touches the function, wherever changes above it
// have moved that, and what belongs to none is nobody's.
func TestOwn(t *testing.T) {
	first := on(t, nil, "\ta int\n", "\ta int\n\tb int\n", "\treturn t.a\n", "\tt.b = 1\n\treturn t.a\n")
	second := on(t, []*Attempt{first}, "\tb int\n", "\tb int\n\tc int\n\td int\n", "\treturn t.a + 1\n", "\tt.c = 1\n\treturn t.a + 1\n")
	final := string(second.After["m.go"])
	var all []model.Driven
	for _, name := range []string{"First", "Second", "Third"} {
		all = append(all, model.Driven{Func: name, At: model.Pos{File: "m.go", Line: line(final, "func (t *T) "+name)}})
	}
	if diff := cmp.Diff(all[:1], first.own(all, edits([]*Attempt{second}))); diff != "" {
		t.Error("first:", diff)
	}
	if diff := cmp.Diff(all[1:2], second.own(all, nil)); diff != "" {
		t.Error("second:", diff)
	}
}

// Changes of one function are not apart, changes of one type are.
func TestApart(t *testing.T) {
	first := on(t, nil, "\ta int\n", "\ta int\n\tb int\n", "\treturn t.a\n", "\tt.b = 1\n\treturn t.a\n")
	second := on(t, []*Attempt{first}, "\tb int\n", "\tb int\n\tc int\n", "\treturn t.a + 1\n", "\tt.c = 1\n\treturn t.a + 1\n")
	both := []*Attempt{first, second}
	for _, tt := range []struct {
		change      *Attempt
		first, last bool // apart from the first, and from the second
	}{
		{on(t, both, "\tc int\n", "\tc int\n\td int\n", "t.a + 2", "t.a + 3"), true, true},
		{on(t, both, "\tt.b = 1\n", "\tt.b = 2\n"), false, true},
		{on(t, both, "\tt.c = 1\n", ""), true, false},
		{on(t, both, "\treturn t.a\n", "\treturn t.a + t.b\n", "t.a + 1", "t.a + t.c"), false, false},
	} {
		if got := first.Apart(tt.change.Change, []*Attempt{second}); got != tt.first {
			t.Errorf("%v: apart from the first: %t", tt.change.Change.Edits, got)
		}
		if got := second.Apart(tt.change.Change, nil); got != tt.last {
			t.Errorf("%v: apart from the second: %t", tt.change.Change.Edits, got)
		}
	}
}

// States that reading has found of one change are not another's.
func TestStatesOfParts(t *testing.T) {
	read := []model.State{{Name: "x", Bound: "one"}}
	ran := []model.State{{Name: "x", Grows: true, Retained: 8}, {Name: "y", Grows: true}}
	want := []model.State{{Name: "x", Bound: "one", Grows: true, Retained: 8}}
	if diff := cmp.Diff(want, states(read, ran)); diff != "" {
		t.Error(diff)
	}
}

// Where the budget ends within a proof of several changes, none of them is refuted: each is
// undecided with what was measured of it, leaves the tree, the highest first, and leaves no
// files behind.
func TestTogetherLate(t *testing.T) {
	var left []string
	var parts []*Attempt
	p := &Prover{Trial: trial.New(machine{}, 1), NotKept: func(context.Context, *Attempt) {}}
	for _, id := range []string{"first", "second"} {
		a := new(Attempt).of(subject{
			Attempt: model.Attempt{Change: model.Change{ID: id}, Outcome: model.Kept, Reason: "allocs/op 2 → 1"}, p: p,
		})
		a.policy.judges = []model.Plan{{Benchmark: model.Benchmark{Name: "Benchmark" + id}}}
		a.undo = func() error { left = append(left, id); return nil }
		a.proof.dir = t.TempDir()
		parts = append(parts, a)
	}
	whole := Together(parts)
	whole.proof.dir = t.TempDir()
	dirs := []string{whole.proof.dir, parts[0].proof.dir, parts[1].proof.dir}
	if n := len(whole.policy.judges); n != 2 {
		t.Errorf("%d benchmarks judge both", n)
	}
	ctx, cancel := context.WithCancel(t.Context())
	whole.policy.inTree = nil
	whole.policy.beside = []check{{"behaviour", func(_ *Attempt, ctx context.Context) (*refusal, error) {
		cancel() // the budget ends while it is driven
		<-ctx.Done()
		return nil, ctx.Err()
	}}}
	if err := whole.Prove(ctx).Wait(); !errors.Is(err, context.Canceled) || whole.Outcome != model.Kept {
		t.Errorf("%s, %v", whole.Outcome, err)
	}
	for _, dir := range dirs {
		if _, err := os.Stat(dir); !os.IsNotExist(err) {
			t.Errorf("%s is left: %v", dir, err)
		}
	}
	for _, a := range parts {
		a.Unproven()
	}
	for i := len(parts) - 1; i >= 0; i-- {
		if err := parts[i].Withdraw(t.Context()); err != nil {
			t.Error(err)
		}
	}
	if diff := cmp.Diff([]string{"second", "first"}, left); diff != "" {
		t.Error("out of the tree:", diff)
	}
	for _, a := range parts {
		if a.Outcome != model.Unsettled || !strings.HasPrefix(a.Reason, "allocs/op 2 → 1; ") || a.Together != 0 || len(a.Checks) > 0 {
			t.Errorf("%s: %s, together with %d, %v", a.Outcome, a.Reason, a.Together, a.Checks)
		}
	}
}
