// Package sign is the table of what Go's runtime shows of a program: what each
// sign is, what changes it, what must hold before, what that can break, and the
// rules that know more. Other packages look at profiles, commands and metrics.
// This one holds the words for each sign once, wherever it was seen.
package sign

import (
	"slices"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/read/profile"
	"github.com/pawl-dev/pawl/rules/catalogue"
)

// Where signs are seen that no profile shows.
const (
	Command profile.Kind = "command" // of a command, from outside
	Metrics profile.Kind = "metrics" // in what a runtime says about itself
)

// A Sign is what the runtime leaves in profiles of one kind, in what is seen of a
// command or in metrics, and what is known about it.
type Sign struct {
	Name  string
	Kind  profile.Kind // of the profile; or Command, or Metrics
	Title string
	What  string // what shares are of, or the figure in words
	// Threshold is the share from which it stands out, and Least the amount that it
	// needs besides, in the unit of the profile. Of metrics Threshold is in Unit, and
	// Besides says what must hold with it. All are defaults that somebody chose, not
	// limits that follow from anything.
	Threshold, Least float64
	Unit, Besides    string
	Metric           string // the figure's name
	// Idle is set where waiting is often what the program is meant to do: these come
	// after those where it is not.
	Idle bool
	// Counts is what is counted of it here, and what is not; "" where Meaning says
	// enough.
	Counts string

	Meaning string   // what it is
	Lever   string   // what changes it
	Before  string   // what must hold before that is done
	Gap     string   // what it can break
	Rules   []string // entries of the catalogue, the likeliest first
	// ByCall is set where what the lines call says which rules fit; those of Always
	// fit in any case.
	ByCall bool
	Always []string
}

// All returns all signs, those of CPU profiles first and those of metrics last.
func All() []Sign {
	all, texts := slices.Concat(cpuSigns(), waitSigns(), heapSigns(), commandSigns(), metricSigns()), shared()
	for i, s := range all {
		if t := texts[s.Name]; s.Title == "" {
			s.Title, s.Meaning, s.Lever, s.Before, s.Gap, s.Rules = t.Title, t.Meaning, t.Lever, t.Before, t.Gap, t.Rules
		}
		if s.Counts != "" {
			s.Meaning += " " + s.Counts
		}
		all[i] = s
	}
	return all
}

// In returns the signs of one kind.
func In(kind profile.Kind) []Sign {
	return slices.DeleteFunc(All(), func(s Sign) bool { return s.Kind != kind })
}

// Of returns one of them.
func Of(kind profile.Kind, name string) (Sign, bool) {
	for _, s := range In(kind) {
		if s.Name == name {
			return s, true
		}
	}
	return Sign{}, false
}

// Naming returns the titles of the signs that name an entry of the catalogue: in any case,
// or, where lines allocate, by what a line calls.
func Naming(rule string) []string {
	called := slices.ContainsFunc(byCall, func(b struct{ call, rule string }) bool { return b.rule == rule })
	var titles []string
	for _, s := range All() {
		if (slices.Contains(s.Rules, rule) || len(s.Always) > 0 && called) && !slices.Contains(titles, s.Title) {
			titles = append(titles, s.Title)
		}
	}
	return titles
}

// Rules returns entries of the catalogue, with their titles.
func Rules(names []string) []model.SignRule {
	titles := map[string]string{}
	for _, e := range catalogue.All() {
		titles[e.Rule.Name] = e.Rule.Title
	}
	out := []model.SignRule{}
	for _, name := range names {
		out = append(out, model.SignRule{Name: name, Title: titles[name]})
	}
	return out
}
