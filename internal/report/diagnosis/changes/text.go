package changes

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/report/diagnosis/section"
	"github.com/pawl-dev/pawl/internal/report/figure"
	"github.com/pawl-dev/pawl/internal/report/sheet"
	"github.com/pawl-dev/pawl/internal/words"
)

// mostChanges is how many rows a table of changes has; JSON has all.
const mostChanges = 12

// Add writes what differs between two sets of profiles of one kind.
func Add(s *sheet.Sheet, c model.ProfileComparison) {
	s.Para(sheet.Bold, "", Headline(c))
	s.Para(sheet.Dim, "", changeSides(c))
	if c.Base.Total > 0 && c.Now.Total > 0 {
		s.Para(sheet.Dim, "", changeUnits(c))
	}
	up, down := changeGroups(c)
	changes(s, c, up+", by function", more(c.Functions, true))
	changes(s, c, up+", by line", more(c.Lines, true))
	changes(s, c, down+", by function", more(c.Functions, false))
	changes(s, c, down+", by line", more(c.Lines, false))
	if len(c.Functions)+len(c.Lines)+len(c.Signs) > 0 {
		s.Blank()
	}
	signChanges(s, c)
	restOfChanges(s, c)
	s.Warnings(c.Warnings)
}

// changeGroups name what went up and what went down.
func changeGroups(c model.ProfileComparison) (up, down string) {
	if c.By == "share" {
		return "Greater share", "Smaller share"
	}
	return "Costs more", "Costs less"
}

// Headline is the answer in a line.
func Headline(c model.ProfileComparison) string {
	kind := section.ProfileWord(c.Kind)
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
		t += fmt.Sprintf("%s a greater share, %d a smaller one", words.Inflect(up, "function has", "functions have"), down)
		if only > 0 {
			t += fmt.Sprintf("; %d more only because the rest changed", only)
		}
	default:
		t += fmt.Sprintf("%s more, %d less", words.Inflect(up, "function costs", "functions cost"), down)
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

// totalChange says what became of all that was profiled.
func totalChange(c model.ProfileComparison) string {
	t := *c.Total
	if !t.Claimed {
		return "all together " + per(c, t.Before) + " → " + per(c, t.After) + ", not certain"
	}
	return "all together " + per(c, t.Before) + " → " + per(c, t.After) + ", " + changeInterval(t)
}

func changeSides(c model.ProfileComparison) string {
	side := func(s model.ProfileSide) string {
		t := strings.Join(s.Sources, ", ")
		if s.Total == 0 {
			return t
		}
		if c.Kind == "mutex" || c.Kind == "block" {
			t += " (" + figure.Quantity(c.Unit, s.Total)
		} else {
			t += " (" + words.Counted(s.Samples, "sample") + ", " + figure.Quantity(c.Unit, s.Total)
		}
		if c.By == "second" {
			t += ", " + words.Seconds(s.Seconds)
		}
		if s.Ops > 0 {
			t += ", " + words.Grouped(s.Ops) + " operations"
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
func changes(s *sheet.Sheet, c model.ProfileComparison, title string, of []model.ProfileChange) {
	if len(of) == 0 {
		return
	}
	s.Heading(title)
	top := max(largest(c.Functions), largest(c.Lines))
	rest := len(of) - mostChanges
	var rows [][]sheet.Cell
	of = of[:min(len(of), mostChanges)]
	wide := 0
	for i, x := range of {
		of[i] = asNamed(x)
		wide = max(wide, utf8.RuneCountInString(per(c, of[i].After)))
	}
	for _, x := range of {
		rows = append(rows, []sheet.Cell{
			sheet.Right(per(c, x.Before) + " → " + fmt.Sprintf("%*s", wide, per(c, x.After))), sheet.Left(beforeAfter(s, x, top)),
			sheet.Left(changeInterval(x)).In(changeStyle(x)), sheet.Left(changeName(c, x)),
		})
	}
	s.Table("  ", rows)
	if rest > 0 {
		s.Para(sheet.Dim, "  ", fmt.Sprintf("%d more; -json has all", rest))
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

func changeStyle(x model.ProfileChange) sheet.Style {
	switch {
	case x.ShareOnly:
		return sheet.Dim
	case x.After > x.Before:
		return sheet.Red
	}
	return sheet.Green
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
func beforeAfter(s *sheet.Sheet, x model.ProfileChange, top float64) string {
	width := min(20, (s.Width()-80)/2)
	if width < 8 || top <= 0 {
		return ""
	}
	stayed, went, came := "█", "░", "▒"
	if s.ASCII() {
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
		return figure.Share(x)
	}
	switch c.Unit {
	case "ns":
		return words.Nanoseconds(x)
	case "bytes":
		return words.Bytes(x)
	}
	if x >= 100 {
		return words.Grouped(math.Round(x))
	}
	return words.Count(x)
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
		return figure.Percent(x)
	}
	return words.Minus(fmt.Sprintf("%+.0f", 100*x))
}

// factor writes a relative change as what it multiplies by.
func factor(x float64) string {
	digits := 1
	if x >= 9 {
		digits = 0
	}
	return fmt.Sprintf("×%.*f", digits, 1+x)
}

func changeName(c model.ProfileComparison, x model.ProfileChange) string {
	name := changedFunc(c, x)
	if x.Line > 0 {
		name = section.Spot(x.File, x.Line) + "  " + name
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
	return words.Symbol(x.Func)
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
	return slices.ContainsFunc(c.Functions, func(x model.ProfileChange) bool { return x.Func != fn && words.Symbol(x.Func) == words.Symbol(fn) })
}

func delay(c model.ProfileComparison, x float64) string {
	if c.By == "share" {
		return figure.Share(x)
	}
	return words.Nanoseconds(x)
}
