package metrics

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/report/diagnosis/section"
	"github.com/pawl-dev/pawl/internal/report/figure"
	"github.com/pawl-dev/pawl/internal/report/sheet"
	"github.com/pawl-dev/pawl/internal/words"
)

// Add writes what the runtime of a program said of itself: all figures as
// a table, and then those that stand out.
func Add(s *sheet.Sheet, m *model.RuntimeMetrics) {
	s.Para(sheet.Bold, "", Headline(m))
	s.Para(sheet.Dim, "", facts(m))
	s.Blank()
	var rows [][]sheet.Cell
	for _, f := range m.Figures {
		rows = append(rows, metricRow(m, f))
	}
	s.Table("  ", rows)
	for i, sign := range m.Signs {
		addSign(s, i+1, sign)
	}
	metricGaps(s, m.Unknown)
	s.Warnings(m.Warnings)
}

// Headline is the answer in a line.
func Headline(m *model.RuntimeMetrics) string {
	switch n := len(m.Signs); n {
	case 0:
		return "Runtime metrics: nothing stands out."
	case 1:
		return "Runtime metrics: " + m.Signs[0].Title + "."
	case 2:
		return "Runtime metrics: " + m.Signs[0].Title + "; one more stands out."
	default:
		return fmt.Sprintf("Runtime metrics: %s; %d more stand out.", m.Signs[0].Title, n-1)
	}
}

func facts(m *model.RuntimeMetrics) string {
	var facts []string
	for _, src := range m.Sources {
		facts = append(facts, src.Name)
	}
	t := strings.Join(facts, ", ") + " · " + words.Plural(m.Readings, "reading")
	if m.Readings > 1 {
		t += " in " + words.Seconds(m.Seconds)
	}
	if m.Go != "" {
		t += " · " + m.Go
	}
	return t
}

// metricRow is a figure, and the number of what is said of it below.
func metricRow(m *model.RuntimeMetrics, f model.Metric) []sheet.Cell {
	st := sheet.Normal
	remark := sheet.Left(f.Note).In(sheet.Dim)
	if i := metricSignOf(m, f); i >= 0 {
		st = sheet.Bold
		text := "stands out: " + strconv.Itoa(i+1)
		if f.Note != "" {
			text = "see " + strconv.Itoa(i+1) + "; " + f.Note
		}
		remark = sheet.Left(text).In(sheet.Yellow)
	}
	return []sheet.Cell{sheet.Left(f.Title).In(st), sheet.Right(metricValue(f)).In(st), remark}
}

// metricSignOf is the index of what is said of a figure; -1 where it does not
// stand out.
func metricSignOf(m *model.RuntimeMetrics, f model.Metric) int {
	return slices.IndexFunc(m.Signs, func(x model.MetricSign) bool { return x.Metric == f.Name })
}

// metricValue is a figure in words: a quantile with the bounds of its bucket,
// and a level with what it was before.
func metricValue(f model.Metric) string {
	switch {
	case f.Lo != nil && f.Hi == nil:
		return "> " + metricUnit(f.Unit, *f.Lo)
	case f.Lo != nil && *f.Lo == 0:
		return "≤ " + metricUnit(f.Unit, *f.Hi)
	case f.Lo != nil:
		return metricUnit(f.Unit, *f.Lo) + " – " + metricUnit(f.Unit, *f.Hi)
	case f.Name == "gogc" && f.Value < 0:
		return "off"
	case f.Name == "memory_limit" && f.Value < 0, f.Name == "cpu_quota" && f.Value == 0:
		return "none"
	}
	now := metricUnit(f.Unit, f.Value)
	if f.First != nil {
		if before := metricUnit(f.Unit, *f.First); before != now {
			return before + " → " + now
		}
	}
	return now
}

func metricUnit(unit string, x float64) string {
	switch unit {
	case "share":
		return figure.Share(x)
	case "bytes":
		return words.Bytes(x)
	case "bytes/s":
		return words.Bytes(x) + "/s"
	case "s":
		return words.Nanoseconds(x * 1e9)
	case "s/s":
		return words.Nanoseconds(x*1e9) + " per s"
	case "cpus":
		return words.Three(x) + " CPUs"
	case "%":
		return fmt.Sprintf("%.0f", x)
	case "goroutines", "threads", "cycles":
		return words.Grouped(x)
	}
	if of, ok := strings.CutSuffix(unit, "/s"); ok && of != "" {
		if x >= 100 {
			return words.Grouped(x) + "/s"
		}
		return words.Three(x) + "/s"
	}
	return words.Three(x) + " " + unit
}

// addSign writes all about one figure that stands out.
func addSign(s *sheet.Sheet, n int, x model.MetricSign) {
	indent := section.AddTitle(s, n, x.Name+": "+x.Title)
	s.Para(sheet.Yellow, indent, metricSeen(x))
	section.AddRemedy(s, indent, x.Rules, section.About(x.Meaning, x.Lever, x.Before, x.Gap)...)
}

// metricSeen says what was seen, and from what on that stands out.
func metricSeen(x model.MetricSign) string { return x.Seen + " (from " + metricThreshold(x) + " on)" }

func metricThreshold(x model.MetricSign) string {
	switch x.Unit {
	case "share":
		return figure.Chosen(x.Threshold)
	case "times":
		return fmt.Sprintf("%.3g times", x.Threshold)
	case "threads":
		return words.Grouped(x.Threshold)
	case "s", "s/s":
		return metricUnit(x.Unit, x.Threshold)
	}
	return metricUnit(x.Unit, x.Threshold)
}

func metricGaps(s *sheet.Sheet, gaps []model.MetricGap) {
	if len(gaps) == 0 {
		return
	}
	s.Heading("Not known:")
	for _, g := range gaps {
		s.Para(sheet.Normal, "  ", g.What+": "+g.Why+".")
		if g.Try != "" {
			s.Para(sheet.Dim, "    ", "try: "+g.Try)
		}
	}
}
