package experiments

import (
	"embed"
	"io"
	"strconv"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/report/page"
	"github.com/pawl-dev/pawl/internal/sorted"
	"github.com/pawl-dev/pawl/internal/words"
)

//go:embed experiments.html
var files embed.FS

var kind = page.Kind{Name: "experiments", Files: []embed.FS{files}}

// HTML writes what was tried as one page, with a picture of time against memory
// for each subject.
func HTML(w io.Writer, t *model.Tuning) error {
	v := view{Frame: page.New(answer(t)), Head: answer(t), Over: t.Module, Under: under(t), Warnings: t.Warnings}
	v.Parts, v.Took = page.Parts(t.Split)
	for _, sub := range t.Subjects {
		v.Subjects = append(v.Subjects, newSubject(sub))
	}
	for _, p := range t.PGO {
		v.PGO = append(v.PGO, newCompiled(p))
	}
	return page.Write(w, kind, v)
}

// A view is what the template is filled with.
type view struct {
	page.Frame
	Head, Over, Took string
	Under            []string
	Subjects         []subject
	PGO              []compiled
	Warnings         []model.Warning
	Parts            []page.Part
}

type subject struct {
	Name, Advice, Failed string
	Likeness             string
	Columns              []string // beside those that are always there
	Rows                 []row
	Dots                 []dot
	Line                 string // through the frontier
	X1, Y0               string // of the present settings
	Left, Right          string // ends of the scale of memory
	Top, Bottom          string // and of time
}

// A row is one setting; its number names it in the picture.
type row struct {
	Number                                          int
	Setting, Change, Bounds, Memory, Outcome, Price string
	More                                            []string // as Columns
	Chosen                                          bool
}

// A dot is one setting: memory to the right, time downwards where it is less.
type dot struct{ X, Y, Name, Label, Rise, Tone string }

// A compiled is a profile for the compiler, and what became of it.
type compiled struct {
	Name, Mapped, Stale, Newer, Brought, Fate, Command string
	Gone, Calls                                        []string
}

func newCompiled(p model.PGO) compiled {
	out := compiled{Name: p.File + " of " + p.Main, Mapped: mapped(p.Fresh), Calls: p.Brought}
	out.Fate, out.Command, _ = fate(p)
	if p.Stale != "" {
		out.Stale = stale(p)
	}
	if p.Newer != nil {
		out.Newer = newer(p)
	}
	if len(p.Brought) > 0 {
		out.Brought = brought(p)
	}
	for _, g := range p.Fresh.Gone {
		out.Gone = append(out.Gone, lost(g))
	}
	return out
}

func newSubject(sub model.TuningSubject) subject {
	out := subject{Name: name(sub), Advice: sub.Advice, Failed: sub.Failed, Likeness: likeness(sub)}
	more := columns(sub)
	for _, x := range more {
		out.Columns = append(out.Columns, x.name)
	}
	for i, t := range sub.Trials {
		change, bounds := changeOf(t)
		r := row{
			Number: i + 1, Setting: t.Setting, Change: change, Bounds: bounds, Memory: memory(sub, t),
			Outcome: outcome(t), Price: strings.Join(t.Price, "; "), Chosen: i == sub.Choice,
		}
		for _, x := range more {
			r.More = append(r.More, arrow(x.of(t, 0), x.of(t, 1)))
		}
		out.Rows = append(out.Rows, r)
	}
	out.picture(sub)
	return out
}

// The picture's size, and the room around what is in it.
const (
	width, height, around = 640.0, 300.0, 40.0
)

// picture places the settings by memory and time.
func (out *subject) picture(sub model.TuningSubject) {
	most, low, high := 1.0, 0.0, 0.0
	for _, t := range sub.Trials {
		if t.Verdict != nil && t.PeakRSS > 0 && sub.PeakRSS > 0 {
			most = max(most, t.PeakRSS/sub.PeakRSS)
			low, high = min(low, t.Verdict.Change), max(high, t.Verdict.Change)
		}
	}
	if low == high {
		return // nothing to place
	}
	x := func(memory float64) float64 { return around + memory/most*(width-2*around) }
	y := func(change float64) float64 { return around + (high-change)/(high-low)*(height-2*around) }
	points := [][2]float64{{x(1), y(0)}}
	add := func(memory, change float64, name, label, tone string) {
		rise := "-8" // labels of neighbours stand above and below by turns
		if len(out.Dots)%2 == 1 {
			rise = "17"
		}
		out.Dots = append(out.Dots, dot{page.Decimal(x(memory)), page.Decimal(y(change)), name, label, rise, tone})
	}
	add(1, 0, "as it is", "now", "present")
	for i, t := range sub.Trials {
		if t.Verdict == nil || t.PeakRSS <= 0 || sub.PeakRSS <= 0 {
			continue
		}
		tone := "beaten"
		if t.Frontier {
			tone = "frontier"
			points = append(points, [2]float64{x(t.PeakRSS / sub.PeakRSS), y(t.Verdict.Change)})
		}
		if i == sub.Choice {
			tone = "chosen"
		}
		add(t.PeakRSS/sub.PeakRSS, t.Verdict.Change, t.Setting, strconv.Itoa(i+1), tone)
	}
	sorted.By(points, func(a, b [2]float64) int { return int(a[0]) - int(b[0]) })
	for _, p := range points {
		out.Line += page.Decimal(p[0]) + "," + page.Decimal(p[1]) + " "
	}
	out.X1, out.Y0 = page.Decimal(x(1)), page.Decimal(y(0))
	out.Left, out.Right = "0", words.Bytes(most*sub.PeakRSS)
	out.Top, out.Bottom = words.Signed(high), words.Signed(low)
}
