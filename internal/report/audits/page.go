package audits

import (
	"embed"
	"io"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/report/data"
	"github.com/pawl-dev/pawl/internal/report/page"
)

//go:embed audit.html
var files embed.FS

var kind = page.Kind{Name: "audit", Files: []embed.FS{files}}

// HTML writes an audit as a page, with raw to take along.
func HTML(w io.Writer, a *model.Audit, raw []data.Raw) error {
	return page.WriteBounded(w, kind, func(b page.Bounds) any {
		head := page.Sentence(headline(a))
		p := auditPage{Frame: page.New(head), Head: head, Over: a.Module, Set: set(a, true), Warnings: a.Warnings, Raw: page.NewRaw(raw, b.Raw)}
		p.Lead = page.Sentence(strings.Join(hidden(a), "; "))
		for _, x := range a.Findings {
			p.Items = append(p.Items, item{
				Place: place(x.At), Rule: x.Rule, IDs: strings.Join(x.IDs, " "), About: x.About, Text: page.Sentence(x.Message), Remarks: remarks(x), Fix: fix(x),
			})
		}
		p.Nav = p.anchors()
		return p
	})
}

// An auditPage is what the template is filled with.
type auditPage struct {
	page.Frame
	Nav              []page.Anchor
	Head, Over, Lead string
	Items            []item
	Set              []row
	Warnings         []model.Warning
	Raw              []page.Raw
}

type item struct {
	Place, Rule, IDs, About, Text, Fix string
	Remarks                            []string
}

func fix(x model.SettingFinding) string {
	switch {
	case x.Fix == nil:
		return ""
	case x.Class == "A":
		return x.Fix.Title + ": pawl tune -fix makes it"
	}
	return x.Fix.Title + ": pawl tune -diff shows it"
}

func (p *auditPage) anchors() page.Anchors {
	var out page.Anchors
	out.Add(len(p.Items) > 0, "findings", "Findings")
	out.Add(len(p.Set) > 0, "set", "What is set")
	out.Add(len(p.Warnings) > 0, "warnings", "Warnings")
	out.Add(len(p.Raw) > 0, "data", "Raw data")
	return out
}
