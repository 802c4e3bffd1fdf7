package report

import (
	"fmt"
	"path"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/pawl-dev/pawl/internal/model"
)

func (s *sheet) traceGroups(t *model.Trace) {
	if len(t.Groups) == 0 {
		return
	}
	s.heading("Goroutines, by the function that they were started as")
	rows := [][]cell{dimmed(right("n"), right("ran"), right("waited"), left("mostly for"), left("function"))}
	hidden := 0
	for _, g := range t.Groups {
		if g.Runtime {
			continue
		}
		if len(rows) > tracedGroups {
			hidden++
			continue
		}
		rows = append(rows, []cell{right(thousands(int64(g.Goroutines))), right(duration(g.RunningNs)), right(duration(g.Waited())),
			left(mostly(&g, s.o.width() >= 100)), left(startWords(g.Func, g.By)).in(bold)})
	}
	s.table("  ", rows)
	if hidden > 0 {
		s.para(dim, "  ", fmt.Sprintf("%s more with -json.", number(hidden, "function")))
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

// shortFunc leaves the folders of the import path away: the last one and the
// function tell enough.
func shortFunc(name string) string { return name[strings.LastIndexByte(name, '/')+1:] }

func (s *sheet) traceStalls(t *model.Trace) {
	if len(t.Stalls) == 0 {
		return
	}
	s.heading("Longest waits, each line once")
	for i, st := range t.Stalls {
		if i == tracedStalls {
			break
		}
		if i > 0 {
			s.blank()
		}
		s.mark(bold, fmt.Sprintf("  %9s  ", longest(st.Waits)), normal, stallText(&st, cut(startWords(st.Func, st.By), s.o.width()-20, s.o.ASCII)))
		by := readyBy(&st)
		if by != "" {
			s.para(dim, "             ", by)
		}
		if by == "" || len(st.Stack) > 0 {
			s.traceStack("             ", st.Stack, st.Home)
		}
	}
}

// stallText says who waited, and when.
func stallText(st *model.TracePlace, start string) string {
	text := fmt.Sprintf("%s, %s (goroutine %d) at %s", st.Cause, start, st.Goroutine, duration(st.AtNs))
	if st.Count > 1 {
		text += fmt.Sprintf("; %s here, %s in all", counted(st.Count, "wait"), duration(st.TotalNs))
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
func (s *sheet) traceStack(indent string, stack []model.Frame, home int) {
	if len(stack) == 0 {
		s.para(dim, indent, "(the trace has no stack)")
		return
	}
	first := 0
	for first < len(stack)-1 && inRuntime(stack[first].Func) {
		first++
	}
	s.frame(indent, stack[first])
	next := first + 1
	if home > next+1 {
		s.para(dim, indent, "…")
		next = home
	}
	last := min(len(stack), next+tracedFrames-1)
	for _, f := range stack[min(next, last):last] {
		s.frame(indent, f)
	}
	if more := len(stack) - last; more > 0 {
		s.para(dim, indent, fmt.Sprintf("… and %s", number(more, "caller")))
	}
}

// frame writes a frame on a line of its own.
func (s *sheet) frame(indent string, f model.Frame) {
	fn, at := s.text(shortFunc(f.Func)), s.text(path.Base(f.File)+":"+strconv.Itoa(f.Line))
	room := s.o.width() - utf8.RuneCountInString(indent+at) - 2
	s.b.WriteString(indent + cut(fn, max(room, 12), s.o.ASCII) + "  " + s.paint(dim, at) + "\n")
}

// inRuntime reports whether a function only parks the goroutine.
func inRuntime(fn string) bool {
	return strings.HasPrefix(fn, "runtime.") && fn != "runtime.main" || strings.HasPrefix(fn, "internal/poll.") ||
		strings.HasPrefix(fn, "internal/sync.")
}

func (s *sheet) traceParked(t *model.Trace) {
	if len(t.Parked) == 0 {
		return
	}
	total := 0
	for _, p := range t.Parked {
		total += p.Goroutines
	}
	s.heading("Waited all the time")
	s.para(dim, "  ", "Not counted above: idle workers and servers stand here, and so do deadlocks and leaks.")
	rows := [][]cell{}
	for i, p := range t.Parked {
		if i == tracedParked {
			break
		}
		rows = append(rows, []cell{right(thousands(int64(p.Goroutines))), left(string(p.Cause)), left(startWords(p.Func, p.By)).in(bold), left(parkedPlace(p)).in(dim)})
	}
	s.table("  ", rows)
	if more := len(t.Parked) - len(rows); more > 0 {
		s.para(dim, "  ", fmt.Sprintf("%s more with -json.", number(more, "place")))
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
