package traces

import (
	"fmt"
	"path"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/report/sheet"
	"github.com/pawl-dev/pawl/internal/words"
)

func traceGroups(s *sheet.Sheet, t *model.Trace) {
	if len(t.Groups) == 0 {
		return
	}
	s.Heading("Goroutines, by the function that they were started as")
	rows := [][]sheet.Cell{sheet.Dimmed(sheet.Right("n"), sheet.Right("ran"), sheet.Right("waited"), sheet.Left("mostly for"), sheet.Left("function"))}
	hidden := 0
	for _, g := range t.Groups {
		if g.Runtime {
			continue
		}
		if len(rows) > tracedGroups {
			hidden++
			continue
		}
		rows = append(rows, []sheet.Cell{sheet.Right(words.Grouped(g.Goroutines)), sheet.Right(duration(g.RunningNs)), sheet.Right(duration(g.Waited())),
			sheet.Left(mostly(&g, s.Width() >= 100)), sheet.Left(startWords(g.Func, g.By)).In(sheet.Bold)})
	}
	s.Table("  ", rows)
	if hidden > 0 {
		s.Para(sheet.Dim, "  ", fmt.Sprintf("%s more with -json.", words.Plural(hidden, "function")))
	}
}

// mostly names the cause that a group waited most for, or the two of them.
func mostly(g *model.TraceGroup, two bool) string {
	all := g.Waited()
	if all == 0 {
		return "–"
	}
	t := ""
	for i, w := range g.Waits {
		part := ratioOf(w.TotalNs, all)
		if i == 2 || i > 0 && (part < 0.1 || !two) {
			break
		}
		if i > 0 {
			t += ", "
		}
		t += fmt.Sprintf("%s %.0f %%", w.Cause, 100*part)
	}
	return t
}

// startWords names a group: by who had it started, where the start function is
// a closure of a library.
func startWords(fn, by string) string {
	if by == "" {
		return shortFunc(fn)
	}
	return shortFunc(by) + " via " + shortFunc(strings.TrimSuffix(fn, ".func1"))
}

// shortFunc leaves the directories of the import path away: the last one and the
// function tell enough.
func shortFunc(name string) string { return name[strings.LastIndexByte(name, '/')+1:] }

func traceStalls(s *sheet.Sheet, t *model.Trace) {
	if len(t.Stalls) == 0 {
		return
	}
	s.Heading("Longest waits, each line once")
	for i, st := range t.Stalls {
		if i == tracedStalls {
			break
		}
		if i > 0 {
			s.Blank()
		}
		s.Mark(sheet.Bold, fmt.Sprintf("  %9s  ", longest(st.Waits)), sheet.Normal, stallText(&st, sheet.Cut(startWords(st.Func, st.By), s.Width()-20, s.ASCII())))
		by := readyBy(&st)
		if by != "" {
			s.Para(sheet.Dim, "             ", by)
		}
		if by == "" || len(st.Stack) > 0 {
			traceStack(s, "             ", st.Stack, st.Home)
		}
	}
}

func stallText(st *model.TracePlace, start string) string {
	text := fmt.Sprintf("%s, %s (goroutine %d) at %s", st.Cause, start, st.Goroutine, duration(st.AtNs))
	if st.Count > 1 {
		text += fmt.Sprintf("; %s here, %s in all", words.Counted(st.Count, "wait"), duration(st.TotalNs))
	}
	return text
}

// readyBy says whose the stack of a wait is, where it is not that of who waited.
func readyBy(st *model.TracePlace) string {
	switch {
	case st.Cause != model.WaitSched:
		return ""
	case len(st.Stack) == 0:
		return "made ready by the runtime: a timer, or the network"
	}
	return "made ready by"
}

// traceStack writes the frames of a stack that say most: the first outside the
// runtime, and from the last of the standard library on what called it.
func traceStack(s *sheet.Sheet, indent string, stack []model.Frame, home int) {
	if len(stack) == 0 {
		s.Para(sheet.Dim, indent, "(the trace has no stack)")
		return
	}
	first := 0
	for first < len(stack)-1 && inRuntime(stack[first].Func) {
		first++
	}
	frame(s, indent, stack[first])
	next := first + 1
	if home > next+1 {
		s.Para(sheet.Dim, indent, "…")
		next = home
	}
	last := min(len(stack), next+tracedFrames-1)
	for _, f := range stack[min(next, last):last] {
		frame(s, indent, f)
	}
	if more := len(stack) - last; more > 0 {
		s.Para(sheet.Dim, indent, fmt.Sprintf("… and %s", words.Plural(more, "caller")))
	}
}

func frame(s *sheet.Sheet, indent string, f model.Frame) {
	fn, at := s.Text(shortFunc(f.Func)), s.Text(path.Base(f.File)+":"+strconv.Itoa(f.Line))
	room := s.Width() - utf8.RuneCountInString(indent+at) - 2
	s.Raw(indent + sheet.Cut(fn, max(room, 12), s.ASCII()) + "  " + s.Paint(sheet.Dim, at) + "\n")
}

// inRuntime reports whether a function only parks the goroutine.
func inRuntime(fn string) bool {
	return strings.HasPrefix(fn, "runtime.") && fn != "runtime.main" || strings.HasPrefix(fn, "internal/poll.") ||
		strings.HasPrefix(fn, "internal/sync.")
}

func traceParked(s *sheet.Sheet, t *model.Trace) {
	if len(t.Parked) == 0 {
		return
	}
	total := 0
	for _, p := range t.Parked {
		total += p.Goroutines
	}
	s.Heading("Waited all the time")
	s.Para(sheet.Dim, "  ", "Not counted above: idle workers and servers stand here, and so do deadlocks and leaks.")
	rows := [][]sheet.Cell{}
	for i, p := range t.Parked {
		if i == tracedParked {
			break
		}
		rows = append(rows, []sheet.Cell{sheet.Right(words.Grouped(p.Goroutines)), sheet.Left(string(p.Cause)), sheet.Left(startWords(p.Func, p.By)).In(sheet.Bold), sheet.Left(parkedPlace(p)).In(sheet.Dim)})
	}
	s.Table("  ", rows)
	if more := len(t.Parked) - len(rows); more > 0 {
		s.Para(sheet.Dim, "  ", fmt.Sprintf("%s more with -json.", words.Plural(more, "place")))
	}
}

// parkedPlace is the innermost frame outside the standard library, or outside
// the runtime.
func parkedPlace(p model.TracePark) string {
	if len(p.Stack) == 0 {
		return ""
	}
	i := p.Home
	for i < 0 || i >= len(p.Stack) {
		for i = 0; i < len(p.Stack)-1 && inRuntime(p.Stack[i].Func); i++ {
		}
	}
	return path.Base(p.Stack[i].File) + ":" + strconv.Itoa(p.Stack[i].Line)
}
