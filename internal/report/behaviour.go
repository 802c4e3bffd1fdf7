package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
)

// behaviour says in one line what was done to see that a change keeps
// behaviour, and how much of that could be done; "" where it was not looked at.
func behaviour(a model.Attempt) string {
	if len(a.Driven) == 0 {
		if !looked(a) {
			return ""
		}
		return "no changed function to drive side by side with the base: the tests alone speak for it"
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
	line := fmt.Sprintf("%d of %s driven side by side with the base", driven, number(len(a.Driven), "changed function"))
	switch {
	case driven == 0:
		return line + ": the tests alone speak for it"
	case different > 0:
		return fmt.Sprintf("%s, %s of inputs: %d behave differently", line, number(pairs, "pair"), different)
	case len(a.Uncompared) > 0 || driven < len(a.Driven):
		return fmt.Sprintf("%s, %s of inputs: equal, as far as could be compared", line, number(pairs, "pair"))
	}
	return fmt.Sprintf("%s, %s of inputs: equal", line, number(pairs, "pair"))
}

// sideBySide reports whether both versions of some function were driven.
func sideBySide(a model.Attempt) bool {
	return slices.ContainsFunc(a.Driven, func(d model.Driven) bool { return d.Skipped == "" && d.Pairs > 0 || !d.OK() })
}

// looked reports whether a change came as far as to be driven.
func looked(a model.Attempt) bool {
	return slices.ContainsFunc(a.Checks, func(c model.Check) bool { return c.Name == "behaviour" })
}

// undriven says why nothing was driven, each reason once.
func undriven(a model.Attempt) string {
	var why []string
	for _, d := range a.Driven {
		if d.Skipped != "" && !slices.Contains(why, d.Skipped) {
			why = append(why, d.Skipped)
		}
	}
	if len(why) == 0 {
		return "not driven: it changes no function that could be"
	}
	return "not driven: " + strings.Join(why, "; ")
}

// driven says what driving one function showed.
func driven(d model.Driven) string {
	if d.Skipped != "" {
		return "not driven: " + d.Skipped
	}
	parts := []string{fmt.Sprintf("%s from %s", number(d.Pairs, "pair"), number(d.Inputs, "recorded input"))}
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

// difference says how base and candidate differ, with the input that shows it.
func difference(d model.Difference) string {
	input := "input"
	if d.Generated {
		input = "generated input"
	}
	return fmt.Sprintf("%s, %s: the base gives %s, the candidate %s, for the %s %s (%s)",
		d.Kind, d.Where, d.Base, d.Candidate, input, d.Input, number(d.Times, "pair"))
}

// state says what a change keeps in memory across calls.
func state(st model.State) string {
	t := fmt.Sprintf("%s (%s) at %s", st.Name, st.Kind, st.At)
	if st.Retained >= 0 {
		t += ": " + size(float64(st.Retained)) + " each"
		if st.Instances > 0 {
			t += fmt.Sprintf(" in %s seen at once", number(st.Instances, "instance"))
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
	return fmt.Sprintf("over %s it allocates %s against the base's %s objects a call, over one input repeated %s against %s",
		number(f.Inputs, "new input"), count(f.CandAllocs), count(f.BaseAllocs), count(f.RepeatCandAllocs), count(f.RepeatBaseAllocs))
}

// repeatsOnly reports whether what is saved on a repeated input is not saved
// on new ones: half the objects, and one at least.
func repeatsOnly(f *model.Fresh) bool {
	repeats, fresh := f.RepeatBaseAllocs-f.RepeatCandAllocs, f.BaseAllocs-f.CandAllocs
	return repeats >= 0.5 && fresh < repeats/2
}

// suspicion names something that looks like a cheat.
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
	for _, c := range a.Checks {
		if !c.OK && c.Skipped == "" && strings.Contains(c.Detail, x.Detail) {
			return false
		}
	}
	return true
}

// guarded writes what the guard saw: of a patch that somebody brought all of
// it, of pawl's own changes a line each, with what needs attention.
func (s *sheet) guarded(r *model.Run) {
	begun, open := false, false
	for _, a := range r.Attempts {
		head := behaviour(a)
		if head == "" && len(a.Suspicions) == 0 && len(a.States) == 0 && a.Worth == nil {
			continue
		}
		if !begun {
			s.heading("Behaviour:")
			begun = true
		}
		if r.Verb == "try" {
			s.guardedOne(a, head)
			continue
		}
		open = open || partly(a)
		s.guardedShort(a)
	}
	if open {
		s.para(dim, "", "What was not compared is named in the report and in each commit.")
	}
}

// partly reports whether something of a change was not compared.
func partly(a model.Attempt) bool {
	return len(a.Uncompared) > 0 || slices.ContainsFunc(a.Driven, func(d model.Driven) bool { return d.Skipped != "" })
}

// guardedShort writes a line about one of pawl's own changes, and one for each
// function that differs, or was not driven where others were.
func (s *sheet) guardedShort(a model.Attempt) {
	mark, st, seen := shown(a)
	parts := []string{a.Change.Title}
	if seen != "" {
		parts = append(parts, seen)
	}
	for _, x := range a.States {
		kept := "keeps " + x.Name
		if x.Retained >= 0 {
			kept += ", " + size(float64(x.Retained))
		}
		parts = append(parts, kept)
	}
	if t := worth(a.Worth); t != "" {
		parts = append(parts, t)
	}
	s.mark(st, mark, normal, strings.Join(parts, "; "))
	for _, d := range a.Driven {
		if d.Skipped != "" && sideBySide(a) {
			s.mark(yellow, "  – ", normal, d.Func+": "+driven(d))
		}
		for _, x := range d.Differences {
			s.para(normal, "  ", d.Func+": "+difference(x))
		}
	}
}

// shown says in short what driving showed, with its mark: a tick says that
// something was compared, and is equal.
func shown(a model.Attempt) (mark string, st style, text string) {
	pairs, different := 0, false
	for _, d := range a.Driven {
		pairs += d.Pairs
		different = different || !d.OK()
	}
	inputs := number(pairs, "pair") + " of inputs: "
	switch {
	case different:
		return "✗ ", red, inputs + "not equal"
	case behaviour(a) == "":
		return "– ", yellow, ""
	case !sideBySide(a) && a.Outcome == model.Kept:
		return "– ", yellow, undriven(a) + "; the tests alone speak for it"
	case !sideBySide(a):
		return "– ", yellow, undriven(a)
	case partly(a):
		return "✓ ", green, inputs + "equal in what could be compared"
	}
	return "✓ ", green, inputs + "equal"
}

// guardedOne writes all that the guard saw of one change.
func (s *sheet) guardedOne(a model.Attempt, head string) {
	switch {
	case head == "":
	case sideBySide(a):
		s.para(normal, "  ", head)
	default:
		s.mark(yellow, "– ", normal, head)
	}
	for _, d := range a.Driven {
		mark, st := "  ✓ ", green
		switch {
		case !d.OK():
			mark, st = "  ✗ ", red
		case d.Skipped != "":
			mark, st = "  – ", yellow
		}
		s.mark(st, mark, normal, d.Func+": "+driven(d))
		for _, x := range d.Differences {
			s.para(normal, "    ", difference(x))
		}
		if t := fresh(d.Fresh); t != "" {
			s.para(yellow, "    ", t)
		}
	}
	for _, u := range a.Uncompared {
		s.mark(yellow, "  – ", normal, "not compared: "+u)
	}
	for _, x := range a.Suspicions {
		if allowed(a, x) {
			s.mark(yellow, "  ! ", normal, "allowed: "+suspicion(x))
			continue
		}
		s.mark(red, "  ✗ ", normal, suspicion(x)+advice(x))
	}
	for _, st := range a.States {
		s.mark(yellow, "  ! ", normal, "new state: "+state(st))
	}
	if t := worth(a.Worth); t != "" {
		s.para(normal, "  ", "worth: "+t)
	}
}

// behaviourTrailers are the lines of a commit message that say how behaviour
// was compared, what was not, and what is kept in memory.
func behaviourTrailers(a model.Attempt, add func(key, value string)) {
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
