package report

import (
	"fmt"
	"io"
	"path"
	"strconv"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
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

// TraceText writes what an execution trace says about waiting.
func TraceText(w io.Writer, t *model.Trace, o Options) error {
	s := &sheet{o: o}
	s.trace(t)
	return s.flush(w)
}

func (s *sheet) trace(t *model.Trace) {
	s.traceHead(t)
	s.traceCauses(t)
	s.traceGroups(t)
	s.traceStalls(t)
	s.traceParked(t)
	s.traceGC(t)
	s.traceProcs(t)
	s.traceWarnings(t)
}

func duration(ns int64) string { return nanoseconds(float64(ns)) }

// traceHead is the answer in a sentence.
func (s *sheet) traceHead(t *model.Trace) {
	s.para(bold, "", traceHeadline(t))
	s.para(dim, "", traceFacts(t))
	for _, w := range t.Warnings {
		s.mark(yellow, "! ", normal, w.Seen)
	}
}

func traceHeadline(t *model.Trace) string {
	if len(t.Causes) == 0 {
		return "No goroutine waited."
	}
	c := t.Causes[0]
	return fmt.Sprintf("Goroutines waited %s in all, %s of it for %s.", duration(t.Waited()), share(c.Share), causeWords[c.Cause])
}

func traceFacts(t *model.Trace) string {
	facts := []string{t.File, duration(t.DurationNs), "format of Go " + t.Format, counted(int64(t.Processors.Max), "processor"),
		counted(int64(t.Goroutines), "goroutine"), counted(t.Events, "event")}
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

// thousands writes a count with commas: 1,234,567.
func thousands(n int64) string {
	t := strconv.FormatInt(n, 10)
	for i := len(t) - 3; i > 0; i -= 3 {
		t = t[:i] + "," + t[i:]
	}
	return t
}

// counted is a count with its noun: "1 wait", "1,234 waits".
func counted(n int64, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return thousands(n) + " " + noun + "s"
}

// bar draws a part of one in width columns.
func (s *sheet) bar(x float64, width int) string {
	if width == 0 {
		return ""
	}
	x = min(1, max(0, x))
	if s.o.ASCII {
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
func (s *sheet) barWidth() int {
	if s.o.width() < 60 {
		return 0
	}
	return max(6, min(40, s.o.width()-58))
}

func (s *sheet) traceCauses(t *model.Trace) {
	if len(t.Causes) == 0 {
		return
	}
	s.heading("What goroutines waited for")
	rows := [][]cell{dimmed(left("cause"), left(""), right("share"), right("in all"), right("waits"), right("longest"))}
	most := t.Causes[0].TotalNs
	for _, c := range t.Causes {
		rows = append(rows, []cell{left(string(c.Cause)), left(s.bar(ratioOf(c.TotalNs, most), s.barWidth())).in(yellow),
			right(share(c.Share)), right(duration(c.TotalNs)), right(thousands(c.Count)), right(longest(c.Waits))})
	}
	s.table("  ", rows)
	if cutAny(t) {
		s.para(dim, "  ", cutText)
	}
	for _, c := range explainedCauses(t) {
		s.traceCause(&c)
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
func (s *sheet) traceCause(c *model.TraceCause) {
	const indent = "    "
	s.blank()
	s.mark(bold, "  "+string(c.Cause)+": ", normal, c.Meaning)
	for _, p := range causePlaces(c) {
		s.mark(normal, indent+"· ", normal, fmt.Sprintf("%s in %s %s", duration(p.TotalNs), counted(p.Count, "wait"), placeWords(&p)))
	}
	s.mark(dim, indent+"lever: ", normal, c.Lever)
	if len(c.Rules) > 0 {
		s.mark(dim, indent+"rules: ", normal, strings.Join(c.Rules, ", "))
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

func dimmed(cells ...cell) []cell {
	for i := range cells {
		cells[i].style = dim
	}
	return cells
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
	for _, c := range t.Causes {
		if c.LongestCut {
			return true
		}
	}
	return false
}

func (s *sheet) traceWarnings(t *model.Trace) {
	for _, w := range t.Warnings {
		s.blank()
		s.mark(yellow, "! ", normal, w.Seen)
		s.para(dim, "  ", "likely: "+w.Cause)
		s.para(dim, "  ", "try: "+w.Try)
	}
}
