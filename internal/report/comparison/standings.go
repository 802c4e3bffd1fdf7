package comparison

import (
	"strconv"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/report/sheet"
	"github.com/pawl-dev/pawl/internal/words"
)

// Standings counts the standings of a comparison; programs under load are one.
type standings struct {
	all       int // that could be compared
	regressed int
	open      int // undecided, or failed on one side: both leave the question open
	failed    int // of these
	accepted  int
	improved  int
	clean     int
	unchanged int
	oneSided  int
}

func standingsOf(c *model.Comparison) standings {
	t := standings{
		regressed: c.Count(model.Regressed), open: c.Count(model.Open, model.Failed), failed: c.Count(model.Failed),
		accepted: c.Count(model.Accepted), improved: c.Count(model.Improved), clean: c.Count(model.Clean),
		unchanged: c.Count(model.Unchanged), oneSided: c.Count(model.OneSided),
	}
	t.all = len(c.Benchmarks) - t.oneSided
	if c.Load == nil {
		return t
	}
	t.all++
	switch c.Load.Standing {
	case model.Regressed:
		t.regressed++
	case model.Open, model.Failed, model.OneSided:
		t.open++
	case model.Improved:
		t.improved++
	case model.Accepted:
		t.accepted++
	default:
		t.clean++
	}
	return t
}

// Answer is the first line of a report: "regressed: 2 of 14, undecided: 1".
// It begins with the worst that is so, so that nobody takes what was not found
// out for what is not there.
// Rest is what became of the others.
func Answer(c *model.Comparison) (text, rest string) {
	t := standingsOf(c)
	of := " of " + strconv.Itoa(t.all)
	good := t.all - t.accepted // nothing else is left below
	switch {
	case t.regressed > 0:
		text = "regressed: " + strconv.Itoa(t.regressed) + of
		if t.open > 0 {
			text += ", undecided: " + strconv.Itoa(t.open)
		}
	case t.open > 0:
		text = "undecided: " + strconv.Itoa(t.open) + of
	case t.all == 0:
		text = "nothing compared"
	case c.Stopped != "":
		text = "stopped early: " + strconv.Itoa(good) + of + " clean by then"
	case t.improved > 0 && c.Verb != "gate":
		text = "improved: " + strconv.Itoa(t.improved) + of + ", nothing worse"
		t.improved = 0
	default:
		text = "clean: " + strconv.Itoa(good) + of
	}
	if strings.HasPrefix(text, "clean") && t.improved == 0 {
		t.clean = 0 // that is what the line says already
	}
	return withRecords(c, text), strings.Join(t.rest(), "; ")
}

// withRecords puts what became of the records before the rest of the answer
// where it is worse, and behind it where it is not.
func withRecords(c *model.Comparison, text string) string {
	n := len(c.Records)
	if n == 0 {
		return text
	}
	of := " of " + words.Plural(n, "record")
	switch broken, untold := c.Broken(), c.Untold(); {
	case broken > 0:
		return "broken: " + strconv.Itoa(broken) + of + "; " + text
	case untold > 0 && !strings.HasPrefix(text, "regressed"):
		return "undecided: " + strconv.Itoa(untold) + of + "; " + text
	case untold > 0:
		return text + "; undecided: " + strconv.Itoa(untold) + of
	}
	return text + "; " + words.Plural(n, "record") + " kept"
}

// records lists what does not hold of the repository's records.
func records(s *sheet.Sheet, rs []model.Recorded) {
	for _, r := range rs {
		switch r.Standing {
		case "holds":
			continue
		case "broken":
			s.Mark(sheet.Red, "✗ ", sheet.Normal, r.File+": "+r.Standing)
		default:
			s.Mark(sheet.Yellow, "? ", sheet.Normal, r.File+": "+r.Standing)
		}
		for _, w := range r.Why {
			s.Para(sheet.Dim, "  ", w)
		}
	}
}

// rest says what became of the others.
func (t standings) rest() []string {
	var out []string
	add := func(n int, one, many string) {
		switch {
		case n == 1:
			out = append(out, "1 "+one)
		case n > 1:
			out = append(out, strconv.Itoa(n)+" "+many)
		}
	}
	add(t.failed, "fails on one side", "fail on one side")
	add(t.accepted, "regressed and accepted", "regressed and accepted")
	add(t.improved, "improved", "improved")
	add(t.clean, "clean", "clean")
	add(t.unchanged, "not run: its code is unchanged", "not run: their code is unchanged")
	add(t.oneSided, "on one side only", "on one side only")
	return out
}
