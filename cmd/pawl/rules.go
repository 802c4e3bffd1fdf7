package main

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/pawl-dev/pawl/internal/explain/sign"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/report/data"
	"github.com/pawl-dev/pawl/internal/run/evidence"
	"github.com/pawl-dev/pawl/rules/catalogue"
	"github.com/pawl-dev/pawl/rules/catalogue/gen"
)

// rulesSchema is the version of the JSON of pawl rules. It is raised when a
// field changes its meaning or goes; new fields do not raise it.
const rulesSchema = 1

const rulesManual = `
Rules lists the catalogue. Each rule has the ids that it answers to, its tier
(where it is worth showing), its fix class (what may be done with a fix), and
the result of its evidence on this machine, if pawl evidence was run. Entries
without a rule follow.

With a name or an id it prints all about that one: why it costs, when not to
follow it, what it cannot see, what it leaves in a profile, and its evidence.`

// A listing is what rules shows.
type listing struct {
	entries  []catalogue.Entry
	cache    string
	here     model.Environment
	json     bool
	markdown bool
}

func runRules(ctx context.Context, e *env, v *verb, args []string) (int, error) {
	var l listing
	fs := v.flags()
	chdir := fs.String("C", "", "change to `dir` first: its module selects the Go version of the evidence")
	fs.BoolVar(&l.json, "json", false, "print JSON instead of text")
	fs.BoolVar(&l.markdown, "markdown", false, "print docs/rules.md")
	operands, err := v.parse(e, fs, args)
	switch {
	case err != nil:
		return 0, err
	case len(operands) > 1:
		return 0, usageError("rules takes one name at most")
	case l.markdown && (l.json || len(operands) > 0):
		return 0, usageError("-markdown prints the page of all rules: it goes with neither -json nor a name")
	}
	if l.entries, err = named(operands); err != nil {
		return 0, err
	}
	if l.markdown {
		_, err := io.WriteString(e.stdout, gen.Markdown(l.entries))
		return exitOK, err
	}
	dir, err := changeDir(e, *chdir)
	if err != nil {
		return 0, err
	}
	l.cache, _ = cacheDir() // without one nothing was measured
	l.here = evidence.Here(ctx, dir, e.environ)
	return exitOK, l.print(e, len(operands) > 0)
}

func (l *listing) print(e *env, pages bool) error {
	if l.json {
		return data.JSON(e.stdout, l.value())
	}
	o := e.view("never", e.outTTY)
	style := gen.Style{ASCII: o.ASCII}
	if e.outTTY {
		style.Width = o.Width
	}
	if !pages {
		_, err := io.WriteString(e.stdout, gen.List(l.entries, l.status, style))
		return err
	}
	for i, entry := range l.entries {
		if i > 0 {
			fmt.Fprintln(e.stdout)
		}
		if _, err := io.WriteString(e.stdout, gen.Page(entry, sign.Naming(entry.Rule.Name), l.measured(entry), style)); err != nil {
			return err
		}
	}
	return nil
}

// A ruleItem is an entry with what its evidence gave here.
type ruleItem struct {
	gen.Item
	Measured *model.EvidenceResult `json:"measured,omitempty"`
}

// A ruleList is what rules -json prints.
type ruleList struct {
	Schema int        `json:"schema"` // 1
	Tool   string     `json:"tool"`   // pawl's version
	Rules  []ruleItem `json:"rules"`
}

func (l *listing) value() any {
	items := []ruleItem{}
	for _, entry := range l.entries {
		it := ruleItem{Item: gen.Of(entry)}
		if res, ok := evidence.Known(l.cache, l.here, entry.Rule); ok {
			it.Measured = &res
		}
		items = append(items, it)
	}
	return ruleList{rulesSchema, version(), items}
}

func (l *listing) status(entry catalogue.Entry) string {
	res, ok := evidence.Known(l.cache, l.here, entry.Rule)
	switch {
	case ok:
		return string(res.Verdict)
	case evidence.Exempt(entry.Rule) != "":
		return "–"
	}
	return "not run"
}

func (l *listing) measured(entry catalogue.Entry) string {
	if evidence.Exempt(entry.Rule) != "" {
		return ""
	}
	res, ok := evidence.Known(l.cache, l.here, entry.Rule)
	if !ok {
		return fmt.Sprintf("Not measured here with %s: pawl evidence %s does.", l.here.GoVersion, entry.Rule.Name)
	}
	text := fmt.Sprintf("Measured here on %s with %s: %s. %s.", res.Time.Format(time.DateOnly), res.GoVersion, res.Verdict, res.Why)
	if res.Verdict == model.EvidenceNotThere {
		text += " The rule is demoted for you."
	}
	return text
}
