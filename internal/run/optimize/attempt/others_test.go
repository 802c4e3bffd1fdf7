package attempt

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/pawl-dev/pawl/internal/measure/trial"
	"github.com/pawl-dev/pawl/internal/measure/verdict"
	"github.com/pawl-dev/pawl/internal/model"
)

// Other benchmarks are compared once for all changes that were proven at once. One that pays
// refuses all of them, and what was measured is in the last.
func TestSpare(t *testing.T) {
	others := func(names ...string) (plans []model.Plan) {
		for _, name := range names {
			plans = append(plans, model.Plan{Benchmark: model.Benchmark{Pkg: "p", Name: name}, N: 1000, Mode: model.Duet})
		}
		return plans
	}
	for name, tt := range map[string]struct {
		on   machine
		kept bool
	}{
		"none pays": {machine{"BenchmarkB": 1, "BenchmarkC": 0.5}, true},
		"one pays":  {machine{"BenchmarkB": 1, "BenchmarkC": 1.5}, false},
	} {
		m := recorded(t)
		hour := func() time.Duration { return time.Hour }
		p := &Prover{M: m, Trial: trial.New(tt.on, 1), Alpha: 0.05, PerChange: time.Hour, Left: hour, ToProve: hour}
		var parts []*Attempt
		for i, list := range [][]model.Plan{others("BenchmarkB"), others("BenchmarkB", "BenchmarkC")} {
			policy := Own(model.Change{})
			policy.judges, policy.others = others("BenchmarkA"), list
			a := p.begin(model.Change{ID: string(rune('x' + i))}, policy, time.Now())
			a.Base, a.Next, a.number, a.Outcome = m.New("a"), m.New("b"), 1+i, model.Kept
			parts = append(parts, a)
		}
		whole := Together(parts)
		if err := whole.Spare(t.Context()); err != nil {
			t.Fatal(err)
		}
		if whole.Outcome.Kept() != tt.kept || tt.kept == strings.Contains(whole.Reason, "C becomes slower") {
			t.Errorf("%s: %s: %q", name, whole.Outcome, whole.Reason)
		}
		whole.Share()
		var compared []string
		for _, v := range parts[1].Verdicts {
			compared = append(compared, v.Benchmark.Name)
		}
		if diff := cmp.Diff([]string{"BenchmarkB", "BenchmarkC"}, compared); diff != "" || len(parts[0].Verdicts) > 0 {
			t.Errorf("%s: %s, and %d in the first", name, diff, len(parts[0].Verdicts))
		}
	}
}

// What one link of each side shows is the luck of it where fresh links show nothing, and open where they had no time.
func TestDoubtful(t *testing.T) {
	said := func(answer model.Answer, change float64) model.Verdict {
		return model.Verdict{Answer: answer, Change: change}
	}
	one := said(model.Slower, 0.05)
	for name, tt := range map[string]struct {
		screen      *model.Verdict
		v           model.Verdict
		harms, open bool
	}{
		"one link":                     {nil, one, true, false},
		"less than the layout can do":  {nil, said(model.Slower, 0.03), false, false},
		"undecided on one link":        {nil, said(model.Undecided, 0.05), false, false},
		"confirmed":                    {&one, said(model.Slower, 0.04), true, false},
		"not confirmed":                {&one, said(model.NoEffect, 0.01), false, false},
		"no time to confirm":           {&one, said(model.Undecided, 0.04), false, true},
		"no time, and as good as none": {&one, said(model.Undecided, 0.02), false, false},
	} {
		harms, open := harm(tt.v, nil) != "", doubtful(trial.Answer{Answer: verdict.Answer{Verdict: tt.v}, Screen: tt.screen}) != ""
		if harms != tt.harms || open != tt.open {
			t.Errorf("%s: harms %t, open %t", name, harms, open)
		}
	}
}

// A benchmark pays with time, with objects or with both, and all of it is said. Pawl's own changes
// may not lose anything, whatever is allowed.
func TestPays(t *testing.T) {
	v := model.Verdict{Benchmark: model.Benchmark{Name: "BenchmarkB"}, Answer: model.Slower, Change: 0.5}
	more := []model.Exact{{Metric: "allocs/op", Before: 1, After: 5}}
	how := harm(v, more)
	for _, want := range []string{"B becomes slower by 50.0 %", "allocates more: allocs/op 1 → 5"} {
		if !strings.Contains(how, want) {
			t.Errorf("%q without %q", how, want)
		}
	}
	if got := harm(model.Verdict{Answer: model.Faster, Change: -0.5}, nil); got != "" {
		t.Errorf("who gains pays: %q", got)
	}
	for name, tt := range map[string]struct {
		own, allowed bool
		want         reason // where it is refused
		kept         bool
	}{
		"pawl's own":                      {true, false, othersPay, false},
		"pawl's own, and a trade allowed": {true, true, othersPay, false},
		"somebody's":                      {false, false, traded, false},
		"somebody's, and a trade allowed": {false, true, failed, true},
	} {
		p, policy := &Prover{}, Stranger(Reached{})
		if tt.own {
			policy = Own(model.Change{})
		}
		if tt.allowed {
			p.Allow = []model.SuspicionKind{model.SuspectTrade}
		}
		a := new(Attempt).of(subject{Attempt: model.Attempt{Outcome: model.Kept, Reason: "A: faster"}, p: p, policy: policy})
		r := a.pays(how)
		if (r == nil) != tt.kept || r != nil && r.why != tt.want || tt.kept && a.Price != how {
			t.Errorf("%s: %+v, %q", name, r, a.Reason)
		}
		a = new(Attempt).of(subject{Attempt: model.Attempt{Outcome: model.RolledBack}, p: p, policy: policy})
		for _, answer := range []model.Answer{model.Faster, model.Slower} {
			a.combine(trial.Answer{Answer: verdict.Answer{Linked: true, Verdict: model.Verdict{Answer: answer, Change: -0.5}}}, nil, 2)
		}
		if a.Outcome.Kept() != tt.kept || (a.Price != "") != tt.kept {
			t.Errorf("%s, in judges: %s: %q", name, a.Outcome, a.Reason)
		}
	}
}

// What a change alters is the functions that it touches; a file as a whole where it touches
// another declaration, and nothing where it imports or adds one.
func TestAltered(t *testing.T) {
	first := line(stacked, "func (t *T) First")
	for name, tt := range map[string]struct {
		pairs       []string
		first, rest bool
	}{
		"a function":     {[]string{"\treturn t.a\n", "\treturn 0\n"}, true, false},
		"a type":         {[]string{"\ta int\n", "\ta int8\n"}, true, true},
		"a new function": {[]string{"\n\n", "\n\nfunc f() {}\n\n"}, false, false},
		"an import":      {[]string{"package m\n", "package m\n\nimport \"os\"\n"}, false, false},
	} {
		altered := on(t, nil, tt.pairs...).altered()
		at := func(line int) bool { return altered(model.Pos{File: "m.go", Line: line}) }
		if at(first+1) != tt.first || at(line(stacked, "func (t *T) Second")+1) != tt.rest {
			t.Errorf("%s: %t, %t", name, at(first+1), at(line(stacked, "func (t *T) Second")+1))
		}
	}
}
