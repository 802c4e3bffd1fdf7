package flame

import (
	"cmp"
	"embed"
	"fmt"
	"html/template"
	"math"
	"path"
	"strconv"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/report/figure"
	"github.com/pawl-dev/pawl/internal/report/page"
	"github.com/pawl-dev/pawl/internal/report/quote"
	"github.com/pawl-dev/pawl/internal/words"
)

//go:embed flame.html
var Files embed.FS

//go:embed flame.css
var flameStyle template.CSS

//go:embed flame.js
var Script template.JS

// A View is a flame graph as the template "flame" takes it. It is on the
// page twice. The script draws from Data, which holds each function and each
// node once. Boxes are the largest frames, laid out here: what stands there
// without a script, and on paper. All frames as boxes would be three times the
// size of both, and too thin to be read anyway.
type View struct {
	ID       string
	Title    string
	What     string // what values are: CPU time per op
	Facts    string // the totals, and what they rest on
	Label    string // the graph in words, for who cannot see it
	Two      bool
	Height   int // of the boxes, in pixels
	Boxes    []flameBox
	Small    string     // what is not drawn, and where to find it
	Legend   []flameKey // whose functions
	Tones    []flameKey // what changed
	Compared string     // what changed, of two
	Gone     []string   // what the candidate does not have any more
	Data     template.JS
	// Brief leaves out how to read a graph, where another one of the page says it.
	Brief bool
}

// A flameBox is a frame: its place in per cent of the width, and in pixels from
// the top.
type flameBox struct {
	X, W  string
	Y     int
	Class string
	Text  string // empty where there is no room
	Hint  string
}

// A flameKey explains colours.
type flameKey struct {
	Classes []string
	Text    string
}

// flameRow is the height of a frame in pixels, flameBoxes how many there are
// without the script.
const (
	flameRow   = 19
	flameBoxes = 300
)

// newView prepares one of several flame graphs of a page. The id must be that of
// no other element there. Up to four have all the room that one has; more share
// it, so that a page has a bound.
func newView(f model.Flame, id string, graphs int) View {
	t := newFlameTree(f, max(1, float64(graphs)/4))
	v := View{ID: id, Title: f.Title, What: flameWhat(f), Facts: flameFacts(f), Two: f.Two, Data: t.data(), Gone: t.gone()}
	v.Boxes, v.Height = t.boxes()
	v.Label = t.label()
	v.Small = t.small()
	v.Legend = t.legend()
	if f.Two {
		v.Tones = []flameKey{
			{[]string{"m3", "m2", "m1"}, "less; half or less, a fifth less"},
			{[]string{"t0"}, "as before, or within the noise of the samples"},
			{[]string{"p1", "p2", "p3"}, "more; a quarter more, twice or new"},
		}
		v.Compared = "shares"
		if f.PerOp {
			v.Compared = "values per op"
		}
	}
	return v
}

// New prepares some of the flame graphs of a page that has so many, and so
// many before them. Their ids begin with id.
func New(fs []model.Flame, id string, before, graphs int) []View {
	var out []View
	for i, f := range fs {
		v := newView(f, fmt.Sprintf("%s-%d", id, i+1), graphs)
		v.Brief = before+i > 0
		out = append(out, v)
	}
	return out
}

// small says what is not drawn.
func (t *flameTree) small() string {
	n := t.f.Folded + t.left
	if n == 0 {
		return ""
	}
	most := figure.Share(math.Max(t.f.Cut, t.cut))
	if less, ok := strings.CutPrefix(most, "< "); ok {
		most = "less than " + less
	} else {
		most += " or less"
	}
	return words.Plural(n, "part") + " of " + most + " each are left out; their values are in the frames above."
}

// Add adds to a page's frame what flame graphs need. A page without one
// has no script.
func Add(p *page.Frame, views []View) {
	if len(views) == 0 {
		return
	}
	p.Style += flameStyle
	p.Script = Script
}

// flameWhat names the values, flameFacts says how many there are and what they
// rest on.
func flameWhat(f model.Flame) string {
	if f.PerOp {
		return resourceWord(f.Resource) + " per op"
	}
	return resourceWord(f.Resource)
}

func flameFacts(f model.Flame) string {
	facts := flameAmount(f, f.Total[0])
	if f.Two {
		facts += " → " + flameAmount(f, f.Total[1])
	}
	if f.Counted != [2]float64{} {
		facts += fmt.Sprintf(" of %s → %s counted: most below 16 bytes are not in a profile", figure.Exact("allocs/op", f.Counted[0]), figure.Exact("allocs/op", f.Counted[1]))
	}
	samples := func(side int) string { return words.Counted(f.Samples[side], "sample") }
	switch f.Resource {
	case "goroutines": // which the values are
		return facts
	case "mutex", "block":
		samples = func(side int) string { return words.Grouped(f.Samples[side]) + " waits" }
	}
	if facts += " · " + samples(0); f.Two {
		facts += " → " + samples(1)
	}
	return facts
}

func flameAmount(f model.Flame, value float64) string {
	if f.PerOp && f.Unit == "objects" {
		return figure.Plural(value, "object")
	}
	return figure.Quantity(f.Unit, value)
}

func resourceWord(r string) string {
	switch r {
	case "cpu":
		return "CPU time"
	case "allocs":
		return "Objects allocated"
	case "bytes":
		return "Bytes allocated"
	case "live":
		return "Live bytes"
	case "mutex":
		return "Time that others waited for locks"
	case "block":
		return "Time spent waiting"
	case "":
		return "Values"
	}
	return strings.ToUpper(r[:1]) + r[1:]
}

// A flameTree is a flame graph with what drawing it takes. Nodes that are too
// many for a page are left out of it.
type flameTree struct {
	f     model.Flame
	kept  []int // indices of the nodes that are on the page, in their order
	left  int   // how many are not
	cut   float64
	crowd float64 // how many times less room there is than for one
	depth []int
	tone  []int
}

// The most that the nodes of one graph may have on a page: nodes, and bytes of
// what they say, roughly.
const (
	flameNodes = 3000
	flameBytes = 200 << 10
	flameName  = 200 // characters of a name
)

// room is what is left to one graph of a bound for a page with few.
func (t *flameTree) room(bound int) int { return int(float64(bound) / t.crowd) }

func newFlameTree(f model.Flame, crowd float64) *flameTree {
	if len(f.Nodes) == 0 {
		f.Nodes = []model.FlameNode{{Func: -1, Parent: -1, Value: f.Total, Self: f.Total}}
	}
	f.Funcs = append([]model.FlameFunc(nil), f.Funcs...)
	for i := range f.Funcs {
		f.Funcs[i].Name, f.Funcs[i].File = crop(f.Funcs[i].Name), crop(f.Funcs[i].File)
	}
	t := &flameTree{f: f, crowd: crowd, depth: make([]int, len(f.Nodes)), tone: make([]int, len(f.Nodes))}
	for i, n := range f.Nodes {
		if n.Parent >= 0 {
			t.depth[i] = t.depth[n.Parent] + 1
		}
		t.tone[i] = t.toneOf(n)
	}
	t.choose()
	return t
}

// crop shortens what is longer than anyone reads.
func crop(s string) string {
	return words.Clip(quote.Line(s), flameName)
}

// share is a node's part of the total of one side.
func (t *flameTree) share(i, side int) float64 {
	if t.f.Total[side] <= 0 {
		return 0
	}
	return t.f.Nodes[i].Value[side] / t.f.Total[side]
}

// greater is the greater of the node's two shares.
func (t *flameTree) greater(i int) float64 { return math.Max(t.share(i, 0), t.share(i, 1)) }

// change is the relative change of a node: of its value per op, or else of its
// share. It is infinite for what the base does not have.
func (t *flameTree) change(n model.FlameNode) float64 {
	x := n.Value
	if !t.f.PerOp {
		for side, total := range t.f.Total {
			x[side] /= cmp.Or(total, 1)
		}
	}
	switch {
	case x[0] == 0 && x[1] == 0:
		return 0
	case x[0] == 0:
		return math.Inf(1)
	}
	return x[1]/x[0] - 1
}

// toneOf is how much less or more of a node there is, from -3 to 3; 0 where
// the samples do not show it.
func (t *flameTree) toneOf(n model.FlameNode) int {
	c := t.change(n)
	switch {
	case !t.f.Two || !n.Clear || math.Abs(c) < 0.02:
		return 0
	case c <= -0.5:
		return -3
	case c <= -0.2:
		return -2
	case c < 0:
		return -1
	case c < 0.25:
		return 1
	case c < 1:
		return 2
	}
	return 3
}

// name is a frame's symbol; that of the root stands for all.
func (t *flameTree) name(i int) string {
	if fn := t.f.Nodes[i].Func; fn >= 0 {
		return t.f.Funcs[fn].Name
	}
	return "all"
}

// kind is whose function a frame is: of the user's module, of another, of the
// standard library, of the runtime.
func (t *flameTree) kind(i int) int {
	fn := t.f.Nodes[i].Func
	if fn < 0 {
		return 2
	}
	switch f := t.f.Funcs[fn]; {
	case f.Module:
		return 0
	case !f.Std:
		return 1
	case strings.HasPrefix(f.Name, "runtime."), strings.HasPrefix(f.Name, "runtime/"), strings.HasPrefix(f.Name, "internal/runtime/"):
		return 3
	}
	return 2
}

func (t *flameTree) where(i int) string {
	fn := t.f.Nodes[i].Func
	if fn < 0 || t.f.Funcs[fn].File == "" {
		return ""
	}
	f := t.f.Funcs[fn]
	return path.Base(strings.ReplaceAll(f.File, `\`, "/")) + ":" + strconv.Itoa(f.Line)
}

func (t *flameTree) legend() []flameKey {
	var out []flameKey
	var seen [4]bool
	for _, i := range t.kept[1:] {
		seen[t.kind(i)] = true
	}
	for kind, text := range []string{"the program's own", "other modules", "standard library", "runtime"} {
		if seen[kind] {
			out = append(out, flameKey{[]string{"k" + strconv.Itoa(kind)}, text})
		}
	}
	return out
}
