package runs

import (
	"fmt"
	"path"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/report/figure"
	"github.com/pawl-dev/pawl/internal/report/quote"
	"github.com/pawl-dev/pawl/internal/report/sheet"
)

// A Style is how the subjects of a repository's commits begin.
type Style int

// The styles that are told apart.
const (
	ByPackage    Style = iota // "wire: seal into a buffer", as in Go's own repositories
	Conventional              // "perf: seal into a buffer"
	Scoped                    // "perf(wire): seal into a buffer"
	Sentence                  // "Seal into a buffer"
)

var (
	conventional = regexp.MustCompile(`^(build|chore|ci|docs|feat|fix|perf|refactor|revert|style|test)(\([^)]+\))?!?: `)
	byPackage    = regexp.MustCompile(`^[a-z0-9][\w./,{}* -]{0,40}: `)
)

// StyleOf returns the style that most of the subjects have, ByPackage where there are none.
func StyleOf(subjects []string) Style {
	var of [Sentence + 1]int
	for _, s := range subjects {
		switch m := conventional.FindStringSubmatch(s); {
		case m != nil && m[2] != "":
			of[Scoped]++
		case m != nil:
			of[Conventional]++
		case byPackage.MatchString(s):
			of[ByPackage]++
		default:
			of[Sentence]++
		}
	}
	best := ByPackage
	if both := of[Conventional] + of[Scoped]; both > of[ByPackage] && both >= of[Sentence] {
		best = Conventional
		if of[Scoped] > of[Conventional] {
			best = Scoped
		}
	} else if of[Sentence] > of[ByPackage] {
		best = Sentence
	}
	return best
}

// subject returns a title in the style: titles name their package first.
func (s Style) subject(title string) string {
	pkg, text, ok := strings.Cut(title, ": ")
	if !ok || strings.Contains(pkg, " ") {
		pkg, text = "", title
	}
	switch {
	case s == Conventional || s == Scoped && pkg == "":
		return "perf: " + text
	case s == Scoped:
		return "perf(" + pkg + "): " + text
	case s == Sentence:
		r, n := utf8.DecodeRuneInString(text)
		return string(unicode.ToUpper(r)) + text[n:]
	}
	return title
}

// SeriesMessage returns the message of a kept change for those who maintain the code: what
// is done, where does says how such a change goes, what it gains and why behaviour is kept. It has nothing that is
// for pawl alone.
func SeriesMessage(a model.Attempt, r *model.Run, style Style, does string) string {
	title := style.subject(quote.Line(a.Change.Title))
	subject := sheet.Cut(title, messageWidth, true)
	parts := []string{subject}
	if subject != title {
		parts = append(parts, fold("", title+"."))
	}
	for _, text := range []string{quote.Line(does), gained(a, r), reasons(a.Change.Obligations), checked(a.Checks)} {
		switch {
		case strings.Contains(text, "\n"):
			parts = append(parts, text)
		case text != "":
			parts = append(parts, fold("", text))
		}
	}
	if kept := retains(a.Change); kept != "" {
		parts = append(parts, kept)
	}
	return strings.Join(parts, "\n\n") + "\n"
}

// gained lists what each benchmark gains, and where that was measured.
func gained(a model.Attempt, r *model.Run) string {
	var names []string
	of := map[string][]string{}
	add := func(b model.Benchmark, format string, args ...any) {
		name := path.Base(b.Pkg) + ".Benchmark" + strings.TrimPrefix(b.Name, "Benchmark")
		if of[name] == nil {
			names = append(names, name)
		}
		of[name] = append(of[name], plainText.Replace(fmt.Sprintf(format, args...)))
	}
	for _, c := range a.Counts {
		if !c.Noisy && !c.Equal() {
			unit := c.Metric
			if unit == "B/op" {
				unit = "per op"
			}
			add(c.Benchmark, "%s → %s %s", figure.Exact(c.Metric, c.Before), figure.Exact(c.Metric, c.After), unit)
		}
	}
	for _, v := range a.Verdicts {
		if v.Answer != model.Undecided && figure.Known(v) {
			what := "CPU time"
			if v.Metric == "wall/op" {
				what = "time"
			}
			add(v.Benchmark, "%s %s %s (%.0f %% confidence, %d pairs of runs)", what, figure.Change(v.Change), figure.Bounds(v), 100*v.Level, v.Units)
		}
	}
	if len(names) == 0 {
		return ""
	}
	lines := []string{fold("", plainText.Replace(fmt.Sprintf("Old and new measured in turns, %s %s/%s, %s:", r.Env.GoVersion, r.Env.GOOS, r.Env.GOARCH, quote.Line(r.Env.CPU))))}
	for _, name := range names {
		lines = append(lines, fold("  ", quote.Line(name)+":"), fold("    ", strings.Join(of[name], ", ")))
	}
	return strings.Join(lines, "\n")
}

// reasons says why behaviour is kept, and what that relies on.
func reasons(os []model.Obligation) string {
	var lines []string
	for _, o := range os {
		why := quote.Line(o.Why)
		if o.How == "assumed" && why != "" {
			why = "assumed: " + why
		}
		if why != "" {
			why = " (" + why + ")"
		}
		lines = append(lines, fold("- ", quote.Line(o.Text)+why))
	}
	if len(lines) == 0 {
		return ""
	}
	return "Behaviour stays the same:\n" + strings.Join(lines, "\n")
}

// checked says which of the usual checks passed.
func checked(cs []model.Check) string {
	says := map[string]string{"vet": "go vet", "tests": "the tests", "race": "the race detector"}
	var passed []string
	for _, c := range cs {
		if what := says[c.Name]; what != "" && c.OK && c.Skipped == "" {
			if c.Sample > 0 {
				what += fmt.Sprintf(" (a sample of %d)", c.Sample)
			}
			passed = append(passed, what)
		}
	}
	if len(passed) == 0 {
		return ""
	}
	return "Passed with it: " + strings.Join(passed, ", ") + "."
}
