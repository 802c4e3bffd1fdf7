package runs

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/report/figure"
	"github.com/pawl-dev/pawl/internal/report/quote"
	"github.com/pawl-dev/pawl/internal/report/sheet"
)

func facts(r *model.Run) []figure.Fact {
	var out []figure.Fact
	add := func(label, text string) {
		if text != "" {
			out = append(out, figure.Fact{Label: label, Text: text})
		}
	}
	add("command", command(r))
	add("module", r.Module)
	head := r.Head
	if r.Dirty {
		head = strings.TrimSpace(head + " with uncommitted edits")
	}
	add("on top of", head)
	if !r.Started.IsZero() {
		add("started", r.Started.Format(figure.Stamp+" MST"))
	}
	add("go", strings.TrimSpace(r.Env.GoVersion+" "+r.Env.GOOS+"/"+r.Env.GOARCH))
	add("machine", figure.Machine(r.Env))
	add("settings", figure.Settings(r.Env.Settings))
	if s := sees(r); s != "" {
		add("sees", "differences of "+s)
	}
	add("proposers", proposers(r))
	add("pawl", r.Tool)
	return out
}

func command(r *model.Run) string {
	return figure.Shell(append([]string{"pawl", r.Verb}, r.Args...)...)
}

// Story writes one run in full: how it was started and on what, how it ended,
// and each attempt with its hypothesis and its checks.
func Story(w io.Writer, r *model.Run, o sheet.Options) error {
	s := sheet.New(o)
	s.Para(sheet.Bold, "", r.ID)
	for _, f := range facts(r) {
		fact(s, f)
	}
	s.Blank()
	cs := costs(r)
	addAnswer(s, r, cs)
	results(s, shownResults(r))
	many := severalBenchmarks(r.Attempts)
	for i, a := range r.Attempts {
		story(s, i+1, a, many)
	}
	addCosts(s, r, cs)
	rest(s, r)
	return s.Flush(w)
}

// factWidth is the width of the column of labels.
const factWidth = 15

func fact(s *sheet.Sheet, f figure.Fact) {
	s.Mark(sheet.Dim, fmt.Sprintf("%-*s ", factWidth-1, f.Label), sheet.Normal, f.Text)
}

func story(s *sheet.Sheet, n int, a model.Attempt, many bool) {
	s.Heading(strconv.Itoa(n) + ". " + a.Change.Title)
	for _, f := range []figure.Fact{
		{Label: "idea", Text: a.Change.Hypothesis},
		{Label: "checks", Text: checks(a.Checks)},
		{Label: string(a.Outcome), Text: outcome(a, many)},
		{Label: "stock go test", Text: figure.Solo(a.Solo)},
		{Label: "commit", Text: a.Commit},
	} {
		if f.Text != "" {
			fact(s, f)
		}
	}
}

// checks lists what the guard looked at, with what it had to say where
// something failed or was left out.
func checks(cs []model.Check) string {
	var parts []string
	for _, c := range cs {
		t := c.Name
		switch {
		case c.Skipped != "":
			t += " skipped (" + c.Skipped + ")"
		case !c.OK:
			t += " failed"
			if c.Detail != "" {
				t += " (" + quote.Line(c.Detail) + ")"
			}
		}
		parts = append(parts, t)
	}
	return strings.Join(parts, ", ")
}
