package attempt

import (
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/internal/measure/trial"
	"github.com/pawl-dev/pawl/internal/measure/verdict"
	"github.com/pawl-dev/pawl/internal/model"
)

func TestDecide(t *testing.T) {
	allocs := func(before, after float64) model.Exact {
		return model.Exact{Metric: "allocs/op", Before: before, After: after, Tolerance: 0.005}
	}
	bytes := func(before, after float64) model.Exact {
		return model.Exact{Metric: "B/op", Before: before, After: after, Tolerance: 0.5}
	}
	noisy := func(e model.Exact) model.Exact { e.Noisy = true; return e }
	same := []model.Exact{allocs(1, 1), bytes(16, 16)}
	win := []model.Exact{allocs(5, 3), bytes(73788, 73757)}

	tests := []struct {
		name     string
		answer   model.Answer
		change   float64
		excluded bool
		counts   []model.Exact
		want     model.Outcome
		reason   string
	}{
		{"an allocation win", model.Undecided, -0.01, true, win, model.Kept, "allocs/op 5 → 3"},
		{"an allocation win that may be slower", model.Undecided, 0.02, false, win, model.Unsettled, "too few runs to rule out a slowdown"},
		{"an allocation win that is slower", model.Slower, 0.05, false, win, model.RolledBack, "slower by 5.0 %"},
		{"a win that is slower, though by less than the floor", model.Slower, 0.02, true, win, model.RolledBack, "slower"},
		{"fewer objects, more bytes", model.Undecided, 0, true, []model.Exact{allocs(6.3, 6.1), bytes(271, 1300)}, model.Unsettled, "too little was measured"},
		{"fewer objects, hardly more bytes", model.Undecided, 0, true, []model.Exact{allocs(622, 541), bytes(27563, 27594)}, model.Kept, "allocs/op 622 → 541"},
		{"hardly fewer objects, hardly more bytes", model.Undecided, 0, true, []model.Exact{allocs(622, 621), bytes(27563, 27594)}, model.Unsettled, "too little was measured"},
		{"fewer objects, hardly more bytes, but slower", model.Slower, 0.05, false, []model.Exact{allocs(622, 541), bytes(27563, 27594)}, model.RolledBack, "slower"},
		{"fewer objects, more bytes, and faster", model.Faster, -0.6, true, []model.Exact{allocs(6.3, 6.1), bytes(271, 300)}, model.Kept, "faster by 60.0 %"},
		{"fewer bytes alone", model.NoEffect, 0, true, []model.Exact{allocs(1, 1), bytes(64, 32)}, model.Kept, "B/op 64 → 32"},
		{"more objects, however fast", model.Faster, -0.3, true, []model.Exact{allocs(1, 2), bytes(16, 16)}, model.RolledBack, "allocates more"},
		{"faster", model.Faster, -0.45, true, same, model.Kept, "faster by 45.0 %"},
		{"faster by less than the layout can do", model.Faster, -0.16, true, same, model.Unsettled, "layout"},
		{"no effect", model.NoEffect, 0, true, same, model.RolledBack, "no worthwhile effect"},
		{"undecided", model.Undecided, -0.04, true, same, model.Unsettled, "too little was measured"},
		{"a count that is not exact is no win", model.Undecided, 0, true, []model.Exact{noisy(allocs(5, 3)), noisy(bytes(9, 1))}, model.Unsettled, "too little was measured"},
		{"and no loss", model.Faster, -0.5, true, []model.Exact{noisy(allocs(3, 5)), bytes(9, 9)}, model.Kept, "faster"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, reason := decide(trial.Answer{Answer: verdict.Answer{
				Verdict:       model.Verdict{Answer: tt.answer, Change: tt.change, Units: 8},
				FloorExcluded: tt.excluded,
			}}, tt.counts)
			if got != tt.want || !strings.Contains(reason, tt.reason) {
				t.Errorf("%s: %q; want %s: %q", got, reason, tt.want, tt.reason)
			}
		})
	}
}

// A patch is judged by several benchmarks: one must gain, none may lose unless that is allowed,
// whichever comes first.
func TestCombine(t *testing.T) {
	type one struct {
		answer model.Answer
		allocs float64 // per op, and 1 before
	}
	gain, lose, nothing, more := one{model.Faster, 1}, one{model.Slower, 1}, one{model.NoEffect, 1}, one{model.Undecided, 5}
	open := one{model.Undecided, 1}
	fewer := one{model.Slower, 0}
	faster := one{model.Faster, 5}
	tests := []struct {
		in              []one
		want, ifAllowed model.Outcome
	}{
		{[]one{gain, nothing}, model.Kept, model.Kept},
		{[]one{nothing, gain}, model.Kept, model.Kept},
		{[]one{gain, lose}, model.RolledBack, model.Kept},
		{[]one{lose, gain}, model.RolledBack, model.Kept},
		{[]one{lose, nothing, gain}, model.RolledBack, model.Kept},
		{[]one{nothing, nothing}, model.RolledBack, model.RolledBack},
		{[]one{lose, nothing}, model.RolledBack, model.RolledBack},
		{[]one{lose, open}, model.RolledBack, model.RolledBack},
		{[]one{lose}, model.RolledBack, model.RolledBack},
		{[]one{fewer}, model.RolledBack, model.Kept},
		{[]one{faster}, model.RolledBack, model.Kept},
		{[]one{nothing, open}, model.Unsettled, model.Unsettled},
		{[]one{open, nothing}, model.Unsettled, model.Unsettled},
		{[]one{open, gain}, model.Kept, model.Kept},
		{[]one{open, lose}, model.RolledBack, model.RolledBack},
		{[]one{gain, more}, model.RolledBack, model.Kept},
		{[]one{more, gain}, model.RolledBack, model.Kept},
	}
	for _, tt := range tests {
		for _, allowed := range []bool{false, true} {
			want, p := tt.want, &Prover{}
			if allowed {
				want, p.Allow = tt.ifAllowed, []model.SuspicionKind{model.SuspectTrade}
			}
			a := new(Attempt).of(subject{Attempt: model.Attempt{Outcome: model.RolledBack}, p: p, policy: Policy{trades: true}})
			for _, o := range tt.in {
				answer := trial.Answer{Answer: verdict.Answer{Linked: true, Verdict: model.Verdict{Benchmark: model.Benchmark{Name: "BenchmarkX"}, Answer: o.answer, Change: -0.5}}}
				a.combine(answer, []model.Exact{{Metric: "allocs/op", Before: 1, After: o.allocs}}, len(tt.in))
			}
			if a.Outcome != want {
				t.Errorf("%v, a trade allowed: %v: %s (%s), want %s", tt.in, allowed, a.Outcome, a.Reason, want)
			}
			r := a.decided()
			if may := r != nil && r.why == traded; may != (tt.want != tt.ifAllowed && !allowed) {
				t.Errorf("%v, a trade allowed: %v: refused as a trade: %v", tt.in, allowed, may)
			}
		}
	}
}

// On fresh links of both sides a small gain is one of the source.
func TestDecideOnLinks(t *testing.T) {
	a := trial.Answer{Answer: verdict.Answer{Verdict: model.Verdict{Answer: model.Faster, Change: -0.04}, Linked: true}}
	if got, reason := decide(a, nil); got != model.Kept || !strings.Contains(reason, "faster by 4.0 %") {
		t.Errorf("%s: %q", got, reason)
	}
	a.Verdict.Answer, a.Layout = model.Undecided, true
	if got, reason := decide(a, nil); got != model.Unsettled || !strings.Contains(reason, "layout") {
		t.Errorf("open after links: %s: %q", got, reason)
	}
}
