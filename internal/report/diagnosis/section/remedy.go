package section

import (
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/report/figure"
	"github.com/pawl-dev/pawl/internal/report/page"
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

// A Caller is a line behind a signature.
type Caller struct {
	Share       string
	Place, Full string
	Func        string
}
