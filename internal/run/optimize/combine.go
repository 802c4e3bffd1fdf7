package optimize

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/run/optimize/attempt"
	"github.com/pawl-dev/pawl/internal/run/optimize/state"
	"github.com/pawl-dev/pawl/internal/sorted"
)

// KindCombination is the kind of a change that is two others at once.
const KindCombination = "combination"

// mostCombinations is how many pairs are tried at the end of a run.
const mostCombinations = 3

// combinations returns pairs of changes of this run that did not come to be
// kept, though nothing speaks against them: each alone did not show an effect
// that is worth having. Together they may, as where two values that escape share
// one object. They are tried when all single ones have been, the most
// promising first.
func (o *offers) combinations(v *state.State) []model.Change {
	var parts []model.Change
	for _, a := range o.run.Attempts {
		if c, ok := o.fresh[a.Change.ID]; ok && harmless(a) {
			parts = append(parts, c)
		}
	}
	pairs := combine(parts, func(c model.Change) bool {
		_, refuted := o.store.Refuted(c.ID, o.run.Env.GoVersion)
		return !o.wasTried(c.ID) && (!refuted || o.retry) && v.Program().TypeCheck(c.Edits) == nil
	})
	return pairs[:min(len(pairs), mostCombinations)]
}

// harmless reports whether a change was not kept for want of an effect alone.
func harmless(a model.Attempt) bool {
	if a.Outcome.Kept() || a.Change.Kind == KindCombination || len(a.Verdicts) == 0 {
		return false
	}
	if slices.ContainsFunc(a.Checks, func(c model.Check) bool { return !c.OK && (c.Skipped == "" || c.Name == attempt.BehaviourCheck) }) {
		return false
	}
	if attempt.Rose(a.Counts, "allocs/op") || attempt.Rose(a.Counts, "B/op") {
		return false
	}
	return !slices.ContainsFunc(a.Verdicts, func(v model.Verdict) bool { return v.Answer == model.Slower || v.Lo > 0 })
}

// combine returns the pairs of parts that aim at one benchmark, do not touch the
// same lines, and may be tried, by what they could gain together.
func combine(parts []model.Change, may func(model.Change) bool) []model.Change {
	var pairs []model.Change
	for i, a := range parts {
		for _, b := range parts[i+1:] {
			if a.ID == b.ID || !sameBenchmark(a, b) || overlap(a.Edits, b.Edits) {
				continue
			}
			if c := both(a, b); may(c) {
				pairs = append(pairs, c)
			}
		}
	}
	sorted.By(pairs, func(a, b model.Change) int { return cmp.Compare(promise(b), promise(a)) })
	return pairs
}

func sameBenchmark(a, b model.Change) bool {
	return slices.ContainsFunc(a.Targets, func(t model.Target) bool {
		return slices.ContainsFunc(b.Targets, func(u model.Target) bool { return t.Benchmark == u.Benchmark })
	})
}

func overlap(a, b []model.Edit) bool {
	for _, x := range a {
		for _, y := range b {
			if x.File == y.File && x.Start <= y.End && y.Start <= x.End {
				return true
			}
		}
	}
	return false
}

func both(a, b model.Change) model.Change {
	return joined(KindCombination, a.Title+", and "+b.Title, "together: "+a.Hypothesis+"; "+b.Hypothesis, a, b)
}

// joined returns several changes as one.
func joined(kind, title, hypothesis string, parts ...model.Change) model.Change {
	c := model.Change{Kind: kind, Title: title, Hypothesis: hypothesis}
	var ids []string
	for _, p := range parts {
		ids = append(ids, p.ID)
		c.Class, c.MustDrive = max(c.Class, p.Class), c.MustDrive || p.MustDrive
		c.Targets, c.Edits = append(c.Targets, p.Targets...), append(c.Edits, p.Edits...)
		c.Obligations = append(c.Obligations, p.Obligations...)
		if p.Retains != c.Retains {
			c.Retains = attempt.Join(c.Retains, p.Retains)
		}
	}
	slices.Sort(ids)
	sum := sha256.Sum256([]byte(kind + "\x00" + strings.Join(ids, "\x00")))
	c.ID = hex.EncodeToString(sum[:])[:12]
	return c
}

// mostPlaces is how many changes are tried as one.
const mostPlaces = 8

// siblings returns a change and those of others that do the same at other places of its function, as one: each alone would take
// as long to judge as all of them. All save allocations of one benchmark, and together they have to save an object for each place, or
// what it makes. They are tried once for a function: where they are not kept, each is tried alone.
func (o *offers) siblings(v *state.State, c model.Change, others []model.Change) (all model.Change, ok bool) {
	if o.grouped[c.Title] {
		return c, false
	}
	all, ok = sameElsewhere(c, others, func(all model.Change) bool { return v.Program().TypeCheck(all.Edits) == nil })
	_, refuted := o.store.Refuted(all.ID, o.run.Env.GoVersion)
	if !ok || o.wasTried(all.ID) || refuted && !o.retry {
		return c, false
	}
	o.grouped[c.Title] = true
	return all, true
}

func sameElsewhere(c model.Change, others []model.Change, may func(model.Change) bool) (all model.Change, ok bool) {
	parts, bm := []model.Change{c}, c.Targets[0].Benchmark
	saved := min(attempt.AimedAt(c, bm), 1)
	for _, x := range others {
		if x.ID == c.ID || x.Kind != c.Kind || x.Title != c.Title || x.Inlines != nil || len(parts) == mostPlaces ||
			saved == 0 || attempt.AimedAt(x, bm) == 0 || overlap(all.Edits, x.Edits) || overlap(c.Edits, x.Edits) {
			continue
		}
		more := append(slices.Clip(parts), x)
		now := joined(c.Kind, fmt.Sprintf("%s, at %d places", c.Title, len(more)), c.Hypothesis+", and so at the others", more...)
		if now.MustSave = saved + min(attempt.AimedAt(x, bm), 1); may(now) {
			all, parts, saved = now, more, now.MustSave
		}
	}
	return all, len(parts) > 1
}

// promise is the most that the targets of a change could give.
func promise(c model.Change) (sum float64) {
	for _, t := range c.Targets {
		sum += t.CPUShare + t.Share
	}
	return sum
}
