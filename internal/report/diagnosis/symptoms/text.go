package symptoms

import (
	"fmt"
	"path"
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

// Add writes what the profiles of one kind show.
func Add(s *sheet.Sheet, sy model.Symptoms) {
	s.Para(sheet.Bold, "", Headline(sy))
	s.Para(sheet.Dim, "", facts(sy))
	Bars(s, sy)
	for i, sign := range sy.Signs {
		AddSign(s, i+1, sign)
	}
	s.Warnings(sy.Warnings)
}

// Headline is the answer in a line.
func Headline(sy model.Symptoms) string {
	kind := section.ProfileWord(sy.Kind)
	switch {
	case sy.Total == 0:
		if sy.Kind == "mutex" { // without stacks, the two look alike
			kind = "Mutex or block profile"
		}
		return kind + ": no samples."
	case len(sy.Signs) == 0:
		return kind + ": nothing stands out."
	}
	first := sy.Signs[0]
	if first.Idle {
		return fmt.Sprintf("%s: nothing stands out but %s, %s of %s, which may be rest.", kind, first.Title, figure.Share(first.Gain()), signWhole(sy, first))
	}
	t := fmt.Sprintf("%s: %s, %s of %s", kind, first.Title, figure.Share(first.Gain()), signWhole(sy, first))
	switch n := len(sy.Signs) - 1; n {
	case 0:
		return t + "."
	case 1:
		return t + "; one more stands out."
	default:
		return fmt.Sprintf("%s; %d more stand out.", t, n)
	}
}

func signWhole(sy model.Symptoms, x model.Sign) string {
	switch sy.Kind {
	case "goroutine":
		return words.Counted(sy.Total, "goroutine")
	case "goroutineleak":
		return words.Grouped(sy.Total) + " leaked goroutines"
	}
	return "the " + x.What
}

func facts(sy model.Symptoms) string {
	facts := []string{strings.Join(sy.Sources, ", ")}
	if sy.Total == 0 {
		return facts[0]
	}
	switch sy.Kind {
	case "cpu":
		facts = append(facts, words.Counted(sy.Samples, "sample"), words.Seconds(sy.Total/1e9)+" of CPU time")
		if sy.Seconds > 0 {
			facts = append(facts, "in "+words.Seconds(sy.Seconds), fmt.Sprintf("%.1f cores busy", sy.Total/1e9/sy.Seconds))
		}
	case "goroutine", "goroutineleak":
		facts = append(facts, words.Counted(sy.Total, "goroutine"))
	default:
		facts = append(facts, figure.Quantity(sy.Unit, sy.Total))
		if sy.Seconds > 0 {
			facts = append(facts, "in "+words.Seconds(sy.Seconds))
		}
	}
	return strings.Join(facts, " · ")
}

// Bars shows what the profile consists of. Of a CPU profile that is something
// where no signature is in it, too: the program itself.
func Bars(s *sheet.Sheet, sy model.Symptoms) {
	rest := restName(sy)
	if len(sy.Signs)+len(sy.Below) == 0 && rest == "" {
		return
	}
	s.Blank()
	var rows [][]sheet.Cell
	for _, x := range sy.Signs {
		rows = append(rows, barRow(s, x, sheet.Bold, ""))
	}
	for _, x := range sy.Below {
		rows = append(rows, barRow(s, x, sheet.Dim, belowWhy(x)))
	}
	if rest != "" {
		rows = append(rows, []sheet.Cell{sheet.Left(rest), sheet.Left(section.Bar(s, sy.Rest, 0)), sheet.Right(figure.Share(sy.Rest)), sheet.Left("")})
	}
	s.Table("  ", rows)
	if slices.ContainsFunc(sy.Signs, func(x model.Sign) bool { return x.Scheduler > 0.0005 }) {
		s.Para(sheet.Dim, "  ", "The lighter part of a bar is the scheduler's time on its behalf, an estimate.")
	}
	if len(sy.RestCallers) > 0 {
		s.Blank()
		s.Para(sheet.Dim, "  ", "Lines of the program itself, with what they call in libraries:")
		s.Table("  ", callerRows(sy.RestCallers))
	}
}

// restName is what the share that no signature takes is called; "" where it is not
// shown.
func restName(sy model.Symptoms) string {
	switch {
	case sy.Kind == "cpu" && sy.Total > 0:
		return "the program itself"
	case sy.Kind == "block" && sy.Rest >= 0.0005:
		return "standard library"
	}
	return ""
}

func barRow(s *sheet.Sheet, x model.Sign, st sheet.Style, why string) []sheet.Cell {
	return []sheet.Cell{sheet.Left(x.Name).In(st), sheet.Left(section.Bar(s, x.Share, x.Scheduler)), sheet.Right(figure.Share(x.Gain())), sheet.Left(why).In(sheet.Dim)}
}

// belowWhy says what of the threshold is not reached.
func belowWhy(x model.Sign) string {
	switch {
	case x.Gain() < x.Threshold:
		if figure.Share(x.Gain()) == figure.Share(x.Threshold) {
			return "just below " + figure.Chosen(x.Threshold)
		}
		return "below " + figure.Chosen(x.Threshold)
	case x.Amount < x.Least:
		return "less than " + figure.Quantity(x.Unit, x.Least)
	}
	return "too few samples"
}

// AddSign writes all about one signature.
func AddSign(s *sheet.Sheet, n int, x model.Sign) {
	indent := section.AddTitle(s, n, x.Name+": "+x.Title)
	s.Para(sheet.Yellow, indent, signShare(x))
	s.Blank()
	callers(s, indent, x)
	section.AddRemedy(s, indent, x.Rules, remedy(x)...)
}

func remedy(x model.Sign) []figure.Fact {
	return append([]figure.Fact{{Label: "seen", Text: signSymbols(x)}}, section.About(x.Meaning, x.Lever, x.Before, x.Gap)...)
}

func signShare(x model.Sign) string {
	t := fmt.Sprintf("%s of the %s", figure.Share(x.Share), x.What)
	switch {
	case x.Unit == "goroutines":
		t = words.Counted(x.Amount, "goroutine") + ", " + figure.Share(x.Share) + " of all"
	case x.Unit != "ns" || x.What != "CPU time":
		t += ", " + figure.Quantity(x.Unit, x.Amount)
	default:
		t += fmt.Sprintf(" [%s, %s]", strings.TrimSuffix(figure.Share(x.Lo), " %"), figure.Share(x.Hi))
	}
	if x.Scheduler > 0.0005 {
		t += fmt.Sprintf(", and about %s in the scheduler", figure.Share(x.Scheduler))
	}
	if x.What == "CPU time" {
		return t + "; no change to it saves more"
	}
	return t
}

// callers writes the lines behind a signature. Those without a place follow,
// so that their text does not widen its column.
func callers(s *sheet.Sheet, indent string, x model.Sign) {
	var rest [][]sheet.Cell
	rows := callerRows(x.Callers)
	if x.More > 0 {
		rest = append(rest, []sheet.Cell{sheet.Right(""), sheet.Left(otherLines(x))})
	}
	if x.Orphan >= 0.0005 {
		rest = append(rest, []sheet.Cell{sheet.Right(figure.Share(x.Orphan)), sheet.Left(orphanText(x))})
	}
	if len(rows)+len(rest) == 0 {
		return
	}
	a, b := firstColumn(rows), firstColumn(rest)
	if b == 0 && a > 0 {
		b = -s.Gap() // a column without text takes no room
	}
	s.Table(indent+strings.Repeat(" ", max(0, b-a)), rows)
	s.Table(indent+strings.Repeat(" ", max(0, a-b)), rest)
	s.Blank()
}

// callerRows has a row for each line: its share, its place, and what it calls.
func callerRows(callers []model.SignCaller) [][]sheet.Cell {
	var rows [][]sheet.Cell
	for _, c := range callers {
		where := path.Base(strings.ReplaceAll(c.File, `\`, "/"))
		if c.Line > 0 {
			where += ":" + strconv.Itoa(c.Line)
		}
		what := words.Symbol(c.Func)
		if c.Via != "" {
			what += " → " + strings.TrimPrefix(words.Symbol(c.Via), "runtime.")
		}
		rows = append(rows, []sheet.Cell{sheet.Right(figure.Share(c.Share)), sheet.Left(where), sheet.Left(what)})
	}
	return rows
}

// otherLines counts those that are not named.
func otherLines(x model.Sign) string {
	if len(x.Callers) == 0 {
		return words.Plural(x.More, "line") + ", each with little of it"
	}
	return words.Plural(x.More, "other line")
}

// firstColumn returns the width of the first column.
func firstColumn(rows [][]sheet.Cell) int {
	w := 0
	for _, r := range rows {
		w = max(w, utf8.RuneCountInString(r[0].Text))
	}
	return w
}

func orphanText(x model.Sign) string {
	if x.OrphanIn == "" {
		return "on no line of the program"
	}
	return "on no line of the program: " + x.OrphanIn
}

// signSymbols names the functions of the runtime, with their inclusive shares.
func signSymbols(x model.Sign) string {
	var names []string
	for _, f := range x.Symbols {
		if f.Share >= 0.0005 {
			names = append(names, strings.TrimPrefix(words.Symbol(f.Func), "runtime.")+" "+figure.Share(f.Share))
		}
	}
	return strings.Join(names, ", ")
}
