package optimize

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
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
	ids := []string{a.ID, b.ID}
	slices.Sort(ids)
	sum := sha256.Sum256([]byte(KindCombination + "\x00" + strings.Join(ids, "\x00")))
	c := model.Change{
		ID: hex.EncodeToString(sum[:])[:12], Kind: KindCombination, Title: a.Title + ", and " + b.Title,
		Hypothesis: "together: " + a.Hypothesis + "; " + b.Hypothesis, Class: max(a.Class, b.Class),
		Targets: slices.Concat(a.Targets, b.Targets), Edits: slices.Concat(a.Edits, b.Edits),
		Obligations: slices.Concat(a.Obligations, b.Obligations), Retains: attempt.Join(a.Retains, b.Retains),
		MustDrive: a.MustDrive || b.MustDrive,
	}
	return c
}

// promise is the most that the targets of a change could give.
func promise(c model.Change) (sum float64) {
	for _, t := range c.Targets {
		sum += t.CPUShare + t.Share
	}
	return sum
}
