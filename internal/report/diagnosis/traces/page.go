package traces

import (
	"embed"
	"fmt"
	"math"
	"path"
	"strconv"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/report/diagnosis/section"
	"github.com/pawl-dev/pawl/internal/report/figure"
	"github.com/pawl-dev/pawl/internal/report/page"
	"github.com/pawl-dev/pawl/internal/words"
)

//go:embed trace.html
var Files embed.FS

// A Part is what an execution trace says about waiting.
type Part struct {
	section.Head
	Facts      string
	Causes     []traceCausePart
	Cut        string // what the sign of a wait that is cut means
	Explained  []traceCausePart
	Groups     []traceGroupRow
	MoreGroups []traceGroupRow // folded
	LeftGroups string
	Span       string // how long the trace is
	Stalls     []traceStall
	LeftStalls string
	Parked     []traceParkRow
	LeftParked string
	GC         []string
	Processors string
	Each       []traceProcRow
	MoreEach   string
	Warnings   []model.Warning
}

// A traceCausePart is a cause: a row, and what there is to say of it.
type traceCausePart struct {
	ID                             string // of what is said about it; empty where nothing is
	Name, Share, Total, N, Longest string
	Bar                            section.ShareBar
	Places                         []string
	section.Remedy
}

// A traceGroupRow is the goroutines of one function: how long they ran and
// waited, on one scale for all groups.
type traceGroupRow struct {
	N, Name, Full       string
	Ran, Waited, Mostly string
	RanX, WaitedX       string // of 100
}

// A traceStall is one of the longest waits, and where in the trace it was.
type traceStall struct {
	Longest, Cause, What, By string
	X, Width, When           string // of 100, and in words
	Stack                    []stackFrame
}

// A stackFrame is a line of a stack.
type stackFrame struct {
	Func, Place, Full string
	Home              bool // the first in the program's own code
}

// A traceParkRow is goroutines that waited all the time.
type traceParkRow struct{ N, Cause, Name, Place string }

// A traceProcRow is how busy a processor was.
type traceProcRow struct {
	Name, Share string
	Bar         section.ShareBar
}

// NewPart fills the part about one trace.
func NewPart(h section.Head, t *model.Trace) Part {
	p := Part{
		Head: h, Facts: page.Together(facts(t)), GC: gcTexts(&t.GC), Processors: page.Together(processorsText(&t.Processors)),
		Span: duration(t.DurationNs), Warnings: t.Warnings,
	}
	for i := range p.GC {
		p.GC[i] = page.Together(p.GC[i])
	}
	p.causes(t)
	p.groups(t)
	for i := range t.Stalls[:min(len(t.Stalls), mostStalls)] {
		p.Stalls = append(p.Stalls, newTraceStall(t, &t.Stalls[i]))
	}
	p.LeftStalls, p.LeftParked = section.Left(len(t.Stalls)-mostStalls), section.Left(len(t.Parked)-mostParked)
	for _, k := range t.Parked[:min(len(t.Parked), mostParked)] {
		p.Parked = append(p.Parked, traceParkRow{words.Grouped(k.Goroutines), string(k.Cause), startWords(k.Func, k.By), parkedPlace(k)})
	}
	for i, e := range t.Processors.Each {
		if i == mostProcs {
			p.MoreEach = section.Left(len(t.Processors.Each) - i)
			break
		}
		p.Each = append(p.Each, traceProcRow{"P" + strconv.FormatInt(e.ID, 10), figure.Share(e.BusyShare), section.NewShareBar(e.BusyShare, 0, 0, 0)})
	}
	return p
}

// How much of a trace the page shows, folded or not; JSON has more.
const (
	mostGroups = 40
	mostStalls = 10
	mostParked = 30
	mostProcs  = 64
)

func (p *Part) causes(t *model.Trace) {
	explain := explainedCauses(t)
	for i, c := range t.Causes {
		row := traceCausePart{
			Name: string(c.Cause), Share: figure.Share(c.Share), Total: duration(c.TotalNs), N: words.Counted(c.Count, "wait"), Longest: longest(c.Waits),
			Bar: section.NewShareBar(c.Share, 0, 0, 0),
		}
		if i < len(explain) {
			row.ID = p.ID + "-cause-" + strconv.Itoa(i+1)
			row.Remedy = section.NewRemedy(ruleRefs(c.Rules), figure.Fact{Label: "what", Text: c.Meaning}, figure.Fact{Label: "lever", Text: c.Lever})
			for _, place := range causePlaces(&c) {
				row.Places = append(row.Places, page.Together(fmt.Sprintf("%s in %s %s", duration(place.TotalNs), words.Counted(place.Count, "wait"), placeWords(&place))))
			}
			p.Explained = append(p.Explained, row)
		}
		p.Causes = append(p.Causes, row)
	}
	if cutAny(t) {
		p.Cut = cutText
	}
}

// ruleRefs are rules by their names: no more is known.
func ruleRefs(names []string) []model.SignRule {
	var out []model.SignRule
	for _, n := range names {
		out = append(out, model.SignRule{Name: n})
	}
	return out
}

func (p *Part) groups(t *model.Trace) {
	var most int64
	for _, g := range t.Groups {
		if !g.Runtime {
			most = max(most, g.RunningNs+g.Waited())
		}
	}
	n := 0
	for _, g := range t.Groups {
		if g.Runtime {
			continue
		}
		if n++; n > mostGroups {
			continue
		}
		row := traceGroupRow{
			N: words.Counted(g.Goroutines, "goroutine"), Name: startWords(g.Func, g.By), Full: g.Func, Ran: duration(g.RunningNs), Waited: duration(g.Waited()),
			RanX: page.Decimal(100 * ratioOf(g.RunningNs, most)), WaitedX: page.Decimal(100 * ratioOf(g.Waited(), most)),
		}
		if g.Waited() > 0 {
			row.Mostly = page.Together(mostly(&g, true))
		}
		if n <= tracedGroups {
			p.Groups = append(p.Groups, row)
		} else {
			p.MoreGroups = append(p.MoreGroups, row)
		}
	}
	p.LeftGroups = section.Left(n - mostGroups)
}

func newTraceStall(t *model.Trace, st *model.TracePlace) traceStall {
	x := section.BarLength(ratioOf(st.AtNs, t.DurationNs))
	s := traceStall{
		Longest: longest(st.Waits), Cause: string(st.Cause), What: page.Together(stallText(st, startWords(st.Func, st.By))), By: readyBy(st), When: "from " + duration(st.AtNs) + " on, for " + longest(st.Waits),
		X: page.Decimal(math.Min(x, 99.5)), Width: page.Decimal(math.Max(0.5, math.Min(100-x, section.BarLength(ratioOf(st.LongestNs, t.DurationNs))))),
	}
	for i, f := range st.Stack {
		s.Stack = append(s.Stack, stackFrame{Func: shortFunc(f.Func), Place: path.Base(f.File) + ":" + strconv.Itoa(f.Line), Full: section.FullPlace(f.File, f.Line), Home: i == st.Home})
	}
	return s
}
