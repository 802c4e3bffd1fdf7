package trends

import (
	"fmt"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/report/figure"
	"github.com/pawl-dev/pawl/internal/words"
)

// headline is the answer in a line: how many series shifted.
func headline(t *model.Trend) string {
	n, short := 0, 0
	for _, s := range t.Series {
		n += min(1, len(s.Shifts))
		if s.Short() {
			short++
		}
	}
	switch all := len(t.Series); {
	case all == 0:
		return "no figures yet: pawl gate and pawl compare keep some"
	case n > 0:
		return fmt.Sprintf("%d of %d series shifted", n, all)
	case short == all:
		return fmt.Sprintf("too early to tell: none of %d series has the %d points that a shift needs", all, model.TrendLeast)
	case short > 0:
		return fmt.Sprintf("no shift in %d series; %d more are too short to tell", all-short, short)
	default:
		return fmt.Sprintf("no shift in %d series", all)
	}
}

func value(metric string, x float64) string {
	switch metric {
	case "cpu/op", "wall/op":
		return words.Nanoseconds(x)
	case "B/op", "retained-B":
		return words.Bytes(x)
	case "B/s":
		return words.Bytes(x) + "/s"
	case "allocs/op":
		return words.Count(x)
	}
	return words.Three(x)
}

// change is what a shift makes of the level; empty where there was nothing before.
func change(s model.TrendShift) string {
	if s.Before == 0 {
		return ""
	}
	return figure.Change(s.After/s.Before - 1)
}

// A tone is what a shift means: worse and better only where the direction is known.
func tone(better int, s model.TrendShift) string {
	switch {
	case better == 0 || s.Before == s.After:
		return "shifted"
	case (s.After > s.Before) == (better > 0):
		return "better"
	}
	return "worse"
}

func since(p model.TrendPoint) string {
	if p.Time.IsZero() {
		return p.Of
	}
	return strings.TrimSpace(p.Time.Format("2006-01-02") + " " + p.Of)
}

// chance is how many series that do not change are said to shift.
func chance(t *model.Trend) string {
	return fmt.Sprintf("Of %.0f series that do not change, one is said to shift. More do where the machine drifts: "+
		"pawl compare measures two commits side by side.", 1/t.Rate)
}
