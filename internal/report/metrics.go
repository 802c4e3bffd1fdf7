package report

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
)

// metrics writes what the runtime of a program said of itself: all figures as
// a table, and then those that stand out.
func (s *sheet) metrics(m *model.RuntimeMetrics) {
	s.para(bold, "", metricsHeadline(m))
	s.para(dim, "", metricsFacts(m))
	s.blank()
	var rows [][]cell
	for _, f := range m.Figures {
		rows = append(rows, metricRow(m, f))
	}
	s.table("  ", rows)
	for i, sign := range m.Signs {
		s.metricSign(i+1, sign)
	}
	s.metricGaps(m.Unknown)
	s.warnings(m.Warnings)
}

// metricsHeadline is the answer in a line.
func metricsHeadline(m *model.RuntimeMetrics) string {
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

func metricsFacts(m *model.RuntimeMetrics) string {
	var facts []string
	for _, src := range m.Sources {
		facts = append(facts, src.Name)
	}
	t := strings.Join(facts, ", ") + " · " + number(m.Readings, "reading")
	if m.Readings > 1 {
		t += " in " + seconds(m.Seconds)
	}
	if m.Go != "" {
		t += " · " + m.Go
	}
	return t
}

// metricRow is a figure, and the number of what is said of it below.
func metricRow(m *model.RuntimeMetrics, f model.Metric) []cell {
	st := normal
	remark := left(f.Note).in(dim)
	if i := metricSignOf(m, f); i >= 0 {
		st = bold
		text := "stands out: " + strconv.Itoa(i+1)
		if f.Note != "" {
			text = "see " + strconv.Itoa(i+1) + "; " + f.Note
		}
		remark = left(text).in(yellow)
	}
	return []cell{left(f.Title).in(st), right(metricValue(f)).in(st), remark}
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
		return share(x)
	case "bytes":
		return size(x)
	case "bytes/s":
		return size(x) + "/s"
	case "s":
		return nanoseconds(x * 1e9)
	case "s/s":
		return nanoseconds(x*1e9) + " per s"
	case "cpus":
		return three(x) + " CPUs"
	case "%":
		return fmt.Sprintf("%.0f", x)
	case "goroutines", "threads", "cycles":
		return grouped(x)
	}
	if of, ok := strings.CutSuffix(unit, "/s"); ok && of != "" {
		if x >= 100 {
			return grouped(x) + "/s"
		}
		return three(x) + "/s"
	}
	return three(x) + " " + unit
}

// metricSign writes all about one figure that stands out.
func (s *sheet) metricSign(n int, x model.MetricSign) {
	s.blank()
	head := strconv.Itoa(n) + "  "
	s.mark(bold, head, bold, x.Name+": "+x.Title)
	indent := strings.Repeat(" ", len(head))
	s.para(yellow, indent, metricSeen(x))
	for _, f := range []struct{ label, text string }{
		{"what   ", x.Meaning}, {"lever  ", x.Lever}, {"first  ", x.Before}, {"beware ", x.Gap}, {"rules  ", ruleNames(x.Rules)},
	} {
		s.mark(dim, indent+f.label, normal, f.text)
	}
}

// metricSeen says what was seen, and from what on that stands out.
func metricSeen(x model.MetricSign) string { return x.Seen + " (from " + metricThreshold(x) + " on)" }

func metricThreshold(x model.MetricSign) string {
	switch x.Unit {
	case "share":
		return chosen(x.Threshold)
	case "times":
		return fmt.Sprintf("%.3g times", x.Threshold)
	case "threads":
		return grouped(x.Threshold)
	case "s", "s/s":
		return metricUnit(x.Unit, x.Threshold)
	}
	return metricUnit(x.Unit, x.Threshold)
}

// metricGaps says what was not looked at.
func (s *sheet) metricGaps(gaps []model.MetricGap) {
	if len(gaps) == 0 {
		return
	}
	s.heading("Not known:")
	for _, g := range gaps {
		s.para(normal, "  ", g.What+": "+g.Why+".")
		if g.Try != "" {
			s.para(dim, "    ", "try: "+g.Try)
		}
	}
}
