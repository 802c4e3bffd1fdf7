package trends

import (
	"embed"
	"fmt"
	"io"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/report/comparison"
	"github.com/pawl-dev/pawl/internal/report/data"
	"github.com/pawl-dev/pawl/internal/report/figure"
	"github.com/pawl-dev/pawl/internal/report/page"
	"github.com/pawl-dev/pawl/internal/words"
)

//go:embed trends.html
var files embed.FS

var kind = page.Kind{Name: "trends", Files: []embed.FS{files}}

// HTML writes a trend as a page, with what comparisons and gates found and with raw
// to take along.
func HTML(w io.Writer, t *model.Trend, found []model.Comparison, raw []data.Raw) error {
	return page.WriteBounded(w, kind, func(b page.Bounds) any {
		head := page.Sentence(headline(t))
		p := trendsPage{
			Frame: page.New(head), Head: head, Over: strings.Join(t.Of, ", "), Chance: chance(t), Warnings: t.Warnings, Raw: page.NewRaw(raw, b.Raw),
		}
		for i, s := range t.Series {
			p.Series = append(p.Series, newSeries(i, s, b.Flames > 1))
		}
		for i := range found {
			p.Found = append(p.Found, newFound(&found[i]))
		}
		p.Nav = p.anchors()
		return p
	})
}

// A trendsPage is what the template is filled with.
type trendsPage struct {
	page.Frame
	Nav                []page.Anchor
	Head, Over, Chance string
	Series             []series
	Found              []foundRow
	Warnings           []model.Warning
	Raw                []page.Raw
}

type series struct {
	ID, Name, Metric, About, Tone, Outcome string
	Shifts                                 []string
	Picture                                *picture
	First, Last                            string
	Rows                                   []row
}

// A row is a point; empty where the page would become too large.
type row struct{ When, Of, Value string }

type foundRow struct{ When, Of, Answer, Sides string }

func newSeries(i int, s model.TrendSeries, rows bool) series {
	last := s.Points[len(s.Points)-1]
	out := series{
		ID: fmt.Sprint("series-", i+1), Name: s.Benchmark.String(), Metric: s.Metric, Outcome: "steady", Picture: draw(s),
		About: strings.Join(filled(s.Benchmark.Pkg, s.Machine, words.Plural(len(s.Points), "point"), "now "+value(s.Metric, last.Value)), " · "),
		First: since(s.Points[0]), Last: since(last),
	}
	if s.Short() {
		out.Outcome = "too short to tell"
	}
	for _, h := range s.Shifts {
		out.Outcome = tone(s.Better, h)
		out.Shifts = append(out.Shifts, strings.Join(filled(page.Sentence(out.Outcome)+" since "+since(s.Points[h.At]),
			value(s.Metric, h.Before)+" → "+value(s.Metric, h.After), change(h), fmt.Sprintf("p ≤ %.3g", h.P)), ", "))
	}
	out.Tone = map[string]string{"better": "faster", "worse": "slower"}[out.Outcome]
	for _, p := range s.Points {
		if rows {
			out.Rows = append(out.Rows, row{When: day(p), Of: p.Of, Value: value(s.Metric, p.Value)})
		}
	}
	return out
}

func day(p model.TrendPoint) string {
	if p.Time.IsZero() {
		return ""
	}
	return p.Time.Format(figure.Stamp)
}

func filled(texts ...string) []string {
	var out []string
	for _, t := range texts {
		if t != "" {
			out = append(out, t)
		}
	}
	return out
}

func newFound(c *model.Comparison) foundRow {
	answer, rest := comparison.Answer(c)
	return foundRow{
		When: c.Started.Format(figure.Stamp), Of: c.Verb + " " + c.ID, Answer: strings.Join(filled(answer, rest), ", "),
		Sides: c.Base.Name + " against " + c.Candidate.Name,
	}
}

func (p *trendsPage) anchors() page.Anchors {
	var out page.Anchors
	out.Add(len(p.Series) > 0, "series", "Series")
	out.Add(len(p.Found) > 0, "found", "Comparisons and gates")
	out.Add(len(p.Warnings) > 0, "warnings", "Warnings")
	out.Add(len(p.Raw) > 0, "data", "Raw data")
	return out
}
