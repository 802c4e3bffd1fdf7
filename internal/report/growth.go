package report

import (
	"fmt"
	"math"
	"path"
	"strconv"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
)

// growth writes what grew between profiles: the answer in a line, each suspect
// with its points, what changes it, and what else changed.
func (s *sheet) growth(g model.Growth) {
	s.para(bold, "", growthHeadline(g))
	s.para(dim, "", growthFacts(g))
	for i, x := range g.Suspects {
		s.suspect(i+1, g, x)
	}
	if len(g.Suspects) > 0 {
		s.blank()
		for _, f := range []struct{ label, text string }{
			{"what   ", g.Meaning}, {"lever  ", g.Lever}, {"first  ", g.Before}, {"beware ", g.Gap}, {"rules  ", ruleNames(g.Rules)},
		} {
			if f.text != "" {
				s.mark(dim, "   "+f.label, normal, f.text)
			}
		}
	}
	s.others(g)
	if g.Allocated != nil && g.Allocated.Bytes > 0 {
		s.allocated(g)
	}
	s.warnings(g.Warnings)
}

// growthHeadline is the answer.
func growthHeadline(g model.Growth) string {
	head := growthWord(g.Kind)
	switch n := len(g.Suspects); {
	case n == 0 && len(g.Others) == 0:
		return head + ": nothing grew beyond noise."
	case n == 0:
		return head + ": no leak suspect; some lines changed."
	default:
		x := g.Suspects[0]
		t := fmt.Sprintf("%s: %s at %s, %s", head, short(x.Func), spot(x.File, x.Line), plus(g.Unit, x.Change))
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

func growthWord(kind string) string {
	return map[string]string{"heap": "Heap growth", "goroutine": "Goroutine growth", "goroutineleak": "Leaked goroutines"}[kind]
}

// growthFacts says what was compared.
func growthFacts(g model.Growth) string {
	names := g.Sources
	switch n := len(names); {
	case n > 1 && names[0] == names[n-1]:
		names = names[:1]
	case n > 3:
		names = []string{names[0], "…", names[n-1]}
	}
	facts := []string{strings.Join(names, " → "), number(len(g.Points), "point")}
	if g.Seconds > 0 {
		facts[1] += " in " + seconds(g.Seconds)
	}
	first, last := g.Points[0].Total, g.Points[len(g.Points)-1].Total
	total := fmt.Sprintf("%s → %s", quantity(g.Unit, first), quantity(g.Unit, last))
	if g.Unit == "goroutines" {
		total = fmt.Sprintf("%s → %s", grouped(first), goroutines(last))
	}
	facts = append(facts, total, plus(g.Unit, g.Total.Change)+ofInterval(g.Unit, g.Total))
	return strings.Join(facts, " · ")
}

// suspect writes all about one.
func (s *sheet) suspect(n int, g model.Growth, x model.GrowthSite) {
	s.blank()
	head := strconv.Itoa(n) + "  "
	s.mark(bold, head, bold, growthName(x)+", "+spot(x.File, x.Line))
	indent := strings.Repeat(" ", len(head))
	t := growthChange(g, x)
	if rate := growthRate(g, x); rate != "" {
		t += "; " + rate
	}
	s.para(yellow, indent, t)
	s.para(normal, indent, s.curve(x.Values)+"  "+growthPoints(g, x))
	if text := growthShape(x); text != "" {
		s.para(normal, indent, text)
	}
}

// growthChange says how much a site grew.
func growthChange(g model.Growth, x model.GrowthSite) string {
	return plus(g.Unit, x.Change) + ofInterval(g.Unit, x.GrowthChange) + ", " + share(x.Share) + " of all growth"
}

// growthRate says how fast, and nothing where the time is not known.
func growthRate(g model.Growth, x model.GrowthSite) string {
	if g.Seconds <= 0 {
		return ""
	}
	t := perMinute(g.Unit, x.PerSecond)
	if len(x.Values) > 2 && x.PerSecondLo != x.PerSecondHi {
		t += fmt.Sprintf(" [%s, %s]", amountOf(g.Unit, 60*x.PerSecondLo), amountOf(g.Unit, 60*x.PerSecondHi))
	}
	return t
}

// growthName is what grew: a function and what it calls, or what goroutines do
// there.
func growthName(x model.GrowthSite) string {
	t := short(x.Func)
	switch {
	case x.Func == "":
		t = "on no line of the program"
	case x.Wait != "":
		t += " " + waitWord(x.Wait)
		if x.Started != "" && x.Started != x.Func {
			t += ", started as " + short(x.Started)
		}
	case x.Via != "":
		t += " → " + short(x.Via)
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

// growthPoints says how the points follow each other.
func growthPoints(g model.Growth, x model.GrowthSite) string {
	n := len(x.Values)
	t := fmt.Sprintf("%s → %s", amountOf(g.Unit, x.Values[0]), amountOf(g.Unit, x.Values[n-1]))
	if n > 2 {
		t += fmt.Sprintf(", rose in %d of %d steps", x.Rose, n-1)
	}
	if x.Samples > 0 && g.Period > 1 {
		t += ", by " + number(int(x.Samples), "sampled object")
	}
	return t
}

// growthShape says whether there are more objects, or larger ones.
func growthShape(x model.GrowthSite) string {
	n := len(x.Objects)
	if n == 0 || x.Objects[n-1] < 1 {
		return ""
	}
	last := x.Values[n-1] / x.Objects[n-1]
	if x.Objects[0] >= 1 && x.Objects[n-1] < 1.1*x.Objects[0] {
		return fmt.Sprintf("larger objects rather than more: %s, %s each on average", plural(math.Round(x.Objects[n-1]), "object"), size(math.Round(last)))
	}
	return fmt.Sprintf("more objects: %s → %s, %s each on average", grouped(x.Objects[0]), grouped(x.Objects[n-1]), size(math.Round(last)))
}

// others writes what changed beyond noise and is no suspect, and how much did
// not.
func (s *sheet) others(g model.Growth) {
	if len(g.Others) > 0 {
		s.heading("Changed, and no suspects:")
		var rows [][]cell
		for _, x := range g.Others {
			rows = append(rows, []cell{right(plus(g.Unit, x.Change)), left(trendWord(g, x)), left(spot(x.File, x.Line)), left(growthName(x))})
		}
		s.table("  ", rows)
		if g.More > 0 {
			s.para(dim, "  ", "and "+number(g.More, "other"))
		}
	}
	if g.Steady > 0 {
		s.blank()
		s.para(dim, "", steadyText(g))
	}
}

// steadyText says how much did not change beyond noise.
func steadyText(g model.Growth) string {
	what, noise := "line", "what sampling alone would show"
	if g.Unit == "goroutines" {
		what, noise = "group", "what a load at random would show"
	}
	t := number(g.Steady, what) + " changed by no more than " + noise + "."
	if g.Period > 1 {
		t += fmt.Sprintf(" One object is sampled for each %s allocated: on a line, growth shows from about %s on.", size(float64(g.Period)), size(g.Sees))
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
	return share(x.Share) + " of growth"
}

// allocated writes how fast the program allocates.
func (s *sheet) allocated(g model.Growth) {
	a := g.Allocated
	s.blank()
	s.para(bold, "", allocatedText(g))
	var rows [][]cell
	for _, x := range a.Sites[:min(allocatedSites, len(a.Sites))] {
		rows = append(rows, []cell{right(share(x.Bytes / a.Bytes)), left(spot(x.File, x.Line)), left(allocatedName(x))})
	}
	s.table("  ", rows)
}

// allocatedSites is how many lines that allocate are shown.
const allocatedSites = 3

func allocatedName(x model.AllocSite) string {
	if x.Via == "" {
		return short(x.Func)
	}
	return short(x.Func) + " → " + short(x.Via)
}

func allocatedText(g model.Growth) string {
	a := g.Allocated
	t := fmt.Sprintf("Allocated in that time: %s [%s, %s]", size(a.Bytes), size(a.Lo), size(a.Hi))
	if a.PerSecond > 0 {
		t += fmt.Sprintf(", %s/s in %s objects/s", size(a.PerSecond), grouped(a.ObjectsPerSecond))
	}
	if g.Total.Lo > 0 {
		t += fmt.Sprintf("; %s of it stayed", share(min(1, g.Total.Change/a.Bytes)))
	}
	return t + "."
}

// curve draws values as a line of bars, from the least to the greatest. With
// ASCII they are digits.
func (s *sheet) curve(values []float64) string {
	bars := []rune("▁▂▃▄▅▆▇█")
	if s.o.ASCII {
		bars = []rune("12345678")
	}
	lo, hi := values[0], values[0]
	for _, v := range values {
		lo, hi = min(lo, v), max(hi, v)
	}
	step := 1
	if most := s.o.width() / 2; len(values) > most { // each bar the last of several points
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

// spot is a line of a file, without its folder.
func spot(file string, line int) string {
	if file == "" {
		return "?"
	}
	where := path.Base(strings.ReplaceAll(file, `\`, "/"))
	if line > 0 {
		where += ":" + strconv.Itoa(line)
	}
	return where
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
		return size(math.Round(x))
	}
	if math.Abs(x) < 99.95 {
		return count(math.Round(10*x) / 10)
	}
	if x < 0 {
		return minus + grouped(-x)
	}
	return grouped(x)
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

func ruleNames(rules []model.SignRule) string {
	var names []string
	for _, r := range rules {
		names = append(names, r.Name)
	}
	return strings.Join(names, ", ")
}
