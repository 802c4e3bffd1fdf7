package runs

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/report/figure"
	"github.com/pawl-dev/pawl/internal/report/quote"
	"github.com/pawl-dev/pawl/internal/report/sheet"
	"github.com/pawl-dev/pawl/internal/words"
)

// messageWidth is where git's own tools expect lines to end.
const messageWidth = 72

// CommitMessage returns the message of the commit that keeps an attempt: the
// change as the subject, the hypothesis, figures and obligations as the body,
// and the evidence once more as trailers, which `git log --format='%(trailers)'`
// and programs read. It ends with a newline. Trailers hold ASCII only, save
// what names and contracts bring along.
func CommitMessage(a model.Attempt, r *model.Run) string {
	title := quote.Line(a.Change.Title)
	subject := sheet.Cut(title, messageWidth, true)
	parts := []string{subject}
	if subject != title {
		parts = append(parts, fold("", title))
	}
	if a.Change.Hypothesis != "" {
		parts = append(parts, fold("", quote.Line(a.Change.Hypothesis)))
	}
	for _, block := range []string{measured(a), price(a), obligations(a.Change.Obligations), retains(a.Change)} {
		if block != "" {
			parts = append(parts, block)
		}
	}
	parts = append(parts, strings.Join(trailers(a, r), "\n"))
	return strings.Join(parts, "\n\n") + "\n"
}

// fold breaks text to the width of a message.
func fold(prefix, t string) string {
	indent := strings.Repeat(" ", utf8.RuneCountInString(prefix))
	lines := sheet.Wrap(t, messageWidth-len(indent))
	return prefix + strings.Join(lines, "\n"+indent)
}

// measured lists the figures, and says what they hold for.
func measured(a model.Attempt) string {
	var lines []string
	for _, v := range a.Verdicts {
		lines = append(lines, fmt.Sprintf("%s %s: %s %s, %s", v.Benchmark, v.Metric, figure.Change(v.Change), figure.Bounds(v), figure.Stands(v)))
	}
	for _, c := range a.Counts {
		if !c.Noisy && !c.Equal() {
			lines = append(lines, fmt.Sprintf("%s %s: %s → %s, exact", c.Benchmark, c.Metric, figure.Exact(c.Metric, c.Before), figure.Exact(c.Metric, c.After)))
		}
	}
	if s := figure.Solo(a.Solo); s != "" {
		lines = append(lines, "stock go test: "+s)
	}
	if len(lines) == 0 {
		return ""
	}
	for i, line := range lines {
		lines[i] = fold("- ", plainText.Replace(quote.Line(line)))
	}
	return "In this benchmark:\n" + strings.Join(lines, "\n")
}

// price says what a user has allowed the change to lose.
func price(a model.Attempt) string {
	if a.Price == "" {
		return ""
	}
	return fold("", plainText.Replace(quote.Line("At a price that was allowed: "+a.Price)))
}

// plainText brings pawl's own signs down to ASCII, so that a message reads the
// same under every locale.
var plainText = strings.NewReplacer("→", "->", figure.Minus, "-", "µ", "u", "∞", "inf")

func obligations(os []model.Obligation) string {
	var lines []string
	for _, o := range os {
		t := quote.Line(o.Text) + " (" + o.How
		if o.Why != "" {
			t += ": " + quote.Line(o.Why)
		}
		lines = append(lines, fold("- ", t+")"))
	}
	if len(lines) == 0 {
		return ""
	}
	return "Behaviour is kept because:\n" + strings.Join(lines, "\n")
}

func retains(c model.Change) string {
	if c.Retains == "" {
		return ""
	}
	return fold("", "Stays allocated: "+quote.Line(c.Retains))
}

func trailers(a model.Attempt, r *model.Run) []string {
	var out []string
	add := func(key, value string) {
		if value = quote.Line(value); value != "" {
			out = append(out, "Pawl-"+key+": "+plainText.Replace(value))
		}
	}
	add("Run", r.ID)
	if b, ok := aim(a); ok {
		add("Benchmark", b.Pkg+"."+b.Name)
	}
	if len(a.Verdicts) > 0 {
		v := a.Verdicts[0]
		key := "CPU"
		if v.Metric == "wall/op" {
			key = "Wall"
		}
		add(key, tight(v))
	}
	for _, c := range a.Counts {
		if key := trailerOf[c.Metric]; key != "" && !c.Noisy && !c.Equal() && c.Benchmark == a.Counts[0].Benchmark {
			// Programs read these: whole figures, without a unit.
			add(key, words.Count(c.Before)+" -> "+words.Count(c.After))
		}
	}
	add("Guard", passed(a.Checks))
	behaviourTrailers(a, add)
	for _, o := range a.Change.Obligations {
		if o.How == "assumed" {
			add("Assumes", o.Text)
		}
	}
	add("Change", a.Change.ID)
	return out
}

var trailerOf = map[string]string{"allocs/op": "Allocs", "B/op": "Bytes", "retained-B": "Retained"}

// aim is the benchmark that an attempt was made for.
func aim(a model.Attempt) (model.Benchmark, bool) {
	switch {
	case len(a.Verdicts) > 0:
		return a.Verdicts[0].Benchmark, true
	case len(a.Change.Targets) > 0:
		return a.Change.Targets[0].Benchmark, true
	}
	return model.Benchmark{}, false
}

// tight writes a verdict the way other tools of the Go world do, without
// spaces before the unit: "-18.2% [-20.1%, -16.0%] 95% anytime, 14 duets".
func tight(v model.Verdict) string {
	lo, hi := figure.Ends(v, "%")
	return fmt.Sprintf("%s%% [%s, %s] %.0f%% anytime, %s", figure.Percent(v.Change), lo, hi, 100*v.Level, figure.Units(v))
}

// passed lists the checks that were made and passed.
func passed(cs []model.Check) string {
	var names []string
	for _, c := range cs {
		if c.OK && c.Skipped == "" {
			name := c.Name
			if c.Sample > 0 {
				name += fmt.Sprintf(" (a sample of %d)", c.Sample)
			}
			names = append(names, name)
		}
	}
	return strings.Join(names, " ")
}
