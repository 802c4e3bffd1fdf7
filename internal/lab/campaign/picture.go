package main

import (
	"context"
	"flag"
	"fmt"
	"html"
	"math"
	"path/filepath"
	"strings"

	"github.com/pawl-dev/pawl/judge"
)

func picturesFlags(f *flag.FlagSet, s *settings) {
	commonFlags(f, s)
	f.StringVar(&s.out, "out", "docs", "the `directory` of the pictures")
}

// runPictures draws what the records say, as SVG for docs/judge.md.
func runPictures(_ context.Context, s *settings) error {
	records, err := readRecords(s.results)
	if err != nil {
		return err
	}
	for name, draw := range map[string]func([]Record) string{
		"judge-shares.svg":    drawShares,
		"judge-estimates.svg": drawEstimates,
		"judge-course.svg":    drawCourse,
	} {
		if text := draw(records); text != "" {
			if err := writeFile(filepath.Join(s.out, name), []byte(text), 0o666); err != nil {
				return err
			}
		}
	}
	return nil
}

// A canvas is an SVG under construction. Colours follow the reader's theme.
type canvas struct {
	b    strings.Builder
	w, h float64
}

func newCanvas(w, h float64, title string) *canvas {
	c := &canvas{w: w, h: h}
	fmt.Fprintf(&c.b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %g %g" width="%g" height="%g" role="img" aria-label="%s">
<style>
text{font:12px system-ui,sans-serif;fill:#24292f}.dim{fill:#6e7781}.axis{stroke:#d0d7de}.grid{stroke:#eaeef2}
.pawl{fill:#0969da;stroke:#0969da}.stat{fill:#bc4c00;stroke:#bc4c00}.thin{fill:none;stroke-width:1}.band{fill:#0969da;fill-opacity:.16;stroke:none}
.bg{fill:#fff}
@media(prefers-color-scheme:dark){text{fill:#e6edf3}.dim{fill:#8d96a0}.axis{stroke:#444c56}.grid{stroke:#2d333b}
.pawl{fill:#58a6ff;stroke:#58a6ff}.stat{fill:#f0883e;stroke:#f0883e}.band{fill:#58a6ff}.bg{fill:#0d1117}}
</style>
<rect class="bg" width="%g" height="%g"/>
`, w, h, w, h, html.EscapeString(title), w, h)
	c.text(12, 20, "", title)
	return c
}

func (c *canvas) text(x, y float64, class, s string) {
	fmt.Fprintf(&c.b, "<text x=\"%.1f\" y=\"%.1f\" class=\"%s\">%s</text>\n", x, y, class, html.EscapeString(s))
}

func (c *canvas) line(x1, y1, x2, y2 float64, class string) {
	fmt.Fprintf(&c.b, "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" class=\"%s\"/>\n", x1, y1, x2, y2, class)
}

func (c *canvas) bar(x, y, w, h float64, class string) {
	fmt.Fprintf(&c.b, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" class=\"%s\"/>\n", x, y, w, h, class)
}

func (c *canvas) dot(x, y float64, class string) {
	fmt.Fprintf(&c.b, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"2.5\" class=\"%s\" fill-opacity=\".7\"/>\n", x, y, class)
}

func (c *canvas) String() string { return c.b.String() + "</svg>\n" }

// A share is one bar: of how many comparisons a tool said something.
type share struct {
	label, class string
	k, n         int
}

// shares counts what both tools said of the comparisons of one verb.
func shares(records []Record, verb string, effect float64, right bool) []share {
	pawl, stat := share{label: "pawl", class: "pawl"}, share{label: "benchstat, same CPU time", class: "stat"}
	for _, r := range records {
		if r.Verb != verb || math.Abs(r.Effect-effect) > 1e-9 || len(r.Pawl) != 1 {
			continue
		}
		pawl.n++
		if j := r.Pawl[0]; right && j.found() || !right && j.claims() {
			pawl.k++
		}
		if r.Equal == nil {
			continue
		}
		stat.n++
		if c := r.Equal.claims(); right && c > 0 || !right && c != 0 {
			stat.k++
		}
	}
	var out []share
	for _, s := range []share{pawl, stat} {
		if s.n > 0 {
			out = append(out, s)
		}
	}
	return out
}

func drawShares(records []Record) string {
	groups := []struct {
		title  string
		verb   string
		effect float64
		right  bool
	}{
		{"equals: says that they differ (wrong)", "aa", 0, false},
		{"one source, 2 %: finds that it is slower", "same", 0.02, true},
		{"one source, 5 %: finds that it is slower", "same", 0.05, true},
		{"two sources, 2 %: finds it on fresh links", "different", 0.02, true},
		{"two sources, 5 %: finds it on fresh links", "different", 0.05, true},
	}
	const left, width, rowHeight = 200.0, 400.0, 18.0
	c := newCanvas(680, 40+float64(len(groups))*(rowHeight*2+26), "Share of comparisons under load, with 95 % binomial intervals")
	y := 40.0
	for _, g := range groups {
		bars := shares(records, g.verb, g.effect, g.right)
		if len(bars) == 0 {
			continue
		}
		c.text(12, y+8, "", g.title)
		y += 16
		for _, s := range bars {
			lo, hi := exactInterval(s.k, s.n)
			c.text(24, y+12, "dim", s.label)
			c.line(left, y+rowHeight-2, left+width, y+rowHeight-2, "grid")
			c.bar(left, y+3, width*float64(s.k)/float64(s.n), 9, s.class)
			c.line(left+width*lo, y+7.5, left+width*hi, y+7.5, "axis")
			c.text(left+width+8, y+12, "dim", fmt.Sprintf("%d of %d", s.k, s.n))
			y += rowHeight
		}
		y += 8
	}
	return c.String()
}

// edge is where the axis of estimates ends; what lies beyond is drawn there.
const edge = 0.30

func drawEstimates(records []Record) string {
	const left, width = 150.0, 500.0
	at := func(x float64) float64 {
		return left + width*(math.Max(-edge, math.Min(edge, x))+edge)/(2*edge)
	}
	c := newCanvas(680, 250, "What each comparison of one source measured: 2 % and 5 % injected, under load")
	for _, tick := range []float64{-0.3, -0.2, -0.1, 0, 0.1, 0.2, 0.3} {
		c.line(at(tick), 34, at(tick), 220, "grid")
		c.text(at(tick)-14, 236, "dim", fmt.Sprintf("%+.0f %%", 100*tick))
	}
	y, any := 52.0, false
	for _, effect := range []float64{0.02, 0.05} {
		for _, tool := range []string{"pawl", "benchstat"} {
			c.text(12, y+4, "dim", fmt.Sprintf("%s, %.0f %%", tool, 100*effect))
			n := 0
			for _, r := range records {
				if r.Verb != "same" || math.Abs(r.Effect-effect) > 1e-9 || len(r.Pawl) != 1 || r.Equal == nil {
					continue
				}
				x, class := r.Pawl[0].Change, "pawl"
				if tool == "benchstat" {
					x, class = r.Equal.Delta, "stat"
				}
				c.dot(at(x), y+float64(n%7)*3-9, class)
				n, any = n+1, true
			}
			c.line(at(effect), y-14, at(effect), y+16, "axis")
			y += 44
		}
	}
	if !any {
		return ""
	}
	return c.String()
}

// drawCourse shows the interval of one comparison as it narrowed: the longest
// one that found 2 %.
func drawCourse(records []Record) string {
	var pick *Judged
	for i, r := range records {
		if (r.Verb == "same" || r.Verb == "aa" || r.Verb == "different") && len(r.Pawl) == 1 {
			if j := &records[i].Pawl[0]; len(j.Duets) >= 12 && (pick == nil || len(j.Duets) > len(pick.Duets)) && len(j.Links) == 0 {
				pick = j
			}
		}
	}
	if pick == nil {
		return ""
	}
	rules := judge.RegressRules()
	rules.MaxUnits = max(rules.MaxUnits, len(pick.Duets))
	seq := judge.NewSequence(rules)
	const left, width, top, height, span = 60.0, 590.0, 36.0, 170.0, 0.12
	c := newCanvas(680, 250, "One comparison: its duets, and the interval as it narrowed")
	yAt := func(v float64) float64 { return top + height/2 - height/2*math.Max(-1, math.Min(1, v/span)) }
	xAt := func(i int) float64 { return left + width*float64(i)/float64(len(pick.Duets)) }
	for _, tick := range []float64{-0.1, -0.05, 0, 0.05, 0.1} {
		c.line(left, yAt(tick), left+width, yAt(tick), "grid")
		c.text(12, yAt(tick)+4, "dim", fmt.Sprintf("%+.0f %%", 100*tick))
	}
	var upper, lower []string
	for i, d := range pick.Duets {
		if err := seq.Add(d); err != nil {
			return ""
		}
		c.dot(xAt(i+1), yAt(math.Expm1(d)), "pawl")
		if dec := seq.Decision(); dec.Lo > -1 && !math.IsInf(dec.Hi, 0) {
			upper = append(upper, fmt.Sprintf("%.1f,%.1f", xAt(i+1), yAt(dec.Hi)))
			lower = append([]string{fmt.Sprintf("%.1f,%.1f", xAt(i+1), yAt(dec.Lo))}, lower...)
		}
	}
	fmt.Fprintf(&c.b, "<polygon class=\"band\" points=\"%s %s\"/>\n", strings.Join(upper, " "), strings.Join(lower, " "))
	c.line(left, yAt(0), left+width, yAt(0), "axis")
	c.text(left, top+height+30, "dim", fmt.Sprintf("%d duets, left to right; shaded: 95 %% interval, valid at all times together", len(pick.Duets)))
	return c.String()
}
