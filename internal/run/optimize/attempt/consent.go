package attempt

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/words"
)

// BehaviourCheck is the name of the check that both versions do the same.
const BehaviourCheck = "behaviour"

// consentable says how a user lets through what differs, "" where some of it is
// never let through.
func consentable(driven []model.Driven) string {
	var kinds, lets []string
	for _, d := range driven {
		for _, x := range d.Differences {
			k := x.Consent()
			if k == "" {
				return ""
			}
			if !slices.Contains(kinds, string(k)) {
				kinds = append(kinds, string(k))
				if what := k.Lets(); what != "" {
					lets = append(lets, what)
				}
			}
		}
	}
	if len(kinds) == 0 {
		return ""
	}
	text := "-allow " + strings.Join(kinds, ",")
	if len(lets) == len(kinds) {
		return text + " lets through " + strings.Join(lets, ", and ")
	}
	return text + " if nobody minds"
}

// needs returns all kinds that a user would have to allow for a change that was
// refused to be judged, what is allowed included; nil where it was not refused, or
// for what is never let through.
func needs(a model.Attempt, allowed []model.SuspicionKind) []model.SuspicionKind {
	kinds := slices.Clone(allowed)
	add := func(k model.SuspicionKind) {
		if !slices.Contains(kinds, k) {
			kinds = append(kinds, k)
		}
	}
	for _, c := range a.Checks {
		if c.OK || c.Skipped != "" {
			continue
		}
		switch c.Name {
		case "refused", "api", "frozen":
			for _, x := range a.Suspicions {
				if !slices.Contains(model.Allowable(), x.Kind) {
					return nil
				}
				add(x.Kind)
			}
		case BehaviourCheck:
			for _, d := range a.Driven {
				for _, x := range d.Differences {
					if x.Consent() == "" {
						return nil
					}
					add(x.Consent())
				}
				if remembers(d) != "" {
					add(model.SuspectState)
				}
			}
			if slices.ContainsFunc(a.States, func(st model.State) bool { return st.Grows && st.Bound == "" }) {
				add(model.SuspectState)
			}
		default:
			return nil
		}
	}
	if len(kinds) == len(allowed) {
		return nil
	}
	return kinds
}

// oneObject is what counts as one: the runtime allocates between two calls, too.
const oneObject = 0.75

// remembers says when a function is only cheaper on inputs that it has seen
// before: it saves an object a call when they come again, and not half of that
// when they come for the first time.
func remembers(d model.Driven) string {
	f := d.Fresh
	if f == nil || f.Inputs == 0 {
		return ""
	}
	repeats, fresh := f.RepeatBaseAllocs-f.RepeatCandAllocs, f.BaseAllocs-f.CandAllocs
	if repeats < oneObject || fresh >= repeats/2 {
		return ""
	}
	return fmt.Sprintf("saves %s allocations a call on an input that comes again, and %s the first time: it remembers answers; -allow state if that is what is wanted",
		words.Count(repeats), words.Count(fresh))
}
