package optimize

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/internal/keep/store"
	"github.com/pawl-dev/pawl/internal/measure/trial"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/run/optimize/state"
	"github.com/pawl-dev/pawl/internal/sorted"
	"github.com/pawl-dev/pawl/internal/words"
)

// offers are what could be changed in the state that the run has come to.
type offers struct {
	run   *model.Run
	store *store.Store
	retry bool                     // try what the journal says was refuted
	tried map[string]model.Attempt // by the change, as it was when it had gone through what needs the tree
	again map[string]bool          // those that are reopened
	turns map[turn]bool            // and those that another benchmark judges, after all else
	// grouped has the titles of those that were tried at several places at once.
	grouped map[string]bool
	least   float64                 // the smallest difference that is ever looked for
	fresh   map[string]model.Change // what could be done now, tried or not, by id
}

// propose turns the targets of the run, which are those of v, into changes, each
// once however many targets it serves, and into the plan's prospects.
func (o *offers) propose(v *state.State) ([]model.Change, []model.Prospect) {
	var changes []model.Change
	var prospects []model.Prospect
	index := make(map[string]int)
	o.fresh = make(map[string]model.Change)
	for i, t := range o.run.Targets {
		if why := o.small(t); why != "" { // most lines are: asking for their changes would take most of the time
			o.run.Targets[i].Skipped = why
			prospects = append(prospects, model.Prospect{Target: t, Skip: why})
			continue
		}
		found, refused := v.Program().Changes(t)
		fixes, more := v.Fixes(t)
		found, refused = append(found, fixes...), append(refused, more...)
		var skip []string
		for _, r := range refused {
			skip = append(skip, r.Kind+": "+r.Why)
		}
		listed := false
		for _, c := range found {
			o.remember(c, t)
			if o.wasTried(c.ID) && !elsewhere(o.tried[c.ID], t) {
				continue
			}
			if j, ok := index[c.ID]; ok {
				changes[j].Targets = append(changes[j].Targets, t)
				listed = true
				continue
			}
			if why := o.pointless(v, c, t); why != "" {
				skip = slices.Insert(skip, 0, why) // that it was tried says more than what does not fit
				continue
			}
			c.Targets = []model.Target{t}
			index[c.ID] = len(changes)
			changes = append(changes, c)
			prospects = append(prospects, model.Prospect{Target: t, Kind: c.Kind, Title: c.Title, Retains: c.Retains})
			listed = true
		}
		if !listed {
			if len(skip) == 0 {
				skip = []string{"no transformation fits"}
			}
			o.run.Targets[i].Skipped = strings.Join(skip, "; ")
			prospects = append(prospects, model.Prospect{Target: t, Skip: o.run.Targets[i].Skipped})
		}
	}
	byRank(changes, o.run.Targets)
	return changes, prospects
}

// remember notes a change as it would be made now, whether or not it was tried
// on an earlier state.
func (o *offers) remember(c model.Change, t model.Target) {
	c.Targets = append(slices.Clone(o.fresh[c.ID].Targets), t)
	o.fresh[c.ID] = c
}

// byRank sorts changes by the first target of the statement that theirs stand
// on: what else there is to do there is tried before less is looked for
// elsewhere.
func byRank(changes []model.Change, targets []model.Target) {
	type place struct {
		bm   model.Benchmark
		rank int
	}
	first := make(map[place]int)
	for i, t := range slices.Backward(targets) {
		first[place{t.Benchmark, t.Rank}] = i
	}
	of := func(c model.Change) int { return first[place{c.Targets[0].Benchmark, c.Targets[0].Rank}] }
	sorted.By(changes, func(a, b model.Change) int { return cmp.Compare(of(a), of(b)) })
}

// refutedOn begins the reason why a change is not tried that was refuted before.
const refutedOn = "refuted on "

// worthAllocs is the share of a benchmark's allocations below which a change
// is not tried for their sake.
const worthAllocs = 0.01

// pointless says why a change is not tried although it could be made.
func (o *offers) pointless(v *state.State, c model.Change, t model.Target) string {
	if a, ok := o.store.Refuted(c.ID, o.run.Env.GoVersion); ok && !o.retry && !elsewhere(a, t) {
		return fmt.Sprintf(refutedOn+"%s: %s (-retry tries it again)", a.Time.Format("2006-01-02"), a.Reason)
	}
	if d := c.Inlines; d != nil {
		if text, can := v.Notes().CanInline(*d); can || !strings.HasPrefix(text, "function too complex") {
			return fmt.Sprintf("%s: %s is not too complex to be inlined (%s)", c.Kind, d.Name, text)
		}
	}
	return ""
}

func (o *offers) wasTried(id string) bool {
	_, ok := o.tried[id]
	return ok
}

// elsewhere reports whether a change that was measured to no effect promises more at a target: in a benchmark that it was
// not judged by, on a line that costs more there than any did where it was. One benchmark judges a change, and others may be
// profiled only after that.
func elsewhere(a model.Attempt, t model.Target) bool {
	judged := func(bm model.Benchmark) bool {
		return slices.ContainsFunc(a.Verdicts, func(v model.Verdict) bool { return v.Benchmark == bm })
	}
	if a.Outcome != model.RolledBack || !harmless(a) || judged(t.Benchmark) {
		return false
	}
	return !slices.ContainsFunc(a.Change.Targets, func(u model.Target) bool {
		return judged(u.Benchmark) && u.Share+u.CPUShare >= t.Share+t.CPUShare
	})
}

// small says why nothing is tried for a target: what it costs is too little to be seen.
func (o *offers) small(t model.Target) string {
	n := o.noise(t.Benchmark)
	if !trial.Known(n) && t.Share < worthAllocs && t.CPUShare < o.least {
		return fmt.Sprintf("at most %.1f %% of CPU time could be gained, and less than %s is not looked for", 100*t.CPUShare, words.Percent(o.least))
	}
	if trial.Known(n) && t.Share < worthAllocs && t.CPUShare < n.Sees {
		sees := words.Percent(n.Sees)
		if n.Blind() {
			sees = "no difference in that little time"
		}
		return fmt.Sprintf("at most %.1f %% of CPU time could be gained, and this machine sees %s", 100*t.CPUShare, sees)
	}
	return ""
}

// reopened returns the change that promises most of those that were measured and stayed undecided, each once. The others have
// had their turn: it gets what is left, where that is more than it had.
func (o *offers) reopened(left time.Duration) (c model.Change, ok bool) {
	for _, a := range o.run.Last() {
		now, can := o.fresh[a.Change.ID]
		open := a.Outcome == model.Unsettled && len(a.Verdicts) > 0 && len(a.Needs) == 0 && a.Seconds < left.Seconds()
		if can && open && !o.again[now.ID] && (!ok || promise(now) > promise(c)) {
			c, ok = now, true
		}
	}
	if ok {
		o.again[c.ID] = true
	}
	return c, ok
}

// A turn is a change, and a benchmark that judges it.
type turn struct {
	id string
	bm model.Benchmark
}

// otherShare is the least of a benchmark's cost that the lines of a change must have for it to judge the change after another
// did: half of that would be a gain of 5 %.
const otherShare = 0.1

// another returns a change that did nothing where it promised most, for the benchmark that spends most on its lines of those
// that have not judged it. A function may be called in many ways, and what is gained may depend on that.
func (o *offers) another() (c model.Change, ok bool) {
	judged := make(map[turn]bool)
	kept := make(map[string]bool)
	for _, a := range o.run.Attempts {
		kept[a.Change.ID] = kept[a.Change.ID] || a.Outcome != model.RolledBack || !harmless(a)
		for _, v := range a.Verdicts {
			judged[turn{a.Change.ID, v.Benchmark}] = true
		}
	}
	best := model.Target{}
	for _, a := range o.run.Attempts {
		now, can := o.fresh[a.Change.ID]
		for _, t := range now.Targets {
			at := turn{now.ID, t.Benchmark}
			share := t.Share + t.CPUShare
			if can && !kept[now.ID] && !judged[at] && !o.turns[at] && share >= otherShare && share > best.Share+best.CPUShare {
				c, best, ok = now, t, true
			}
		}
	}
	if ok {
		c.Targets = []model.Target{best}
		o.turns[turn{c.ID, best.Benchmark}] = true
	}
	return c, ok
}

// noise returns what the warm-up of a benchmark showed, or a glance at it.
func (o *offers) noise(bm model.Benchmark) model.Noise {
	for _, n := range o.run.Noise {
		if n.Benchmark == bm {
			return n
		}
	}
	return model.Noise{Benchmark: bm}
}

// passOver notes which changes are not tried again: those that were kept or
// refuted. What was left open is.
func (o *offers) passOver(past *store.Past) {
	for _, t := range past.Tried {
		if t.Outcome.Kept() || store.IsRefuted(t.Attempt) {
			o.tried[t.Change.ID] = store.Joined(o.tried[t.Change.ID], t.Attempt)
		} else {
			delete(o.tried, t.Change.ID)
		}
	}
}
