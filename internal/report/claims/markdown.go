package claims

import (
	"fmt"
	"go/version"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/words"
)

// A Claim is what a rule says that its fix gains.
type Claim struct {
	model.EvidenceResult        // what is claimed, and no result
	Exempt               string // why there is no evidence to run; "" where there is
	Missing              bool   // there is no rule
	Transformation       bool   // of pawl optimize
	// Ends says why the rule does not hold for a Go version; "" when it does.
	Ends func(goVersion string) string
}

// A Page is the evidence of rules by one or more Go releases, as
// docs/evidence.md holds it.
type Page struct {
	claims   []Claim
	releases []*release // in their order
}

// A release is what was measured with one Go version.
type release struct {
	version string
	runs    []*model.Evidence
	results map[string]*model.EvidenceResult // by rule
}

// NewPage puts runs side by side. Of two runs with one Go version, what the
// later one measured takes the place of what the earlier one did.
func NewPage(claims []Claim, runs ...*model.Evidence) *Page {
	p := &Page{claims: claims}
	for _, run := range runs {
		i := slices.IndexFunc(p.releases, func(r *release) bool { return r.version == run.Env.GoVersion })
		if i < 0 {
			i = len(p.releases)
			p.releases = append(p.releases, &release{version: run.Env.GoVersion, results: map[string]*model.EvidenceResult{}})
		}
		p.releases[i].add(run)
	}
	slices.SortStableFunc(p.releases, func(a, b *release) int { return version.Compare(a.version, b.version) })
	return p
}

func (r *release) add(run *model.Evidence) {
	r.runs = append(r.runs, run)
	for i := range run.Results {
		r.results[run.Results[i].Rule] = &run.Results[i]
	}
}

// said says when, where and under what load a release was measured, and what
// that gave.
func (r *release) said() string {
	var spans []string
	for _, run := range r.runs {
		took := time.Duration(run.Split.Total * float64(time.Second)).Round(time.Second)
		spans = append(spans, fmt.Sprintf("%s at a load of %.1f", took, run.Env.Load))
	}
	var all model.Evidence
	for _, res := range r.results {
		all.Results = append(all.Results, *res)
	}
	last := r.runs[len(r.runs)-1]
	return fmt.Sprintf("Measured %s with %s, %s, in %s. %s", last.Started.Format(time.DateOnly), on(last.Env), words.Plural(last.Env.CPUs, "processor"),
		strings.Join(spans, ", then "), summary(&all))
}

// WriteMarkdown writes the page.
func (p *Page) WriteMarkdown(w io.Writer) error {
	var b strings.Builder
	b.WriteString(head)
	var exempt []model.EvidenceExemption
	var measured []Claim
	for _, c := range p.claims {
		if c.Exempt != "" {
			exempt = append(exempt, model.EvidenceExemption{Rule: c.Rule, IDs: c.IDs, Why: c.Exempt, NoRule: c.Missing})
		} else {
			measured = append(measured, c)
		}
	}
	if len(measured) > 0 {
		for _, r := range p.releases {
			b.WriteString(r.said() + "\n\n")
		}
		p.table(&b, measured)
	}
	if len(exempt) > 0 {
		b.WriteString("\n## Not measured\n\n| why | rules |\n|---|---|\n")
		for _, g := range groups(exempt) {
			fmt.Fprintf(&b, "| %s | %s |\n", escape(g.why), g.names("[%s](rules.md#%[1]s) (%s)"))
		}
	}
	if _, err := io.WriteString(w, b.String()); err != nil {
		return fmt.Errorf("writing the evidence: %w", err)
	}
	return nil
}

// table writes a row for each rule, with columns for each release, and what
// does not simply hold.
func (p *Page) table(b *strings.Builder, claims []Claim) {
	b.WriteString("| rule | ids | claimed |")
	for _, rel := range p.releases {
		fmt.Fprintf(b, " %s | allocs/op, B/op | verdict |", rel.version)
	}
	b.WriteString("\n|---|---|---|" + strings.Repeat("---|---|---|", len(p.releases)) + "\n")
	var notes strings.Builder
	for _, c := range claims {
		fmt.Fprintf(b, "| %s | %s | %s: %s |", link(c), strings.Join(c.IDs, " "), claim(&c.EvidenceResult), escape(c.Claimed))
		counts := ""
		for _, rel := range p.releases {
			row, now := rel.cells(c, counts)
			b.WriteString(row)
			notes.WriteString(rel.note(c))
			counts = now
		}
		b.WriteString("\n")
	}
	if notes.Len() > 0 {
		b.WriteString("\nWhat does not simply hold:\n\n" + notes.String())
	}
}

// cells writes what was measured of a rule, and returns its counts. Those that the release
// before it had are not written again.
func (r *release) cells(of Claim, before string) (row, counts string) {
	res := r.results[of.Rule]
	if res == nil {
		return " | | not measured |", ""
	}
	counts = strings.TrimPrefix(change(res, "allocs/op")+", "+change(res, "B/op"), ", ")
	shown := counts
	if counts != "" && counts == before {
		shown = "same"
	}
	return fmt.Sprintf(" %s | %s | %s |", Measured(res), shown, bold(res.Verdict)), counts
}

// note says what does not simply hold of a rule; "" where it does.
func (r *release) note(of Claim) string {
	res := r.results[of.Rule]
	switch why := of.Ends(r.version); {
	case res == nil && why == "", res != nil && res.Verdict == model.EvidenceHolds:
		return ""
	case res == nil:
		return fmt.Sprintf("- %s is silent on %s: %s.\n", of.Rule, r.version, why)
	case res.Verdict == model.EvidenceNotThere:
		return fmt.Sprintf("- %s, demoted on %s: %s.\n", of.Rule, r.version, strings.TrimRight(words.FirstLine(res.Why), ".:"))
	}
	return fmt.Sprintf("- %s on %s: %s.\n", of.Rule, r.version, strings.TrimRight(words.FirstLine(res.Why), ".:"))
}

const head = `# Evidence

    $ pawl evidence splitcut
    The evidence of 1 rule: 1 holds.
    …
    rule      ids  claimed  measured                   allocs/op  B/op    verdict
    splitcut  C75  allocs   cpu/op 7.04x [6.10, 7.80]  1 → 0      96 → 0  holds
    …

Each rule, and each transformation of ` + "`pawl optimize`" + `, carries its proof where the gain can be measured. That is the code
that it finds, the code that its fix makes of it, a test that both behave the same, and a benchmark. This page has the
results of one machine.

    pawl evidence                 # all rules
    pawl evidence -markdown       # this page
    pawl evidence -json > go1.27.json; pawl evidence -merge go1.26.json,go1.27.json    # several runs side by side

**x** is before ÷ after of the time per iteration, with its interval at 95 %. Allocations and bytes per iteration are
counted; with a ≈ they vary from run to run, and “same” are those of the release to the left. The first word of a claim is
what falls; a claim without a number is one of direction.

| verdict | meaning |
|---|---|
| holds | the gain is there |
| weaker | the gain is less than half of what is claimed; below 3x, half of the ratio less one |
| not there | a gain of 3 % is excluded (the layout of the code may make that much), or the code gets slower; ` + "`pawl find`" + ` then demotes the rule on your machine |

Verdicts are kept in your cache directory (` + "`pawl/evidence`" + `) by Go version and processor.

`

func link(c Claim) string {
	page := "rules.md"
	if c.Transformation {
		page = "transformations.md"
	}
	return fmt.Sprintf("[%s](%s#%[1]s)", c.Rule, page)
}

// bold marks what a reader should not pass over.
func bold(v model.EvidenceVerdict) string {
	if v == model.EvidenceHolds {
		return string(v)
	}
	return "**" + string(v) + "**"
}

// escape makes text fit for a cell of a table.
func escape(text string) string {
	return strings.NewReplacer("|", `\|`, "\n", " ", "<", "&lt;").Replace(text)
}
