package trial

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/pawl-dev/pawl/internal/lab/sample"

	"github.com/pawl-dev/pawl/internal/measure/bench"
	"github.com/pawl-dev/pawl/internal/measure/verdict"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/judge"
)

// A simulated machine on which every link has a luck of its own: the same
// binary always has the same one, and fresh links draw afresh.
type lucky struct {
	effect   float64            // of the source
	luck, sd float64            // standard deviations of a link and of a sample
	unlucky  map[string]float64 // more of it, by path
	rng      *rand.Rand
	links    int // pairs asked for
	fail     error
}

func (l *lucky) Unit(_ context.Context, p model.Plan, base, cand *bench.Binary, u Unit) ([2]model.Sample, error) {
	var pair [2]model.Sample
	for i, b := range []*bench.Binary{base, cand} {
		ns := 100 * math.Exp(luckOf(b.Path, l.luck)+l.unlucky[b.Path]+l.sd*l.rng.NormFloat64())
		if i == 1 {
			ns *= 1 + l.effect
		}
		pair[i] = model.Sample{Benchmark: p.Benchmark, N: p.N, CPUNs: ns, WallNs: ns, Unit: u.Index}
	}
	return pair, nil
}

func luckOf(path string, sd float64) float64 {
	h := fnv.New64a()
	h.Write([]byte(path))
	return sd * rand.New(rand.NewPCG(h.Sum64(), 1)).NormFloat64()
}

func (l *lucky) Pair(_ context.Context, seed uint64) (base, cand *bench.Binary, err error) {
	if l.fail != nil {
		return nil, nil, l.fail
	}
	l.links++
	return &bench.Binary{Path: fmt.Sprintf("/nowhere/b%d", seed)}, &bench.Binary{Path: fmt.Sprintf("/nowhere/c%d", seed)}, nil
}

// Default makes the candidate's link unlucky by a fifth.
func (l *lucky) Default(context.Context) (base, cand *bench.Binary, err error) {
	l.effect += 0.2
	return &bench.Binary{Path: "/nowhere/b"}, &bench.Binary{Path: "/nowhere/c"}, nil
}

func judgeLucky(t *testing.T, seed uint64, l *lucky, links Links) Answer {
	t.Helper()
	l.rng = rand.New(rand.NewPCG(seed, 2))
	a, err := New(l, seed).judge(t.Context(), Question{
		Plan: plan, Base: &bench.Binary{Path: fmt.Sprintf("/nowhere/base%d", seed)}, Cand: &bench.Binary{Path: fmt.Sprintf("/nowhere/cand%d", seed)},
		Rules: verdict.Rules{Judge: judge.RegressRules()}, Links: links,
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// Two builds of the same source differ by their luck. On one link of each that
// is found as a difference, rightly; on fresh links it must not be.
func TestLayoutIsNoFinding(t *testing.T) {
	simulation(t)
	const runs = 100
	oneLink, fresh := 0, 0
	for seed := range uint64(runs) {
		l := &lucky{luck: 0.015, sd: 0.01}
		if judgeLucky(t, seed, l, nil).Layout {
			oneLink++
		}
		a := judgeLucky(t, seed, l, l)
		if a.Verdict.Answer == model.Slower || a.Verdict.Answer == model.Faster {
			fresh++
		}
	}
	if oneLink < runs/4 {
		t.Errorf("one link of each side differs in %d of %d comparisons: the simulation has too little luck to show anything", oneLink, runs)
	}
	if fresh > 10 { // 5 % is the promise
		t.Errorf("%d of %d comparisons of the same source found a difference", fresh, runs)
	}
}

// The table of docs/judge.md: the noise of a duet is 2.5 %, and each comparison
// may take 120 units.
func TestTableLinks(t *testing.T) {
	simulation(t)
	rules := judge.RegressRules()
	rules.MaxUnits = 120
	const runs = 300
	type row struct {
		luck, effect float64
		found        int // at least
	}
	for _, tt := range sample.Part([]row{{0.003, 0, 0}, {0.003, 0.02, 285}, {0.003, 0.05, 299}, {0.01, 0, 0}, {0.01, 0.02, 260}, {0.01, 0.05, 298}, {0.018, 0, 0}, {0.018, 0.02, 260}, {0.018, 0.05, 298}}, 3) {
		slower, faster, equal, linked, duets, pairs := 0, 0, 0, 0, 0, 0
		for seed := range uint64(runs) {
			l := &lucky{effect: tt.effect, luck: tt.luck, sd: 0.025 / math.Sqrt2, rng: rand.New(rand.NewPCG(seed, 2))}
			a, err := New(l, seed).judge(t.Context(), Question{
				Plan: plan, Base: &bench.Binary{Path: fmt.Sprintf("/nowhere/base%d", seed)}, Cand: &bench.Binary{Path: fmt.Sprintf("/nowhere/cand%d", seed)},
				Rules: verdict.Rules{Judge: rules}, Links: l,
			}, nil)
			if err != nil {
				t.Fatal(err)
			}
			switch a.Verdict.Answer {
			case model.Slower:
				slower++
			case model.Faster:
				faster++
			case model.NoEffect:
				equal++
			}
			if a.Screen == nil {
				duets += a.Verdict.Units
				continue
			}
			linked, duets, pairs = linked+1, duets+a.Screen.Units, pairs+a.Verdict.Units
		}
		t.Logf("%.1f %% a link, effect %.0f %%: slower %d, faster %d, no effect %d of %d; %.1f duets on one link; %d on fresh links, %.1f pairs",
			100*tt.luck, 100*tt.effect, slower, faster, equal, runs, float64(duets)/runs, linked, float64(pairs)/float64(max(1, linked)))
		if tt.effect == 0 && slower+faster > runs/20 || tt.effect > 0 && (faster > runs/100 || slower < tt.found) {
			t.Errorf("luck %v, effect %v: slower %d, faster %d of %d", tt.luck, tt.effect, slower, faster, runs)
		}
	}
}

func TestFreshLinksFindTheEffect(t *testing.T) {
	found := 0
	const runs = 40
	for seed := range uint64(runs) {
		l := &lucky{effect: 0.05, luck: 0.015, sd: 0.01}
		if judgeLucky(t, seed, l, l).Verdict.Answer == model.Slower {
			found++
		}
	}
	if found < runs*9/10 {
		t.Errorf("5 %% found in %d of %d", found, runs)
	}
}

// More duets on a pair of links pay where these are noisy, and links slow or alike.
func TestPerLink(t *testing.T) {
	quick := duetCost{seconds: 0.25, sd: 0.02}
	for _, tt := range []struct {
		name string
		link float64
		duet duetCost
		sd   float64 // of pairs of links with two duets
		n    int     // such pairs
		want int
	}{
		{"too few pairs", 0.3, quick, 0.03, 3, 2},
		{"a noise that is not known", 0.3, duetCost{seconds: 0.25}, 0.03, 8, 2},
		{"lucky links, quiet duets", 0.3, duetCost{0.25, 0.006}, 0.03, 8, 1},
		{"links alike", 0.3, duetCost{0.25, 0.04}, 0.028, 8, 3},
		{"slow links alike", 5, duetCost{0.25, 0.04}, 0.028, 8, 6},
		{"slow and lucky links, quiet duets", 5, duetCost{0.25, 0.004}, 0.03, 8, 1},
	} {
		d := judge.Decision{Units: tt.n, NoiseSD: tt.sd}
		if got := perLink(judge.RegressRules(), tt.link, tt.duet, d, 2); got != tt.want {
			t.Errorf("%s: %d duets, want %d", tt.name, got, tt.want)
		}
	}
}

// What a budget leaves open on fresh links goes on there when there is more time:
// all pairs are one sequence, and none is measured again.
func TestLinksGoOn(t *testing.T) {
	l := &lucky{effect: 0.05, luck: 0.003, sd: 0.01, rng: rand.New(rand.NewPCG(1, 2))}
	tr := New(l, 1)
	var found Found
	c := Comparison{
		Question: Question{Plan: plan, Base: &bench.Binary{Path: "/nowhere/base"}, Cand: &bench.Binary{Path: "/nowhere/cand"}, Rules: verdict.Rules{Judge: judge.RegressRules()}, Links: l, LinkBudget: time.Nanosecond},
		Counts:   []model.Exact{{Metric: verdict.Allocs}},
	}
	for i := 1; ; i++ {
		before := len(found.Samples)
		var err error
		if found, err = tr.Compare(t.Context(), c, nil); err != nil {
			t.Fatal(err)
		}
		v := found.Verdict
		if !found.Linked || found.Screen == nil || v.Units != i || len(v.Course.Ratios) != i || len(found.Samples) <= before {
			t.Fatalf("after %d calls: %d pairs of links (%t), a course of %d, %d samples after %d", i, v.Units, found.Linked, len(v.Course.Ratios), len(found.Samples), before)
		}
		if last := found.Samples[len(found.Samples)-1][0].Link; last != i {
			t.Fatalf("the last of %d pairs is number %d", i, last)
		}
		if v.Answer != model.Undecided {
			break
		}
		c.Known = &found
	}
	if v := found.Verdict; v.Answer != model.Slower || v.Units < c.Rules.Judge.MinUnits() {
		t.Errorf("%s after %d pairs", v.Answer, v.Units)
	}
}

// Duets of a round before are the first samples, also those that were not needed to see that fresh links are: who writes down
// what is new begins behind them.
func TestNothingMeasuredIsLost(t *testing.T) {
	l := &lucky{effect: 0.05, luck: 0.003, sd: 0.01, rng: rand.New(rand.NewPCG(1, 2))}
	tr := New(l, 1)
	c := Comparison{
		Question: Question{Plan: plan, Base: &bench.Binary{Path: "/nowhere/base"}, Cand: &bench.Binary{Path: "/nowhere/cand"}, Rules: verdict.Rules{Judge: judge.RegressRules()}, Links: l},
		Counts:   []model.Exact{{Metric: verdict.Allocs}},
		First:    true,
	}
	known, err := tr.Compare(t.Context(), c, nil)
	if err != nil || len(known.Samples) < c.Rules.Judge.MinUnits() {
		t.Fatalf("%d samples, %v", len(known.Samples), err)
	}
	c.First, c.Known = false, &known
	found, err := tr.Compare(t.Context(), c, nil)
	if err != nil || !found.Linked || found.Screen.Units >= len(known.Samples) {
		t.Fatalf("%+v, %v", found.Answer, err)
	}
	if diff := cmp.Diff(known.Samples, found.Samples[:len(known.Samples)]); diff != "" {
		t.Errorf("(-before +after)\n%s", diff)
	}
	links := map[int]bool{}
	for _, p := range found.Samples[len(known.Samples):] {
		links[p[0].Link] = true
	}
	if len(links) != found.Verdict.Units || links[0] {
		t.Errorf("%d pairs of links of %d", len(links), found.Verdict.Units)
	}
}

// Where one link of each side says that there is no effect, fresh ones have a say,
// unless a gate or a metric asks, or nothing can be linked.
func TestLook(t *testing.T) {
	regress, gate := verdict.Rules{Judge: judge.RegressRules()}, verdict.Rules{Judge: judge.RegressRules(), AtFloor: true}
	late := time.Now().Add(leastLinks - time.Minute)
	for name, tt := range map[string]struct {
		luck, effect float64
		rules        verdict.Rules
		fail         error
		deadline     time.Time
		want         model.Answer
		linked       bool
		looked       int
	}{
		"equals":                    {0, 0, regress, nil, time.Time{}, model.NoEffect, false, verdict.Looks},
		"hidden by a link":          {-0.05, 0.05, regress, nil, time.Time{}, model.Slower, true, 0},
		"a gate":                    {-0.05, 0.05, gate, nil, time.Time{}, model.NoEffect, false, 0},
		"late":                      {-0.05, 0.05, regress, nil, late, model.NoEffect, false, 0},
		"what cannot be linked":     {-0.05, 0.05, regress, errors.New("no such flag"), time.Time{}, model.NoEffect, false, 0},
		"adopted only for its gain": {0, 0, verdict.Rules{Judge: judge.AdoptRules()}, nil, time.Time{}, model.NoEffect, false, 0},
	} {
		l := &lucky{effect: tt.effect, sd: 0.005, fail: tt.fail, rng: rand.New(rand.NewPCG(1, 2)), unlucky: map[string]float64{"/nowhere/cand": tt.luck}}
		a, err := New(l, 1).judge(t.Context(), Question{
			Plan: plan, Base: &bench.Binary{Path: "/nowhere/base"}, Cand: &bench.Binary{Path: "/nowhere/cand"}, Rules: tt.rules, Links: l, Deadline: tt.deadline,
		}, nil)
		if err != nil {
			t.Fatal(err)
		}
		links := 0
		for _, p := range a.Samples {
			links = max(links, p[0].Link)
		}
		if a.Verdict.Answer != tt.want || a.Linked != tt.linked || a.Looked != (tt.looked > 0) || !tt.linked && links != tt.looked || tt.linked && links != a.Verdict.Units {
			t.Errorf("%s: %s, on links: %t, looked at: %t, %d links", name, a.Verdict.Answer, a.Linked, a.Looked, links)
		}
	}
}

// One link says enough long before it could claim something, unless what was
// asked is answered there.
func TestDoubts(t *testing.T) {
	adopt, regress := verdict.Rules{Judge: judge.AdoptRules()}, verdict.Rules{Judge: judge.RegressRules()}
	gate := regress
	gate.AtFloor = true
	for _, tt := range []struct {
		name     string
		rules    verdict.Rules
		evidence float64
		change   float64
		answer   judge.Answer
		want     bool
	}{
		{"slower", regress, 9, 0.02, judge.Undecided, true},
		{"faster", regress, 9, -0.02, judge.Undecided, true},
		{"little evidence", regress, 7, 0.02, judge.Undecided, false},
		{"a small effect", regress, 9, 0.009, judge.Undecided, false},
		{"a large one", regress, 9, 0.4, judge.Undecided, false},
		{"answered", regress, 50, 0.02, judge.Slower, false},
		{"a gain", adopt, 9, -0.02, judge.Undecided, true},
		{"no gain", adopt, 9, 0.02, judge.Undecided, false},
		{"a gate, slower", gate, 9, 0.02, judge.Undecided, true},
		{"a gate, faster", gate, 9, -0.02, judge.Undecided, false},
	} {
		if got := Doubts(tt.rules, judge.Decision{Answer: tt.answer, E: tt.evidence, Estimate: tt.change}); got != tt.want {
			t.Errorf("%s: %v", tt.name, got)
		}
	}
	l := &lucky{effect: 0.05, sd: 0.01}
	if a := judgeLucky(t, 1, l, l); !a.Linked || a.Screen == nil || a.Screen.Units >= judge.RegressRules().MinUnits() || len(a.Screen.Warnings) > 0 {
		t.Errorf("one link of each side: %+v", a.Screen)
	}
}

// Where a change is wanted for its gain, one that is slower on one link ends there, and
// costs no link. It may be layout, so that nothing is claimed of it. One that is wanted
// for another reason goes on.
func TestGainOnly(t *testing.T) {
	for _, tt := range []struct {
		name    string
		effect  float64
		atFloor bool
		want    model.Answer
		links   bool
	}{
		{"slower", 0.1, false, model.NoEffect, false},
		{"faster", -0.1, false, model.Faster, true},
		{"slower beyond the reach of layout", 0.6, false, model.Slower, false},
		{"it allocates less", 0.1, true, model.Slower, true},
	} {
		l := &lucky{effect: tt.effect, sd: 0.01, rng: rand.New(rand.NewPCG(1, 2))}
		rules := verdict.Rules{Judge: judge.AdoptRules(), GainOnly: true, AtFloor: tt.atFloor}
		if tt.atFloor {
			rules.Floor = verdict.LayoutFloor
		}
		a, err := New(l, 1).judge(t.Context(), Question{
			Plan: plan, Base: &bench.Binary{Path: "/nowhere/base"}, Cand: &bench.Binary{Path: "/nowhere/cand"}, Rules: rules, Links: l,
		}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if a.Verdict.Answer != tt.want || a.Linked != tt.links || (l.links > 0) != tt.links {
			t.Errorf("%s: %s, on links: %t, after %d pairs of them", tt.name, a.Verdict.Answer, a.Linked, l.links)
		}
	}
}

// A difference beyond the reach of any layout needs no links.
func TestLargeEffectNeedsNoLinks(t *testing.T) {
	l := &lucky{effect: 0.6, luck: 0.015, sd: 0.01}
	a := judgeLucky(t, 1, l, l)
	if a.Verdict.Answer != model.Slower || a.Linked || l.links != 0 {
		t.Errorf("%s after %d pairs of links", a.Verdict.Answer, l.links)
	}
}

// Fresh links end with the budget of the run, and get a few seconds at least.
func TestLinkTime(t *testing.T) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for _, tt := range []struct{ budget, left, want time.Duration }{
		{4 * time.Minute, time.Hour, 4 * time.Minute},
		{4 * time.Minute, 30 * time.Second, 30 * time.Second},
		{4 * time.Minute, -time.Second, leastLinks},
		{time.Second, 30 * time.Second, time.Second},
		{0, 30 * time.Second, 30 * time.Second},
		{-1, -time.Second, leastLinks},
	} {
		if got := (Question{LinkBudget: tt.budget, Deadline: now.Add(tt.left)}).linkTime(now); got != tt.want {
			t.Errorf("%v with %v left: %v, want %v", tt.budget, tt.left, got, tt.want)
		}
	}
	if got := (Question{LinkBudget: time.Minute}).linkTime(now); got != time.Minute {
		t.Errorf("without a deadline: %v", got)
	}
}

func TestNotSeparable(t *testing.T) {
	small := func() *lucky { return &lucky{effect: 0.02, sd: 0.005} }
	for name, links := range map[string]Links{"no links": nil, "links that fail": &lucky{fail: errors.New("no such flag")}} {
		a := judgeLucky(t, 3, small(), links)
		if a.Verdict.Answer != model.Undecided || !a.Layout || len(a.Verdict.Warnings) == 0 {
			t.Errorf("%s: %+v", name, a.Verdict)
		}
	}
}

// The order of a guard's slices is drawn: an advantage of the one that runs second
// must not trip it, and a candidate that waits must.
func TestWallGuard(t *testing.T) {
	tripped := 0
	for seed := range uint64(100) {
		tr, _ := simulate(seed, simulated{sd: 0.01, slot: 0.3})
		g, err := tr.wallGuard(t.Context(), plan, &bench.Binary{}, &bench.Binary{}, 0.05)
		if err != nil {
			t.Fatal(err)
		}
		if g.Tripped {
			tripped++
		}
	}
	if tripped > 7 { // one in 64, and three standard deviations
		t.Errorf("%d of 100 guards over equals tripped", tripped)
	}
	tr, s := simulate(1, simulated{effect: 0.5, sd: 0.01})
	if g, err := tr.wallGuard(t.Context(), plan, &bench.Binary{}, &bench.Binary{}, 0.05); err != nil || !g.Tripped || len(s.units) != wallPairs {
		t.Errorf("half as long again: %+v after %d pairs, %v", g, len(s.units), err)
	}
}

// Throttled units are left out whatever they say, and never without end.
func TestThrottledUnits(t *testing.T) {
	r := &throttling{every: 3}
	a, err := New(r, 1).Ask(t.Context(), Question{Plan: plan, Rules: verdict.Rules{Judge: judge.RegressRules()}}, nil)
	if err != nil || a.Dropped == 0 || a.Verdict.Answer != model.NoEffect {
		t.Errorf("%d dropped, %s, %v", a.Dropped, a.Verdict.Answer, err)
	}
	r = &throttling{every: 1}
	a, err = New(r, 1).Ask(t.Context(), Question{Plan: plan, Rules: verdict.Rules{Judge: judge.RegressRules()}}, nil)
	if err != nil || a.Dropped != maxDropped || a.Verdict.Units == 0 || len(a.Verdict.Warnings) == 0 {
		t.Errorf("all throttled: %d dropped, %d units, %v", a.Dropped, a.Verdict.Units, err)
	}
}

type throttling struct{ every, n int }

func (r *throttling) Unit(_ context.Context, p model.Plan, _, _ *bench.Binary, u Unit) ([2]model.Sample, error) {
	r.n++
	pair := [2]model.Sample{{N: 1, CPUNs: 100}, {N: 1, CPUNs: 100 + float64(r.n%2)/100}}
	if r.n%r.every == 0 {
		pair[0].ThrottledNs, pair[1].CPUNs = 1e6, 500
		if r.every == 1 {
			pair[1].CPUNs = 100
		}
	}
	return pair, nil
}

// A production that ends because its context does leaves no pair to measure,
// however the end of it and of the context are noticed.
func TestNoLinksAfterTheEnd(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	tr := New(&lucky{rng: rand.New(rand.NewPCG(1, 2))}, 1)
	p := tr.produce(ctx, &lucky{})
	cancel()
	p.stop() // and so it has ended for certain
	for range 20 {
		if l, err := p.next(ctx); !errors.Is(err, context.Canceled) {
			t.Fatalf("a pair of %v and %v, and the error %v", l.base, l.cand, err)
		}
	}
}
