package evidence

import (
	"fmt"
	"io"
	"strings"
	"time"
)

// WriteMarkdown writes a report as docs/evidence.md holds it.
func (r *Report) WriteMarkdown(w io.Writer) error {
	var b strings.Builder
	b.WriteString(head)
	if len(r.Results) > 0 {
		fmt.Fprintf(&b, "Measured %s with %s, in %s. %s\n\n", r.Started.Format(time.DateOnly), on(r.Env),
			time.Duration(r.Split.Total*float64(time.Second)).Round(time.Second), r.summary())
		r.markdownTable(&b)
	}
	if len(r.Exempt) > 0 {
		b.WriteString("\n## Not measured\n\n| why | rules |\n|---|---|\n")
		for _, g := range groups(r.Exempt) {
			fmt.Fprintf(&b, "| %s | %s |\n", escape(g.why), g.names("[%s](rules.md#%[1]s) (%s)"))
		}
	}
	if _, err := io.WriteString(w, b.String()); err != nil {
		return fmt.Errorf("writing the evidence: %w", err)
	}
	return nil
}

const head = `# Evidence

Each rule, and each transformation of ` + "`pawl optimize`" + `, with a gain that can be measured carries its proof: the code that it finds, the code that its fix makes of it,
a test that both behave the same, and a benchmark. This page is what that gave on one machine; on yours it is

    pawl evidence                 # all rules, or some: pawl evidence splitcut C50
    pawl evidence -markdown       # this page

**x** is before ÷ after of the time per iteration, with its interval at 95 %. Allocations and bytes per iteration are
counted, not estimated; where they differ from run to run, with a ≈, they are not. Of a claim, the first word says what
falls; a claim without a number is one of direction. The gain is **weaker** when it is less than half of what is
claimed: of claims of 3x and more the ratios are compared, of smaller ones the ratios less one. It is **not there**
when a gain of 3 %, which is what the layout of the code may do by itself, is excluded, or when the code gets slower.
Such a rule is demoted for you: ` + "`pawl find`" + ` says so instead of proposing it. Verdicts are kept in your cache folder
(` + "`pawl/evidence`" + `) by Go version and processor.

`

// link points to where a rule is explained; what has no id is a transformation.
func link(res *Result) string {
	page := "rules.md"
	if len(res.IDs) == 0 {
		page = "transformations.md"
	}
	return fmt.Sprintf("[%s](%s#%[1]s)", res.Rule, page)
}

func (r *Report) markdownTable(b *strings.Builder) {
	b.WriteString("| rule | ids | claimed | measured | allocs/op | B/op | verdict |\n|---|---|---|---|---|---|---|\n")
	for i := range r.Results {
		res := &r.Results[i]
		fmt.Fprintf(b, "| %s | %s | %s: %s | %s | %s | %s | %s |\n", link(res), strings.Join(res.IDs, " "),
			res.claim(), escape(res.Claimed), res.Measured(), res.change("allocs/op"), res.change("B/op"), bold(res.Verdict))
	}
	first := true
	for _, res := range r.Results {
		if res.Verdict == Holds {
			continue
		}
		if first {
			b.WriteString("\nWhat does not simply hold:\n\n")
			first = false
		}
		fmt.Fprintf(b, "- %s: %s.\n", res.Rule, strings.TrimRight(firstLine(res.Why), ".:"))
	}
}

// bold marks what a reader should not pass over.
func bold(v Verdict) string {
	if v == Holds {
		return string(v)
	}
	return "**" + string(v) + "**"
}

// escape makes text fit for a cell of a table.
func escape(text string) string {
	return strings.NewReplacer("|", `\|`, "\n", " ", "<", "&lt;").Replace(text)
}
