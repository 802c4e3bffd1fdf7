package report

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/pawl-dev/pawl/internal/model"
)

// mostChanges is how many rows a table of changes has; JSON has all.
const mostChanges = 12

// profileChange writes what differs between two sets of profiles of one kind.
func (s *sheet) profileChange(c model.ProfileComparison) {
	s.para(bold, "", changeHeadline(c))
	s.para(dim, "", changeSides(c))
	if c.Base.Total > 0 && c.Now.Total > 0 {
		s.para(dim, "", changeUnits(c))
	}
	up, down := changeGroups(c)
	s.changes(c, up+", by function", more(c.Functions, true))
	s.changes(c, up+", by line", more(c.Lines, true))
	s.changes(c, down+", by function", more(c.Functions, false))
	s.changes(c, down+", by line", more(c.Lines, false))
	if len(c.Functions)+len(c.Lines)+len(c.Signs) > 0 {
		s.blank()
	}
	s.signChanges(c)
	s.restOfChanges(c)
	s.warnings(c.Warnings)
}

// changeGroups name what went up and what went down.
func changeGroups(c model.ProfileComparison) (up, down string) {
	if c.By == "share" {
		return "Greater share", "Smaller share"
	}
	return "Costs more", "Costs less"
}

// changeHeadline is the answer in a line.
func changeHeadline(c model.ProfileComparison) string {
	kind := profileWord(c.Kind)
	if c.Kind == "heap" {
		kind += ", " + c.What
	}
	up, down, only := directions(c.Functions)
	if c.Kind == "" || c.Base.Total == 0 || c.Now.Total == 0 {
		return kind + ": nothing to compare."
	}
	t := kind + ": "
	switch {
	case len(c.Functions) == 0 && len(c.Signs)+len(c.Lines) > 0:
		t += "no function differs by more than noise"
	case len(c.Functions) == 0:
		t += "no difference that is not noise"
	case c.By == "share":
		t += fmt.Sprintf("%s a greater share, %d a smaller one", counting(up, "function has", "functions have"), down)
		if only > 0 {
			t += fmt.Sprintf("; %d more only because the rest changed", only)
		}
	default:
		t += fmt.Sprintf("%s more, %d less", counting(up, "function costs", "functions cost"), down)
	}
	if c.Total != nil {
		t += "; " + totalChange(c)
	}
	return t + "."
}

// directions counts what went up and down, and what did in share only.
func directions(of []model.ProfileChange) (up, down, only int) {
	for _, c := range of {
		switch {
		case c.ShareOnly:
			only++
		case c.More():
			up++
		default:
			down++
		}
	}
	return up, down, only
}

func counting(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}

// totalChange says what became of all that was profiled.
func totalChange(c model.ProfileComparison) string {
	t := *c.Total
	if !t.Claimed {
		return "all together " + per(c, t.Before) + " → " + per(c, t.After) + ", not certain"
	}
	return "all together " + per(c, t.Before) + " → " + per(c, t.After) + ", " + changeInterval(t)
}

// changeSides says what was compared.
func changeSides(c model.ProfileComparison) string {
	side := func(s model.ProfileSide) string {
		t := strings.Join(s.Sources, ", ")
		if s.Total == 0 {
			return t
		}
		if c.Kind == "mutex" || c.Kind == "block" {
			t += " (" + quantity(c.Unit, s.Total)
		} else {
			t += " (" + samples(s.Samples) + ", " + quantity(c.Unit, s.Total)
		}
		if c.By == "second" {
			t += ", " + seconds(s.Seconds)
		}
		if s.Ops > 0 {
			t += ", " + grouped(s.Ops) + " operations"
		}
		return t + ")"
	}
	return side(c.Base) + " → " + side(c.Now)
}

// changeUnits says what figures are divided by, and what that cannot show.
func changeUnits(c model.ProfileComparison) string {
	switch c.By {
	case "op":
		return "Figures are " + c.What + " per operation. Functions count with all that they call."
	case "second":
		return "Figures are " + c.What + " per second of profile. Functions count with all that they call."
	}
	return "Figures are shares of the profile, which cannot say whether the whole became faster: -ops OLD,NEW does. Functions count with all that they call."
}

func more(of []model.ProfileChange, up bool) []model.ProfileChange {
	var out []model.ProfileChange
	for _, late := range []bool{false, true} { // what changed in share only comes last
		for _, c := range of {
			if c.More() == up && c.ShareOnly == late {
				out = append(out, c)
			}
		}
	}
	return out
}

// changes writes a table.
func (s *sheet) changes(c model.ProfileComparison, title string, of []model.ProfileChange) {
	if len(of) == 0 {
		return
	}
	s.heading(title)
	top := max(largest(c.Functions), largest(c.Lines))
	rest := len(of) - mostChanges
	var rows [][]cell
	of = of[:min(len(of), mostChanges)]
	wide := 0
	for i, x := range of {
		of[i] = asNamed(x)
		wide = max(wide, utf8.RuneCountInString(per(c, of[i].After)))
	}
	for _, x := range of {
		rows = append(rows, []cell{
			right(per(c, x.Before) + " → " + fmt.Sprintf("%*s", wide, per(c, x.After))), left(s.beforeAfter(x, top)),
			left(changeInterval(x)).in(changeStyle(x)), left(changeName(c, x)),
		})
	}
	s.table("  ", rows)
	if rest > 0 {
		s.para(dim, "  ", fmt.Sprintf("%d more; -json has all", rest))
	}
}

// asNamed is a change by what it is named for: a function's own part, where that
// is all that changed. Flat is what there is besides then.
func asNamed(x model.ProfileChange) model.ProfileChange {
	if !x.Itself() {
		return x
	}
	all := model.FlatChange{Before: x.Before, After: x.After}
	x.Before, x.After, x.Change, x.Lo, x.Hi = x.Flat.Before, x.Flat.After, x.Flat.Change, x.Flat.Lo, x.Flat.Hi
	x.Flat, x.With = &all, nil
	return x
}

func changeStyle(x model.ProfileChange) style {
	switch {
	case x.ShareOnly:
		return dim
	case x.After > x.Before:
		return red
	}
	return green
}

func largest(of []model.ProfileChange) float64 {
	top := 0.0
	for _, c := range of {
		top = max(top, c.Before, c.After)
	}
	return top
}

// beforeAfter draws what stayed, and behind it what went or came. There is
// room for it on wide terminals only.
func (s *sheet) beforeAfter(x model.ProfileChange, top float64) string {
	width := min(20, (s.o.width()-80)/2)
	if width < 8 || top <= 0 {
		return ""
	}
	stayed, went, came := "█", "░", "▒"
	if s.o.ASCII {
		stayed, went, came = "#", "-", "+"
	}
	a := min(width, int(min(x.Before, x.After)/top*float64(width)+0.5))
	b := min(width, max(a, int(max(x.Before, x.After)/top*float64(width)+0.5)))
	mark := went
	if x.After > x.Before {
		mark = came
	}
	return strings.Repeat(stayed, a) + strings.Repeat(mark, max(b, 1)-a)
}

// per formats what is compared.
func per(c model.ProfileComparison, x float64) string {
	if c.By == "share" {
		return share(x)
	}
	switch c.Unit {
	case "ns":
		return nanoseconds(x)
	case "bytes":
		return size(x)
	}
	if x >= 100 {
		return grouped(math.Round(x))
	}
	return count(x)
}

// changeInterval is a change with its interval, or that it came or went.
func changeInterval(x model.ProfileChange) string {
	switch {
	case x.New():
		return "new"
	case x.Gone():
		return "gone"
	}
	form := whole
	text := whole(x.Change) + " %"
	if x.Change >= 1 { // doubled: a factor is easier to read
		form, text = factor, factor(x.Change)
	}
	hi := "open"
	if x.Hi < 1e5 {
		hi = form(x.Hi)
	}
	return text + " [" + form(x.Lo) + ", " + hi + "]"
}

// whole writes a relative change like percent, and none of its fraction from
// 10 % on.
func whole(x float64) string {
	if math.Abs(x) < 0.0995 {
		return percent(x)
	}
	return strings.Replace(fmt.Sprintf("%+.0f", 100*x), "-", minus, 1)
}

// factor writes a relative change as what it multiplies by.
func factor(x float64) string {
	digits := 1
	if x >= 9 {
		digits = 0
	}
	return fmt.Sprintf("×%.*f", digits, 1+x)
}

// changeName is what changed, and what there is to say of it.
func changeName(c model.ProfileComparison, x model.ProfileChange) string {
	name := changedFunc(c, x)
	if x.Line > 0 {
		name = spot(x.File, x.Line) + "  " + name
	}
	if facts := changeFacts(c, x); len(facts) > 0 {
		return name + " (" + strings.Join(facts, "; ") + ")"
	}
	return name
}

func changedFunc(c model.ProfileComparison, x model.ProfileChange) string {
	if likewise(c, x.Func) {
		return x.Func
	}
	return short(x.Func)
}

// changeFacts is what there is to say of a change beside its figures.
func changeFacts(c model.ProfileComparison, x model.ProfileChange) []string {
	var facts []string
	if x.ShareOnly {
		facts = append(facts, "share only")
	}
	if f := x.Flat; f != nil && !x.Claimed {
		facts = append(facts, "itself; with calls "+per(c, f.Before)+" → "+per(c, f.After))
	}
	if n := len(x.With); n > 0 {
		facts = append(facts, "and "+strconv.Itoa(n)+" with it")
	}
	if x.BeforeDelay+x.AfterDelay > 0 {
		facts = append(facts, "waited "+delay(c, x.BeforeDelay)+" → "+delay(c, x.AfterDelay))
	}
	return facts
}

// likewise reports whether another function that changed has the same name in
// a package of another path: strconv and internal/strconv.
func likewise(c model.ProfileComparison, fn string) bool {
	for _, x := range c.Functions {
		if x.Func != fn && short(x.Func) == short(fn) {
			return true
		}
	}
	return false
}

func delay(c model.ProfileComparison, x float64) string {
	if c.By == "share" {
		return share(x)
	}
	return nanoseconds(x)
}
