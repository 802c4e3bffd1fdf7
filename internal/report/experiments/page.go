package experiments

import (
	"embed"
	"io"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/report/page"
	"github.com/pawl-dev/pawl/internal/words"
)

//go:embed experiments.html
var files embed.FS

var kind = page.Kind{Name: "experiments", Files: []embed.FS{files}}

// HTML writes what was tried as one page, with a picture of time against memory
// for each subject.
func HTML(w io.Writer, t *model.Tuning) error {
	v := view{Frame: page.New(Answer(t)), Head: Answer(t), Over: t.Module, Warnings: t.Warnings}
	v.Parts, v.Took = page.Parts(t.Split)
	for _, sub := range t.Subjects {
		v.Subjects = append(v.Subjects, newSubject(sub))
	}
	return page.Write(w, kind, v)
}

// A view is what the template is filled with.
type view struct {
	page.Frame
	Head, Over, Took string
	Subjects         []subject
	Warnings         []model.Warning
	Parts            []page.Part
}

type subject struct {
	Name, Advice, Failed string
	Rows                 []row
	Dots                 []dot
	Line                 string // through the frontier
	X1, Y0               string // of the present settings
	Left, Right          string // ends of the scale of memory
	Top, Bottom          string // and of time
}

type row struct {
	Setting, Change, Bounds, Memory, Collector, Size, Outcome string
	Chosen                                                    bool
}

// A dot is one setting: memory to the right, time downwards where it is less.
type dot struct{ X, Y, Name, Tone string }

func newSubject(sub model.TuningSubject) subject {
	out := subject{Name: Name(sub), Advice: sub.Advice, Failed: sub.Failed}
	for i, t := range sub.Trials {
		change, bounds := Change(t)
		out.Rows = append(out.Rows, row{
			Setting: t.Setting, Change: change, Bounds: bounds, Memory: Memory(sub, t), Collector: Collector(t), Size: Size(t),
			Outcome: strings.Join(append([]string{outcome(t)}, t.Price...), "; "), Chosen: i == sub.Choice,
		})
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
	add := func(memory, change float64, name, tone string) {
		out.Dots = append(out.Dots, dot{page.Decimal(x(memory)), page.Decimal(y(change)), name, tone})
	}
	add(1, 0, "as it is", "present")
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
		add(t.PeakRSS/sub.PeakRSS, t.Verdict.Change, t.Setting, tone)
	}
	slices.SortFunc(points, func(a, b [2]float64) int { return int(a[0]) - int(b[0]) })
	for _, p := range points {
		out.Line += page.Decimal(p[0]) + "," + page.Decimal(p[1]) + " "
	}
	out.X1, out.Y0 = page.Decimal(x(1)), page.Decimal(y(0))
	out.Left, out.Right = "0", words.Bytes(most*sub.PeakRSS)
	out.Top, out.Bottom = words.Signed(high), words.Signed(low)
}
