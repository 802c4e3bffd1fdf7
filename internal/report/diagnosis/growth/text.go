package growth

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/report/diagnosis/section"
	"github.com/pawl-dev/pawl/internal/report/figure"
	"github.com/pawl-dev/pawl/internal/report/sheet"
	"github.com/pawl-dev/pawl/internal/words"
)

// Add writes what grew between profiles: the answer in a line, each suspect
// with its points, what changes it, and what else changed.
func Add(s *sheet.Sheet, g model.Growth) {
	s.Para(sheet.Bold, "", Headline(g))
	s.Para(sheet.Dim, "", facts(g))
	for i, x := range g.Suspects {
		suspect(s, i+1, g, x)
	}
	if len(g.Suspects) > 0 {
		s.Blank()
		section.AddRemedy(s, "   ", g.Rules, section.About(g.Meaning, g.Lever, g.Before, g.Gap)...)
	}
	others(s, g)
	if g.Allocated != nil && g.Allocated.Bytes > 0 {
		allocated(s, g)
	}
	s.Warnings(g.Warnings)
}

// Headline is the answer.
func Headline(g model.Growth) string {
	head := Word(g.Kind)
	switch n := len(g.Suspects); {
	case n == 0 && len(g.Others) == 0:
		return head + ": nothing grew beyond noise."
	case n == 0:
		return head + ": no leak suspect; some lines changed."
	default:
		x := g.Suspects[0]
		t := fmt.Sprintf("%s: %s at %s, %s", head, words.Symbol(x.Func), section.Spot(x.File, x.Line), plus(g.Unit, x.Change))
		if x.PerSecond > 0 {
			t += ", " + perMinute(g.Unit, x.PerSecond)
		}
		switch n {
		case 1:
			return t + "."
		case 2:
			return t + "; one more suspect."
		}
		return fmt.Sprintf("%s; %d more suspects.", t, n-1)
	}
}

// Word is what a kind of growth is called at the beginning of a line.
func Word(kind string) string {
	return map[string]string{"heap": "Heap growth", "goroutine": "Goroutine growth", "goroutineleak": "Leaked goroutines"}[kind]
}

func facts(g model.Growth) string {
	names := g.Sources
	switch n := len(names); {
	case n > 1 && names[0] == names[n-1]:
		names = names[:1]
	case n > 3:
		names = []string{names[0], "…", names[n-1]}
	}
	facts := []string{strings.Join(names, " → "), words.Plural(len(g.Points), "point")}
	if g.Seconds > 0 {
		facts[1] += " in " + words.Seconds(g.Seconds)
	}
	first, last := g.Points[0].Total, g.Points[len(g.Points)-1].Total
	total := fmt.Sprintf("%s → %s", figure.Quantity(g.Unit, first), figure.Quantity(g.Unit, last))
	if g.Unit == "goroutines" {
		total = fmt.Sprintf("%s → %s", words.Grouped(first), words.Counted(last, "goroutine"))
	}
	facts = append(facts, total, plus(g.Unit, g.Total.Change)+ofInterval(g.Unit, g.Total))
	return strings.Join(facts, " · ")
}

func suspect(s *sheet.Sheet, n int, g model.Growth, x model.GrowthSite) {
	s.Blank()
	head := strconv.Itoa(n) + "  "
	s.Mark(sheet.Bold, head, sheet.Bold, nameOf(x)+", "+section.Spot(x.File, x.Line))
	indent := strings.Repeat(" ", len(head))
	t := changeOf(g, x)
	if rate := rateOf(g, x); rate != "" {
		t += "; " + rate
	}
	s.Para(sheet.Yellow, indent, t)
	s.Para(sheet.Normal, indent, curve(s, x.Values)+"  "+pointsOf(g, x))
	if text := shapeOf(x); text != "" {
		s.Para(sheet.Normal, indent, text)
	}
}

// changeOf says how much a site grew.
func changeOf(g model.Growth, x model.GrowthSite) string {
	return plus(g.Unit, x.Change) + ofInterval(g.Unit, x.GrowthChange) + ", " + figure.Share(x.Share) + " of all growth"
}

// rateOf says how fast, and nothing where the time is not known.
func rateOf(g model.Growth, x model.GrowthSite) string {
	if g.Seconds <= 0 {
		return ""
	}
	t := perMinute(g.Unit, x.PerSecond)
	if len(x.Values) > 2 && x.PerSecondLo != x.PerSecondHi {
		t += fmt.Sprintf(" [%s, %s]", amountOf(g.Unit, 60*x.PerSecondLo), amountOf(g.Unit, 60*x.PerSecondHi))
	}
	return t
}

// nameOf is what grew: a function and what it calls, or what goroutines do
// there.
func nameOf(x model.GrowthSite) string {
	t := words.Symbol(x.Func)
	switch {
	case x.Func == "":
		t = "on no line of the program"
	case x.Wait != "":
		t += " " + waitWord(x.Wait)
		if x.Started != "" && x.Started != x.Func {
			t += ", started as " + words.Symbol(x.Started)
		}
	case x.Via != "":
		t += " → " + words.Symbol(x.Via)
	}
	return t
}

func waitWord(wait string) string {
	switch wait {
	case "channel":
		return "waits on a channel"
	case "select":
		return "waits in a select"
	case "lock":
		return "waits for a mutex"
	case "group":
		return "waits for others"
	case "io":
		return "waits for I/O"
	case "sleep":
		return "sleeps"
	case "running":
		return "runs, or could"
	case "forever":
		return "waits for ever"
	}
	return "waits"
}

func pointsOf(g model.Growth, x model.GrowthSite) string {
	n := len(x.Values)
	t := fmt.Sprintf("%s → %s", amountOf(g.Unit, x.Values[0]), amountOf(g.Unit, x.Values[n-1]))
	if n > 2 {
		t += fmt.Sprintf(", rose in %d of %d steps", x.Rose, n-1)
	}
	if x.Samples > 0 && g.Period > 1 {
		t += ", by " + words.Plural(int(x.Samples), "sampled object")
	}
	return t
}

// shapeOf says whether there are more objects, or larger ones.
func shapeOf(x model.GrowthSite) string {
	n := len(x.Objects)
	if n == 0 || x.Objects[n-1] < 1 {
		return ""
	}
	last := x.Values[n-1] / x.Objects[n-1]
	if x.Objects[0] >= 1 && x.Objects[n-1] < 1.1*x.Objects[0] {
		return fmt.Sprintf("larger objects rather than more: %s, %s each on average", figure.Plural(math.Round(x.Objects[n-1]), "object"), words.Bytes(math.Round(last)))
	}
	return fmt.Sprintf("more objects: %s → %s, %s each on average", words.Grouped(x.Objects[0]), words.Grouped(x.Objects[n-1]), words.Bytes(math.Round(last)))
}

// others writes what changed beyond noise and is no suspect, and how much did
// not.
func others(s *sheet.Sheet, g model.Growth) {
	if len(g.Others) > 0 {
		s.Heading("Changed, and no suspects:")
		var rows [][]sheet.Cell
		for _, x := range g.Others {
			rows = append(rows, []sheet.Cell{sheet.Right(plus(g.Unit, x.Change)), sheet.Left(trendWord(g, x)), sheet.Left(section.Spot(x.File, x.Line)), sheet.Left(nameOf(x))})
		}
		s.Table("  ", rows)
		if g.More > 0 {
			s.Para(sheet.Dim, "  ", "and "+words.Plural(g.More, "other"))
		}
	}
	if g.Steady > 0 {
		s.Blank()
		s.Para(sheet.Dim, "", steadyText(g))
	}
}

// steadyText says how much did not change beyond noise.
func steadyText(g model.Growth) string {
	what, noise := "line", "what sampling alone would show"
	if g.Unit == "goroutines" {
		what, noise = "group", "what a load at random would show"
	}
	t := words.Plural(g.Steady, what) + " changed by no more than " + noise + "."
	if g.Period > 1 {
		t += fmt.Sprintf(" One object is sampled for each %s allocated: on a line, growth shows from about %s on.", words.Bytes(float64(g.Period)), words.Bytes(g.Sees))
	}
	return t
}

func trendWord(g model.Growth, x model.GrowthSite) string {
	switch x.Trend {
	case "wavered":
		return "up and down"
	case "levelled":
		return "came to rest"
	case "fell":
		return "fell"
	}
	if x.Change < g.Least {
		return "less than " + amountOf(g.Unit, g.Least)
	}
	return figure.Share(x.Share) + " of growth"
}

// allocated writes how fast the program allocates.
func allocated(s *sheet.Sheet, g model.Growth) {
	a := g.Allocated
	s.Blank()
	s.Para(sheet.Bold, "", allocatedText(g))
	var rows [][]sheet.Cell
	for _, x := range a.Sites[:min(allocatedSites, len(a.Sites))] {
		rows = append(rows, []sheet.Cell{sheet.Right(figure.Share(x.Bytes / a.Bytes)), sheet.Left(section.Spot(x.File, x.Line)), sheet.Left(allocatedName(x))})
	}
	s.Table("  ", rows)
}

// allocatedSites is how many lines that allocate are shown.
const allocatedSites = 3

func allocatedName(x model.AllocSite) string {
	if x.Via == "" {
		return words.Symbol(x.Func)
	}
	return words.Symbol(x.Func) + " → " + words.Symbol(x.Via)
}

func allocatedText(g model.Growth) string {
	a := g.Allocated
	t := fmt.Sprintf("Allocated in that time: %s [%s, %s]", words.Bytes(a.Bytes), words.Bytes(a.Lo), words.Bytes(a.Hi))
	if a.PerSecond > 0 {
		t += fmt.Sprintf(", %s/s in %s objects/s", words.Bytes(a.PerSecond), words.Grouped(a.ObjectsPerSecond))
	}
	if g.Total.Lo > 0 {
		t += fmt.Sprintf("; %s of it stayed", figure.Share(min(1, g.Total.Change/a.Bytes)))
	}
	return t + "."
}

// curve draws values as a line of bars, from the least to the greatest. With
// ASCII they are digits.
func curve(s *sheet.Sheet, values []float64) string {
	bars := []rune("▁▂▃▄▅▆▇█")
	if s.ASCII() {
		bars = []rune("12345678")
	}
	lo, hi := values[0], values[0]
	for _, v := range values {
		lo, hi = min(lo, v), max(hi, v)
	}
	step := 1
	if most := s.Width() / 2; len(values) > most { // each bar the last of several points
		step = (len(values) + most - 1) / most
	}
	var b strings.Builder
	for i := (len(values) - 1) % step; i < len(values); i += step {
		at := 0
		if hi > lo {
			at = int((values[i] - lo) / (hi - lo) * float64(len(bars)-1))
		}
		b.WriteRune(bars[at])
	}
	return b.String()
}

// plus is an amount with its sign.
func plus(unit string, x float64) string {
	t := amountOf(unit, x)
	if x > 0 {
		t = "+" + t
	}
	return t
}

// amountOf is quantity without the word for what is counted, and with a sign
// for what is below zero.
func amountOf(unit string, x float64) string {
	if unit == "bytes" {
		return words.Bytes(math.Round(x))
	}
	if math.Abs(x) < 99.95 {
		return words.Count(math.Round(10*x) / 10)
	}
	if x < 0 {
		return figure.Minus + words.Grouped(-x)
	}
	return words.Grouped(x)
}

func perMinute(unit string, perSecond float64) string {
	return plus(unit, 60*perSecond) + "/min"
}

// ofInterval is the interval of what was sampled, and nothing for counts.
func ofInterval(unit string, c model.GrowthChange) string {
	if unit != "bytes" || c.Lo == c.Hi {
		return ""
	}
	return fmt.Sprintf(" [%s, %s]", amountOf(unit, c.Lo), amountOf(unit, c.Hi))
}
