package runs

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/report/sheet"
	"github.com/pawl-dev/pawl/internal/words"
)

// behaviour says in one line what was done to see that a change keeps
// behaviour, and how much of that could be done; "" where it was not looked at.
func behaviour(a model.Attempt) string {
	switch {
	case len(a.Driven) == 0 && !looked(a):
		return ""
	case !a.Compared():
		return undriven(a)
	}
	driven, pairs, different := 0, 0, 0
	for _, d := range a.Driven {
		if d.Skipped == "" && d.Pairs > 0 {
			driven++
			pairs += d.Pairs
		}
		if !d.OK() {
			different++
		}
	}
	line := fmt.Sprintf("%d of %s driven side by side with the base", driven, words.Plural(len(a.Driven), "changed function"))
	if a.Together > 1 {
		line += fmt.Sprintf(", %s at once", words.Plural(a.Together, "change"))
	}
	switch {
	case different > 0:
		return fmt.Sprintf("%s, %s of inputs: %s differently", line, words.Plural(pairs, "pair"), words.Inflect(different, "behaves", "behave"))
	case len(a.Uncompared) > 0 || driven < len(a.Driven):
		return fmt.Sprintf("%s, %s of inputs: equal, as far as could be compared", line, words.Plural(pairs, "pair"))
	}
	return fmt.Sprintf("%s, %s of inputs: equal", line, words.Plural(pairs, "pair"))
}

func looked(a model.Attempt) bool {
	return slices.ContainsFunc(a.Checks, func(c model.Check) bool { return c.Name == "behaviour" })
}

// undriven says why nothing was compared.
func undriven(a model.Attempt) string {
	why := "no changed function could be driven"
	for _, c := range a.Checks {
		if c.Name == "behaviour" && c.Skipped != "" {
			why = c.Skipped
		}
	}
	if a.Outcome.Kept() {
		why += "; the tests alone speak for it"
	}
	return "not compared: " + why
}

// driven says what driving one function showed.
func driven(d model.Driven) string {
	if d.Skipped != "" {
		return "not driven: " + d.Skipped
	}
	parts := []string{fmt.Sprintf("%s from %s", words.Plural(d.Pairs, "pair"), words.Plural(d.Inputs, "recorded input"))}
	switch {
	case d.Concurrent:
		parts = append(parts, "concurrent calls too")
	case d.NoConcurrent != "":
		parts = append(parts, "not concurrent: "+d.NoConcurrent)
	}
	if d.OK() {
		return "equal in " + strings.Join(parts, ", ")
	}
	return strings.Join(parts, ", ")
}

func difference(d model.Difference) string {
	input := "input"
	if d.Generated {
		input = "generated input"
	}
	return fmt.Sprintf("%s, %s: the base gives %s, the candidate %s, for the %s %s (%s)",
		d.Kind, d.Where, d.Base, d.Candidate, input, d.Input, words.Plural(d.Times, "pair"))
}

// state says what a change keeps in memory across calls.
func state(st model.State) string {
	t := fmt.Sprintf("%s (%s) at %s", st.Name, st.Kind, st.At)
	if st.Retained >= 0 {
		t += ": " + words.Bytes(float64(st.Retained)) + " each"
		if st.Instances > 0 {
			t += fmt.Sprintf(" in %s seen at once", words.Plural(st.Instances, "instance"))
		}
	}
	switch {
	case st.Grows:
		t += "; it grew with every new input"
	case st.Bound != "":
		t += "; bounded: " + st.Bound
	default:
		t += "; nothing was found that bounds it"
	}
	if st.Detail != "" {
		t += "; " + st.Detail
	}
	return t
}

// fresh says what inputs cost that no call has seen before, where that differs
// from what repeats cost.
func fresh(f *model.Fresh) string {
	if f == nil || f.Inputs == 0 || !repeatsOnly(f) {
		return ""
	}
	return fmt.Sprintf("for %s it allocates %s against the base's %s objects a call, and %s against %s when they come again",
		words.Plural(f.Inputs, "new input"), words.Count(f.CandAllocs), words.Count(f.BaseAllocs), words.Count(f.RepeatCandAllocs), words.Count(f.RepeatBaseAllocs))
}

// repeatsOnly reports whether what is saved on a repeated input is not saved
// on new ones: half the objects, and one at least.
func repeatsOnly(f *model.Fresh) bool {
	repeats, fresh := f.RepeatBaseAllocs-f.RepeatCandAllocs, f.BaseAllocs-f.CandAllocs
	return repeats >= 0.5 && fresh < repeats/2
}

func suspicion(x model.Suspicion) string {
	t := fmt.Sprintf("%s, %s: %s", x.At, x.Kind, x.Detail)
	if x.Code != "" {
		t += ": " + x.Code
	}
	return t
}

func advice(x model.Suspicion) string {
	if x.Try == "" {
		return ""
	}
	return "; " + x.Try
}

// allowed reports whether a change went on in spite of a suspicion: none of
// the checks that name suspicions failed, or not with this one.
func allowed(a model.Attempt, x model.Suspicion) bool {
	return !slices.ContainsFunc(a.Checks, func(c model.Check) bool { return !c.OK && c.Skipped == "" && strings.Contains(c.Detail, x.Detail) })
}

// guarded writes what the guard saw: of a patch that somebody brought all of
// it, of pawl's own changes a line each, with what needs attention.
func guarded(s *sheet.Sheet, r *model.Run) {
	begun, open := false, false
	for _, a := range r.Attempts {
		head := behaviour(a)
		if head == "" && len(a.Suspicions) == 0 && len(a.States) == 0 && a.Worth == nil {
			continue
		}
		if !begun {
			s.Heading("Behaviour:")
			begun = true
		}
		if r.Verb == "try" {
			guardedOne(s, a, head)
			continue
		}
		open = open || partly(a)
		guardedShort(s, a)
	}
	if open {
		s.Para(sheet.Dim, "", openNote)
	}
}

// behaved says that what was kept behaves the same, in one line where that is known in
// full of several changes, and names each where it is not.
func behaved(s *sheet.Sheet, r *model.Run) {
	var whole, odd []model.Attempt
	pairs, states, kept, open := 0, 0, 0.0, false
	for _, a := range r.Attempts {
		switch {
		case !a.Outcome.Kept() || behaviour(a) == "" && len(a.Suspicions) == 0:
		case !a.Compared() || partly(a):
			odd, open = append(odd, a), open || partly(a)
		default:
			whole = append(whole, a)
			for _, d := range a.Driven {
				pairs += d.Pairs
			}
			for _, x := range a.States {
				states++
				kept += max(float64(x.Retained), 0)
			}
		}
	}
	if len(whole)+len(odd) == 0 {
		return
	}
	s.Heading("Behaviour:")
	if len(whole) == 1 {
		odd = append(whole, odd...)
	} else if len(whole) > 0 {
		s.Mark(sheet.Green, "✓ ", sheet.Normal, words.Plural(len(whole), "change")+", "+words.Counted(pairs, "pair")+" of inputs: equal"+keeps(states, kept))
	}
	for _, a := range odd {
		guardedShort(s, a)
	}
	if open {
		s.Para(sheet.Dim, "", openNote)
	}
}

// keeps says what new state there is in all.
func keeps(states int, bytes float64) string {
	if states == 0 {
		return ""
	}
	return "; keeps " + words.Bytes(bytes) + " in " + words.Plural(states, "place")
}

// openNote says where to read on of what was not compared.
const openNote = "What was not compared is named in the report and in each commit."

// partly reports whether something of a change was not compared.
func partly(a model.Attempt) bool {
	return len(a.Uncompared) > 0 || slices.ContainsFunc(a.Driven, func(d model.Driven) bool { return d.Skipped != "" })
}

// guardedShort writes a line about one of pawl's own changes, and one for each
// function that differs, or was not driven where others were.
func guardedShort(s *sheet.Sheet, a model.Attempt) {
	mark, st, seen := shown(a)
	parts := []string{a.Change.Title}
	if seen != "" {
		parts = append(parts, seen)
	}
	for _, x := range a.States {
		kept := "keeps " + x.Name
		if x.Retained >= 0 {
			kept += ", " + words.Bytes(float64(x.Retained))
		}
		parts = append(parts, kept)
	}
	if t := worth(a.Worth); t != "" {
		parts = append(parts, t)
	}
	s.Mark(st, mark, sheet.Normal, strings.Join(parts, "; "))
	for _, d := range a.Driven {
		if d.Skipped != "" && a.Compared() {
			s.Mark(sheet.Yellow, "  – ", sheet.Normal, d.Func+": "+driven(d))
		}
		for _, x := range d.Differences {
			s.Para(sheet.Normal, "  ", d.Func+": "+difference(x))
		}
	}
}

// shown says in short what driving showed, with its mark: a tick says that
// something was compared, and is equal.
func shown(a model.Attempt) (mark string, st sheet.Style, text string) {
	pairs, different := 0, false
	for _, d := range a.Driven {
		pairs += d.Pairs
		different = different || !d.OK()
	}
	inputs := words.Plural(pairs, "pair") + " of inputs: "
	switch {
	case different:
		return "✗ ", sheet.Red, inputs + "not equal"
	case behaviour(a) == "":
		return "– ", sheet.Yellow, ""
	case !a.Compared():
		return "– ", sheet.Yellow, undriven(a)
	case partly(a):
		return "✓ ", sheet.Green, inputs + "equal in what could be compared"
	}
	return "✓ ", sheet.Green, inputs + "equal"
}

// guardedOne writes all that the guard saw of one change.
func guardedOne(s *sheet.Sheet, a model.Attempt, head string) {
	switch {
	case head == "":
	case a.Compared():
		s.Para(sheet.Normal, "  ", head)
	default:
		s.Mark(sheet.Yellow, "– ", sheet.Normal, head)
	}
	for _, d := range a.Driven {
		mark, st := "  ✓ ", sheet.Green
		switch {
		case !d.OK():
			mark, st = "  ✗ ", sheet.Red
		case d.Skipped != "":
			mark, st = "  – ", sheet.Yellow
		}
		s.Mark(st, mark, sheet.Normal, d.Func+": "+driven(d))
		for _, x := range d.Differences {
			s.Para(sheet.Normal, "    ", difference(x))
		}
		if t := fresh(d.Fresh); t != "" {
			s.Para(sheet.Yellow, "    ", t)
		}
	}
	for _, u := range a.Uncompared {
		s.Mark(sheet.Yellow, "  – ", sheet.Normal, "not compared: "+u)
	}
	for _, x := range a.Suspicions {
		if allowed(a, x) {
			s.Mark(sheet.Yellow, "  ! ", sheet.Normal, "allowed: "+suspicion(x))
			continue
		}
		s.Mark(sheet.Red, "  ✗ ", sheet.Normal, suspicion(x)+advice(x))
	}
	for _, st := range a.States {
		s.Mark(sheet.Yellow, "  ! ", sheet.Normal, "new state: "+state(st))
	}
	if t := worth(a.Worth); t != "" {
		s.Para(sheet.Normal, "  ", "worth: "+t)
	}
}

// behaviourTrailers are the lines of a commit message that say how behaviour
// was compared, what was not, and what is kept in memory.
func behaviourTrailers(a model.Attempt, add func(key, value string)) {
	if a.Outcome == model.KeptUncompared {
		add("Outcome", string(a.Outcome))
	}
	add("Behaviour", behaviour(a))
	for _, d := range a.Driven {
		if d.Skipped != "" {
			add("Uncompared", d.Func+": "+d.Skipped)
		}
	}
	for _, u := range a.Uncompared {
		add("Uncompared", u)
	}
	for _, st := range a.States {
		add("State", state(st))
	}
	add("Worth", worth(a.Worth))
}
