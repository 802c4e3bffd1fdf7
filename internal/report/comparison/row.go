package comparison

import (
	"cmp"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/report/figure"
	"github.com/pawl-dev/pawl/internal/report/sheet"
	"github.com/pawl-dev/pawl/internal/sorted"
	"github.com/pawl-dev/pawl/internal/words"
)

// A comparedRow is one benchmark of a comparison, in words.
type comparedRow struct {
	name     string
	standing string
	mark     sheet.Cell
	metric   string // "cpu/op"
	change   string // empty where there is none
	interval string
	allocs   string // "3", or "3 → 4" where it changed
	bytes    string

	allocsMoved, bytesMoved bool

	metrics []metricRow // that the benchmark reports itself
	units   string      // "24 duets", "12 links"
	notes   []string    // what the standing rests on, and what is odd
}

// severity is the order of rows: what needs a reader comes first.
var severity = []model.Standing{model.Regressed, model.Failed, model.Open, model.Accepted, model.OneSided, model.Improved, model.Clean}

// comparedRowsOf returns the rows of a comparison, those aside that were not
// run because their code is unchanged.
func comparedRowsOf(c *model.Comparison) []comparedRow {
	name := namer(c)
	var rows []comparedRow
	for _, b := range judgedBenchmarks(c) {
		r := comparedRow{name: name(b.Benchmark), standing: standingWord(b.Standing), mark: markOf(b.Standing), units: unitsOf(c, b)}
		if v := b.Verdict; v != nil && v.Units > 0 && !words.Unbounded(v.Change) {
			r.metric, r.change, r.interval = v.Metric, figure.Change(v.Change), figure.Bounds(*v)
		}
		r.allocs, r.allocsMoved = countOf(b, "allocs/op")
		r.bytes, r.bytesMoved = countOf(b, "B/op")
		r.metrics = metricRows(b)
		r.notes = notesOf(b)
		rows = append(rows, r)
	}
	return rows
}

// judgedBenchmarks are the benchmarks that rows are of, in their order.
func judgedBenchmarks(c *model.Comparison) []model.Compared {
	bs := slices.DeleteFunc(slices.Clone(c.Benchmarks), func(b model.Compared) bool { return b.Standing == model.Unchanged })
	sorted.By(bs, func(a, b model.Compared) int {
		return slices.Index(severity, a.Standing) - slices.Index(severity, b.Standing)
	})
	return bs
}

// standingWord is a standing as a table shows it.
func standingWord(s model.Standing) string {
	if s == model.OneSided {
		return "one side" // the note says which
	}
	return string(s)
}

func markOf(s model.Standing) sheet.Cell {
	switch s {
	case model.Regressed:
		return sheet.Left("✗").In(sheet.Red)
	case model.Failed:
		return sheet.Left("!").In(sheet.Yellow)
	case model.Open:
		return sheet.Left("?").In(sheet.Yellow)
	case model.Improved, model.Clean:
		return sheet.Left("✓").In(sheet.Green)
	}
	return sheet.Left("·").In(sheet.Dim)
}

// time is the change, with its metric where the rows do not share one.
func (r comparedRow) time(shared string) string {
	if shared == "" && r.change != "" {
		return figure.MetricShort(r.metric) + " " + r.change
	}
	return r.change
}

// moved are the counts that changed and that a layout has no column for.
func (r comparedRow) moved(l layout) []string {
	var parts []string
	if !l.allocs && r.allocsMoved {
		parts = append(parts, "allocs/op "+r.allocs)
	}
	if !l.bytes && r.bytesMoved {
		parts = append(parts, "B/op "+r.bytes)
	}
	if len(parts) == 0 {
		return nil
	}
	return []string{strings.Join(parts, ", ")}
}

// figures are those of a row in one line, for where a table has no room.
func (r comparedRow) figures() string {
	var parts []string
	if r.change != "" {
		parts = append(parts, r.metric+" "+r.change+" "+r.interval)
	}
	if r.allocs != "" {
		parts = append(parts, "allocs/op "+r.allocs)
	}
	if r.bytes != "" {
		parts = append(parts, "B/op "+r.bytes)
	}
	if r.units != "" {
		parts = append(parts, r.units)
	}
	return strings.Join(parts, ", ")
}

// sharedMetric is the heading of the changes and of their intervals; the metric
// is empty where the benchmarks were judged by different ones, and then stands
// in each row.
func sharedMetric(c *model.Comparison) (metric, interval string) {
	same := true
	for _, b := range c.Benchmarks {
		v := b.Verdict
		if v == nil || v.Units == 0 {
			continue
		}
		same = same && (metric == "" || metric == v.Metric)
		metric = v.Metric
		interval = cmp.Or(interval, figure.Level(v))
	}
	if !same {
		metric = ""
	}
	return metric, interval
}

// unitsOf is what the verdict of a benchmark rests on.
func unitsOf(c *model.Comparison, b model.Compared) string {
	v := b.Verdict
	switch {
	case v == nil || v.Units == 0:
		return ""
	case b.Screen != nil:
		return words.Plural(v.Units, "link")
	case c.Base.Kind == model.SideSamples:
		return words.Plural(v.Units, "sample")
	}
	return figure.Units(*v)
}

// countOf is a count per op before and after, once where it stays, and whether
// it moved. A "~" says that it varies from run to run: nothing is claimed then.
func countOf(b model.Compared, metric string) (text string, moved bool) {
	format := words.Bytes
	if metric == "allocs/op" {
		format = objects
	}
	e := model.CountOf(b.Counts, metric)
	if e == nil {
		return "", false // not counted, as in results without -benchmem
	}
	before, after := format(e.Before), format(e.After)
	switch {
	case e.Noisy && before == after:
		return "~" + before, false
	case e.Noisy:
		return "~" + before + " → ~" + after, true
	case e.Equal() || before == after:
		return before, false
	}
	return before + " → " + after, true
}

// objects formats a number of objects per op. Few are not none: where count
// would round to a whole number, the fraction stays.
func objects(x float64) string {
	switch {
	case x > 0 && x < 0.0005:
		return "< 0.001"
	case x > 0 && x < 0.01:
		return words.Three(x)
	case x > 0.99 && x < 1:
		return "0.99"
	}
	return words.Count(x)
}

// notesOf says what a standing rests on where it is not clean, and what is odd
// about the benchmark in any case.
func notesOf(b model.Compared) []string {
	var out []string
	add := func(t string) {
		if t != "" {
			out = append(out, t)
		}
	}
	good := b.Standing == model.Clean || b.Standing == model.Improved
	if !good {
		add(b.Why)
		if b.Verdict != nil && !strings.HasSuffix(b.Why, "on one link of each side") {
			add(figure.OpenStill(*b.Verdict))
		}
	}
	if b.Accepted != "" {
		add("accepted: " + b.Accepted)
	}
	if v := b.Screen; v != nil && v.Answer != model.Undecided && !good && v.Units > 0 && !words.Unbounded(v.Change) {
		add("on one link of each side: " + figure.MetricShort(v.Metric) + " " + figure.Change(v.Change) + " " + figure.Bounds(*v) + " after " + figure.Units(*v))
	}
	for _, g := range b.Guards {
		if g.Tripped && !strings.Contains(b.Why, g.Name) {
			add("guard: " + guardText(g))
		}
	}
	add(sourceText(b.Source, b.Why))
	if !good {
		for _, w := range b.Warnings {
			if b.Plan == nil || !slices.Contains(b.Plan.Warnings, w) {
				add(w.Seen)
			}
		}
	}
	return out
}

// guardText is a guard with its figures.
func guardText(g model.Guard) string {
	t := g.Name + " " + figure.Guard(g.Unit, g.Before) + " → " + figure.Guard(g.Unit, g.After)
	if g.Detail != "" {
		t += ": " + g.Detail
	}
	return t
}

// sourceText says that a benchmark is not the same on both sides, unless why
// says so already.
func sourceText(s *model.Source, why string) string {
	switch {
	case s == nil || s.Base == s.Candidate && len(s.Differs) == 0:
		return ""
	case s.Base == "":
		return "the base does not have this benchmark"
	case s.Candidate == "":
		return "the candidate does not have this benchmark"
	}
	if strings.Contains(why, "the benchmark itself") {
		return strings.TrimSuffix("what differs: "+named(s.Differs, 4), "what differs: ")
	}
	t := "the benchmark itself differs"
	if len(s.Differs) > 0 {
		t += " (" + named(s.Differs, 4) + ")"
	}
	if s.Pinned {
		return t + ": the base's ran on both sides"
	}
	return t + ": each side ran its own"
}

// namer returns how benchmarks are named: with their package where there are
// several, by its last element where that tells them apart.
func namer(c *model.Comparison) func(model.Benchmark) string {
	packages := make(map[string]bool)
	ends := make(map[string]int)
	for _, b := range c.Benchmarks {
		if !packages[b.Benchmark.Pkg] {
			packages[b.Benchmark.Pkg] = true
			ends[lastElement(b.Benchmark.Pkg)]++
		}
	}
	return func(b model.Benchmark) string {
		end := lastElement(b.Pkg)
		switch {
		case len(packages) < 2 || b.Pkg == "":
			return b.String()
		case ends[end] == 1:
			return end + "." + b.String()
		}
		return strings.TrimPrefix(b.Pkg, c.Module+"/") + "." + b.String()
	}
}

// majorVersion is the last element of the path of a module from version 2 on.
var majorVersion = regexp.MustCompile(`^v[0-9]+$`)

// lastElement is what a package is called by, as far as its path says: m of
// example.com/m/v2.
func lastElement(pkg string) string {
	dir, end := path.Split(pkg)
	if majorVersion.MatchString(end) && dir != "" {
		return path.Base(dir)
	}
	return end
}
