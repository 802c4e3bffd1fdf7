package section

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/report/figure"
	"github.com/pawl-dev/pawl/internal/report/page"
	"github.com/pawl-dev/pawl/internal/report/sheet"
)

// A Remedy is what something is, what changes it, and what to look at first.
type Remedy struct {
	Facts []figure.Fact
	Rules []model.SignRule
}

// NewRemedy leaves out what there is nothing to say about.
func NewRemedy(rules []model.SignRule, of ...figure.Fact) Remedy {
	a := Remedy{Rules: rules}
	for _, f := range of {
		if f.Text != "" {
			a.Facts = append(a.Facts, figure.Fact{Label: f.Label, Text: page.Together(f.Text)})
		}
	}
	return a
}

// About is what text and page have to say about what stands out.
func About(meaning, lever, before, gap string) []figure.Fact {
	return []figure.Fact{{Label: "what", Text: meaning}, {Label: "lever", Text: lever}, {Label: "first", Text: before}, {Label: "beware", Text: gap}}
}

// AddTitle writes the title of the nth that stands out, and returns the indent of what follows.
func AddTitle(s *sheet.Sheet, n int, title string) (indent string) {
	s.Blank()
	head := strconv.Itoa(n) + "  "
	s.Mark(sheet.Bold, head, sheet.Bold, title)
	return strings.Repeat(" ", len(head))
}

// AddRemedy is NewRemedy in a text.
func AddRemedy(s *sheet.Sheet, indent string, rules []model.SignRule, of ...figure.Fact) {
	for _, f := range append(of, figure.Fact{Label: "rules", Text: ruleNames(rules)}) {
		if f.Text != "" {
			s.Mark(sheet.Dim, fmt.Sprintf("%s%-7s", indent, f.Label), sheet.Normal, f.Text)
		}
	}
}

// A Caller is a line behind a signature.
type Caller struct {
	Share       string
	Place, Full string
	Func        string
}
