package flame

import (
	"cmp"
	"encoding/json"
	"fmt"
	"html/template"
	"math"
	"slices"
	"strconv"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/report/figure"
	"github.com/pawl-dev/pawl/internal/report/page"
	"github.com/pawl-dev/pawl/internal/sorted"
	"github.com/pawl-dev/pawl/internal/words"
)

// choose keeps the greatest nodes that the page has room for. A node comes
// before its children and is no smaller, so what is kept is a tree.
func (t *flameTree) choose() {
	room, at := t.room(flameBytes), make([]bool, len(t.f.Nodes))
	seen := map[string]bool{}
	for k, i := range t.byShare() {
		n := t.f.Nodes[i]
		room -= 32
		if n.Func >= 0 {
			f := t.f.Funcs[n.Func]
			for _, s := range []string{f.Name, f.File} {
				if !seen[s] {
					seen[s] = true
					room -= len(s)
				}
			}
		}
		if i > 0 && (k >= t.room(flameNodes) || room < 0 || !at[n.Parent]) {
			t.left++
			t.cut = math.Max(t.cut, t.greater(i))
			continue
		}
		at[i] = true
	}
	for i, keep := range at {
		if keep {
			t.kept = append(t.kept, i)
		}
	}
}

// byShare returns all nodes, the greatest first, and the root before all.
func (t *flameTree) byShare() []int {
	out := make([]int, len(t.f.Nodes))
	for i := range out {
		out[i] = i
	}
	slices.SortFunc(out[1:], func(a, b int) int {
		return cmp.Or(cmp.Compare(t.greater(b), t.greater(a)), cmp.Compare(a, b))
	})
	return out
}

// flameWhole is what shares are written in: a part in ten million is less than a
// pixel of any page.
const flameWhole = 1e7

// flameData is a flame graph as flame.js reads it.
type flameData struct {
	Unit    string      `json:"unit"`
	Two     bool        `json:"two"`
	PerOp   bool        `json:"per_op"`
	Total   [2]float64  `json:"total"`
	Whole   float64     `json:"whole"` // what values are parts of
	Files   []string    `json:"files"`
	Funcs   []flameFunc `json:"funcs"`
	Columns int         `json:"columns"` // of Nodes
	// Nodes are the function, how far back the parent is, value and self (for each
	// side), and with two sides the tone; one node after the other.
	Nodes []int `json:"nodes"`
}

// A flameFunc is a function's name, the index of its file, its line and its
// kind.
type flameFunc [4]any

func (t *flameTree) data() template.JS {
	d := flameData{Unit: t.f.Unit, Two: t.f.Two, PerOp: t.f.PerOp, Total: t.f.Total, Whole: flameWhole, Columns: 4, Files: []string{}, Funcs: []flameFunc{}}
	if d.Two {
		d.Columns = 7
	}
	files, funcs, nodes := map[string]int{}, map[int]int{-1: -1}, map[int]int{-1: -1}
	for k, i := range t.kept {
		n := t.f.Nodes[i]
		nodes[i] = k
		if _, known := funcs[n.Func]; !known {
			f := t.f.Funcs[n.Func]
			if _, known := files[f.File]; !known {
				files[f.File] = len(d.Files)
				d.Files = append(d.Files, f.File)
			}
			funcs[n.Func] = len(d.Funcs)
			d.Funcs = append(d.Funcs, flameFunc{f.Name, files[f.File], f.Line, t.kind(i)})
		}
		d.Nodes = append(d.Nodes, funcs[n.Func], k-nodes[n.Parent])
		d.Nodes = append(d.Nodes, t.numbers(n, i)...)
	}
	text, err := json.Marshal(d) // escapes <, > and &, so that no name ends the element
	if err != nil {
		return "null" // a total that is no number; the boxes remain
	}
	return template.JS(text)
}

func (t *flameTree) numbers(n model.FlameNode, i int) []int {
	of := func(x float64, side int) int {
		if t.f.Total[side] <= 0 {
			return 0
		}
		return int(math.Round(flameWhole * math.Min(1, math.Max(0, x/t.f.Total[side]))))
	}
	if !t.f.Two {
		return []int{of(n.Value[0], 0), of(n.Self[0], 0)}
	}
	return []int{of(n.Value[0], 0), of(n.Value[1], 1), of(n.Self[0], 0), of(n.Self[1], 1), t.tone[i]}
}

// boxes lays out the largest frames, and returns how high they are together.
// Of two profiles it is the difference that stands there: the frames of the
// candidate.
func (t *flameTree) boxes() ([]flameBox, int) {
	side := 0
	if t.f.Two {
		side = 1
	}
	shown := t.largest(side)
	next := make([]float64, len(t.f.Nodes)) // where the next child of a node begins
	out, height := []flameBox{}, flameRow
	for _, i := range t.kept {
		n, w := t.f.Nodes[i], t.share(i, side)
		if i == 0 {
			w = 1
		}
		x := 0.0
		if i > 0 {
			x = next[n.Parent]
			next[n.Parent] += w
		}
		next[i] = x
		if !shown[i] {
			continue
		}
		height = max(height, flameRow*(t.depth[i]+1))
		out = append(out, t.box(i, side, x, w))
	}
	return out, height
}

// largest returns which nodes have a box, by their share on one side.
func (t *flameTree) largest(side int) map[int]bool {
	const thin = 0.002 // less than two pixels
	order := slices.Clone(t.kept)
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(t.share(b, side), t.share(a, side)) })
	shown := map[int]bool{0: true}
	for _, i := range order {
		if i > 0 && len(shown) < t.room(flameBoxes) && t.share(i, side) >= thin && shown[t.f.Nodes[i].Parent] {
			shown[i] = true
		}
	}
	return shown
}

func (t *flameTree) box(i, side int, x, w float64) flameBox {
	b := flameBox{X: page.Decimal(100 * x), W: page.Decimal(100 * w), Y: flameRow * t.depth[i], Class: "k" + strconv.Itoa(t.kind(i)), Hint: t.hint(i)}
	if t.f.Two {
		b.Class = "t0"
		if tone := t.tone[i]; tone < 0 {
			b.Class = "m" + strconv.Itoa(-tone)
		} else if tone > 0 {
			b.Class = "p" + strconv.Itoa(tone)
		}
	}
	switch {
	case w >= 0.04:
		b.Text = t.sign(i) + words.Symbol(t.name(i))
	case w < 0.005:
		b.Class += " thin"
	}
	return b
}

// sign says in figures what the colour of a difference says.
func (t *flameTree) sign(i int) string {
	if t.tone[i] == 0 {
		return ""
	}
	c := t.change(t.f.Nodes[i])
	if math.IsInf(c, 1) {
		return "new "
	}
	if math.Abs(c) >= 0.1 {
		return words.Minus(fmt.Sprintf("%+.0f %% ", 100*c))
	}
	return figure.Change(c) + " "
}

// hint is what is shown of a frame where the pointer rests on it.
func (t *flameTree) hint(i int) string {
	n := t.f.Nodes[i]
	s := t.name(i) + "\n"
	if where := t.where(i); where != "" {
		s += where + "\n"
	}
	if !t.f.Two {
		return s + figure.Share(t.share(i, 0)) + ", " + figure.Quantity(t.f.Unit, n.Value[0])
	}
	return s + t.beforeAfter(i)
}

func (t *flameTree) beforeAfter(i int) string {
	n := t.f.Nodes[i]
	s := fmt.Sprintf("%s → %s", figure.Share(t.share(i, 0)), figure.Share(t.share(i, 1)))
	if t.f.PerOp {
		s = fmt.Sprintf("%s → %s per op", figure.Quantity(t.f.Unit, n.Value[0]), figure.Quantity(t.f.Unit, n.Value[1]))
	}
	switch c := t.change(n); {
	case math.IsInf(c, 1):
		s += ", new"
	case n.Clear:
		s += ", " + figure.Change(c)
	case i > 0:
		s += ", within the noise of the samples"
	}
	return s
}

// mostGone is how many frames are named that the candidate does not have, and
// leastGone the share of the base below which that says nothing.
const (
	mostGone  = 8
	leastGone = 0.001
)

// gone names the outermost frames that the candidate does not have any more,
// which a picture of the candidate cannot show; the greatest first.
func (t *flameTree) gone() []string {
	if !t.f.Two || t.f.Total[1] <= 0 {
		return nil
	}
	var at []int
	for _, i := range t.kept {
		n := t.f.Nodes[i]
		if i > 0 && n.Clear && n.Value[1] == 0 && t.share(i, 0) >= leastGone && t.f.Nodes[n.Parent].Value[1] > 0 {
			at = append(at, i)
		}
	}
	slices.SortStableFunc(at, func(a, b int) int { return cmp.Compare(t.share(b, 0), t.share(a, 0)) })
	var out []string
	for _, i := range at[:min(len(at), mostGone)] {
		s := words.Symbol(t.name(i))
		if p := t.f.Nodes[i].Parent; p > 0 {
			s += " in " + words.Symbol(t.name(p))
		}
		out = append(out, s+": it was "+figure.Share(t.share(i, 0))+", "+flameAmount(t.f, t.f.Nodes[i].Value[0]))
	}
	if n := len(at) - mostGone; n > 0 {
		out = append(out, words.Plural(n, "other place"))
	}
	return out
}

// label is a graph in words: its largest functions of the program.
func (t *flameTree) label() string {
	side := 0
	if t.f.Two {
		side = 1
	}
	s := "Flame graph of " + cmp.Or(t.f.Title, "a profile")
	type most struct {
		name string
		self float64
	}
	byName := map[string]float64{}
	for _, i := range t.kept[1:] {
		byName[words.Symbol(t.name(i))] += t.f.Nodes[i].Self[side]
	}
	var all []most
	for name, self := range byName {
		all = append(all, most{name, self})
	}
	sorted.By(all, func(a, b most) int {
		return cmp.Or(cmp.Compare(b.self, a.self), cmp.Compare(a.name, b.name))
	})
	for k, m := range all[:min(len(all), 3)] {
		if m.self <= 0 {
			break
		}
		s += []string{". Most by itself: ", ", ", ", "}[k] + m.name + " " + figure.Share(m.self/t.f.Total[side])
	}
	return s + "."
}
