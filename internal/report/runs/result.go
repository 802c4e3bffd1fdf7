package runs

import (
	"cmp"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/report/figure"
	"github.com/pawl-dev/pawl/internal/report/page"
	"github.com/pawl-dev/pawl/internal/report/page/plot"
	"github.com/pawl-dev/pawl/internal/sorted"
)

// A pageResult is one benchmark, original against final.
type pageResult struct {
	Name    string
	Figure  string // the change, large: "−46.5 %"
	What    string // what it is the change of
	Answer  string
	Faster  bool
	Slower  bool
	Range   string // the interval and what it rests on
	Picture *plot.Picture
	Rows    []figure.Row
	Level   string       // heading of the intervals
	Counts  []figure.Row // of counts that changed, for the figures beside the change

	Evidence *plot.Evidence
}

func newResult(res model.Result) pageResult {
	p := pageResult{Name: res.Benchmark.String(), Rows: figure.Rows(res)}
	for _, w := range p.Rows {
		if w.Interval == "exact" && !w.Equal && w.Label != "retained" {
			p.Counts = append(p.Counts, w)
		}
	}
	if v := res.Verdict; v != nil {
		p.Figure, p.What, p.Answer = figure.Change(v.Change), figure.Metric(v.Metric)+" per op", string(v.Answer)
		p.Range = page.Together(figure.BoundsAfter(*v, figure.Units(*v)))
		if why := figure.OpenStill(*v); why != "" {
			p.Range += "; " + why
		}
		p.Level, p.Faster, p.Slower = figure.Level(v), v.Answer == model.Faster, v.Answer == model.Slower
		p.Picture, p.Evidence = plot.ScaleOf([]model.Verdict{*v}).Draw(*v), plot.NewEvidence(*v, 0)
	}
	return p
}

func firstVerdicts(attempts []model.Attempt) []model.Verdict {
	var out []model.Verdict
	for _, a := range attempts {
		if len(a.Verdicts) > 0 {
			out = append(out, a.Verdicts[0])
		}
	}
	return out
}

// A pageGains has a row for each of some benchmarks.
type pageGains struct {
	Name     string
	Compared bool   // there is a before and an after
	Level    string // heading of the intervals
	Rows     []pageGain
}

// A pageGain is one benchmark, in a row.
type pageGain struct {
	Name, Tone       string // Tone is "better", "worse", "open" or ""
	Before, After    string
	Change, Interval string
	Allocs, Bytes    string
}

// shownGains is how many benchmarks are shown before where the time goes.
const shownGains = 8

// gainTables are those of all benchmarks that something is to be said of, the most
// telling first, and the names of the others. Where nothing was compared, they say how
// it is.
func gainTables(r *model.Run) (first, more pageGains, same []string) {
	said, unmoved := settled(shownResults(r))
	if len(said) == 0 {
		said, unmoved = unmoved, nil
	}
	sorted.By(said, func(a, b model.Result) int { return telling(a) - telling(b) })
	first.Name, more.Name = "benchmarks", "more benchmarks"
	for i, res := range said {
		to := &first
		if i >= shownGains {
			to = &more
		}
		to.Compared = to.Compared || res.Verdict != nil
		to.Level = cmp.Or(to.Level, figure.Level(res.Verdict))
		to.Rows = append(to.Rows, newGain(res))
	}
	return first, more, namesOf(unmoved)
}

func newGain(res model.Result) pageGain {
	g := pageGain{Name: res.Benchmark.String()}
	metric := "cpu/op"
	if v := res.Verdict; v != nil {
		metric, g.Tone = v.Metric, map[model.Answer]string{model.Faster: "better", model.Slower: "worse", model.Undecided: "open"}[v.Answer]
	}
	for _, w := range figure.Rows(res) {
		moved := w.Before
		if w.After != "" && !w.Equal {
			moved += " → " + w.After
		}
		switch w.Label {
		case metric:
			g.Before, g.After, g.Change, g.Interval = w.Before, w.After, w.Change, w.Interval
		case "allocs/op":
			g.Allocs = page.Together(moved)
		case "B/op":
			g.Bytes = page.Together(moved)
		}
	}
	if g.Tone == "open" {
		g.Interval = "undecided, " + g.Interval
	}
	return g
}
