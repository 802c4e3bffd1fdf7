package traces

import (
	"fmt"
	"io"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/report/figure"
	"github.com/pawl-dev/pawl/internal/report/sheet"
	"github.com/pawl-dev/pawl/internal/words"
)

// How much of a trace the text shows; JSON has more.
const (
	tracedGroups = 8
	tracedStalls = 5
	tracedParked = 5
	tracedFrames = 4
	tracedPlaces = 2 // of a cause that is explained
	tracedProcs  = 16
	// explained is the share of all waiting from which a cause is explained, and
	// explainedMost how many causes are at most.
	explained     = 0.1
	explainedMost = 3
)

// Text writes what an execution trace says about waiting.
func Text(w io.Writer, t *model.Trace, o sheet.Options) error {
	s := sheet.New(o)
	Add(s, t)
	return s.Flush(w)
}

// Add writes what a trace shows.
func Add(s *sheet.Sheet, t *model.Trace) {
	traceHead(s, t)
	traceCauses(s, t)
	traceGroups(s, t)
	traceStalls(s, t)
	traceParked(s, t)
	traceGC(s, t)
	traceProcs(s, t)
	traceWarnings(s, t)
}

func duration(ns int64) string { return words.Nanoseconds(float64(ns)) }

func traceHead(s *sheet.Sheet, t *model.Trace) {
	s.Para(sheet.Bold, "", Headline(t))
	s.Para(sheet.Dim, "", facts(t))
	for _, w := range t.Warnings {
		s.Mark(sheet.Yellow, "! ", sheet.Normal, w.Seen)
	}
}

// Headline is the answer in a line.
func Headline(t *model.Trace) string {
	if len(t.Causes) == 0 {
		return "No goroutine waited."
	}
	c := t.Causes[0]
	return fmt.Sprintf("Goroutines waited %s in all, %s of it for %s.", duration(t.Waited()), figure.Share(c.Share), causeWords[c.Cause])
}

func facts(t *model.Trace) string {
	facts := []string{t.File, duration(t.DurationNs), "format of Go " + t.Format, words.Counted(t.Processors.Max, "processor"),
		words.Counted(t.Goroutines, "goroutine"), words.Counted(t.Events, "event")}
	if t.Started != nil {
		facts = append(facts, "from "+t.Started.Format("2006-01-02 15:04:05"))
	}
	return strings.Join(facts, ", ")
}

// causeWords says each cause in words that stand behind “waited for”.
var causeWords = map[model.WaitCause]string{
	model.WaitSync:     "mutexes, conditions and WaitGroups",
	model.WaitChannel:  "channels",
	model.WaitSelect:   "select",
	model.WaitNetwork:  "the network",
	model.WaitSyscall:  "system calls",
	model.WaitSleep:    "time.Sleep",
	model.WaitSched:    "a processor to run on",
	model.WaitGCAssist: "assists of the garbage collector",
	model.WaitGC:       "the garbage collector",
	model.WaitOther:    "something the trace does not name",
}

// bar draws a part of one in width columns.
func bar(s *sheet.Sheet, x float64, width int) string {
	if width == 0 {
		return ""
	}
	x = min(1, max(0, x))
	if s.ASCII() {
		n := int(x*float64(width) + 0.5)
		return strings.Repeat("#", n)
	}
	eighths := int(x*float64(width)*8 + 0.5)
	if eighths == 0 && x > 0 {
		eighths = 1
	}
	t := strings.Repeat("█", eighths/8)
	if rest := eighths % 8; rest > 0 {
		t += string([]rune("▏▎▍▌▋▊▉")[rest-1])
	}
	return t
}

// barWidth leaves room for the figures of a table; narrow terminals have none
// for bars.
func barWidth(s *sheet.Sheet) int {
	if s.Width() < 60 {
		return 0
	}
	return max(6, min(40, s.Width()-58))
}

func traceCauses(s *sheet.Sheet, t *model.Trace) {
	if len(t.Causes) == 0 {
		return
	}
	s.Heading("What goroutines waited for")
	rows := [][]sheet.Cell{sheet.Dimmed(sheet.Left("cause"), sheet.Left(""), sheet.Right("share"), sheet.Right("in all"), sheet.Right("waits"), sheet.Right("longest"))}
	most := t.Causes[0].TotalNs
	for _, c := range t.Causes {
		rows = append(rows, []sheet.Cell{sheet.Left(string(c.Cause)), sheet.Left(bar(s, ratioOf(c.TotalNs, most), barWidth(s))).In(sheet.Yellow),
			sheet.Right(figure.Share(c.Share)), sheet.Right(duration(c.TotalNs)), sheet.Right(words.Grouped(c.Count)), sheet.Right(longest(c.Waits))})
	}
	s.Table("  ", rows)
	if cutAny(t) {
		s.Para(sheet.Dim, "  ", cutText)
	}
	for _, c := range explainedCauses(t) {
		traceCause(s, &c)
	}
}

// cutText says what the sign before a wait means.
const cutText = "≥: that wait began before the trace, or went on after it."

// explainedCauses are those that take enough of all waiting to say more.
func explainedCauses(t *model.Trace) []model.TraceCause {
	n := 0
	for n < min(explainedMost, len(t.Causes)) && (n == 0 || t.Causes[n].Share >= explained) {
		n++
	}
	return t.Causes[:n]
}

// causePlaces are the places that most of a cause is at.
func causePlaces(c *model.TraceCause) []model.TracePlace {
	n := 0
	for n < min(tracedPlaces, len(c.Places)) && (n == 0 || c.Places[n].TotalNs*5 >= c.TotalNs) {
		n++
	}
	return c.Places[:n]
}

// traceCause explains one cause, with the places where most of it is.
func traceCause(s *sheet.Sheet, c *model.TraceCause) {
	const indent = "    "
	s.Blank()
	s.Mark(sheet.Bold, "  "+string(c.Cause)+": ", sheet.Normal, c.Meaning)
	for _, p := range causePlaces(c) {
		s.Mark(sheet.Normal, indent+"· ", sheet.Normal, fmt.Sprintf("%s in %s %s", duration(p.TotalNs), words.Counted(p.Count, "wait"), placeWords(&p)))
	}
	s.Mark(sheet.Dim, indent+"lever: ", sheet.Normal, c.Lever)
	if len(c.Rules) > 0 {
		s.Mark(sheet.Dim, indent+"rules: ", sheet.Normal, strings.Join(c.Rules, ", "))
	}
}

// placeWords says where a stack stands: the innermost frame outside the
// standard library, or where there is none the innermost outside the runtime.
func placeWords(p *model.TracePlace) string {
	stack, home, behind := p.Stack, p.Home, ""
	if home < 0 {
		behind = " of " + startWords(p.Func, p.By)
		for home = 0; home < len(stack)-1 && inRuntime(stack[home].Func); home++ {
		}
	}
	switch {
	case len(stack) == 0 && p.Cause == model.WaitSched:
		return "for goroutines made ready by the runtime"
	case home >= len(stack):
		return "without a stack" + behind
	}
	f := stack[home]
	verb := "at "
	if p.Cause == model.WaitSched {
		verb = "for goroutines made ready at "
	}
	return verb + shortFunc(f.Func) + " (" + path.Base(f.File) + ":" + strconv.Itoa(f.Line) + ")" + behind
}

func ratioOf(x, of int64) float64 {
	if of <= 0 {
		return 0
	}
	return float64(x) / float64(of)
}

// longest is the longest wait, which is a lower bound where it is cut.
func longest(w model.Waits) string {
	if w.LongestCut {
		return "≥ " + duration(w.LongestNs)
	}
	return duration(w.LongestNs)
}

func cutAny(t *model.Trace) bool {
	return slices.ContainsFunc(t.Causes, func(c model.TraceCause) bool { return c.LongestCut })
}

func traceWarnings(s *sheet.Sheet, t *model.Trace) {
	for _, w := range t.Warnings {
		s.Blank()
		s.Mark(sheet.Yellow, "! ", sheet.Normal, w.Seen)
		s.Para(sheet.Dim, "  ", "likely: "+w.Cause)
		s.Para(sheet.Dim, "  ", "try: "+w.Try)
	}
}
