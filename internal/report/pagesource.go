package report

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
)

// An Excerpt is a piece of a source file around lines that cost.
type Excerpt struct {
	File  string
	First int // number of the first line
	Lines []string
	Marks []int             // numbers of the lines that are spoken of
	Costs map[int]LineShare // by number of the line
	Notes map[int][]string  // of the compiler, by number of the line
	// Of is what the shares are of: "allocs in Send".
	Of string
}

// A LineShare is what a line costs: the part of the whole, and the same per op
// in words.
type LineShare struct {
	Share float64
	PerOp string
}

// NewLineShare says what a line costs.
func NewLineShare(r model.Resource, share, perOp float64) LineShare {
	return LineShare{Share: share, PerOp: amount(r, perOp)}
}

// A pageSource is an excerpt with its costs and notes in the margins.
type pageSource struct {
	Dir, Base string // of the file's name
	Of        string
	Noted     bool // a line has notes
	Lines     []sourceLine
}

// A sourceLine is one line of an excerpt.
type sourceLine struct {
	N      int
	Pieces []piece
	Mark   bool
	Share  string // "40 %"
	Bar    string // of 100
	PerOp  string
	Notes  []string
}

func newSource(e Excerpt) pageSource {
	f := diffFile{Name: e.File}
	p := pageSource{Dir: f.Dir(), Base: f.Base(), Of: e.Of}
	for i, pieces := range sourceLines(e.File, e.Lines) {
		n := e.First + i
		l := sourceLine{N: n, Pieces: pieces, Mark: slices.Contains(e.Marks, n), Notes: e.Notes[n]}
		if c := e.Costs[n]; c.Share > 0 {
			l.Share, l.PerOp, l.Bar = share(c.Share), c.PerOp, decimal(100*math.Min(1, c.Share))
		}
		p.Noted = p.Noted || len(l.Notes) > 0
		p.Lines = append(p.Lines, l)
	}
	return p
}

// A pageTarget is a line that costs.
type pageTarget struct {
	ID, Place, Func, Share, PerOp, Own, CPU, Reason string
	Bar                                             string // length of the bar, of 100
	Flow                                            []string
	Title, Skip                                     string
	Sources                                         []pageSource
}

// newTargets also says which benchmark the shares hold in. Where there are
// several, each target names its own.
func newTargets(ps []model.Prospect, extra Extra) ([]pageTarget, string) {
	var out []pageTarget
	bs := benchmarks(ps)
	for _, pr := range ps {
		t := newTarget(pr, extra)
		if len(bs) > 1 {
			t.Share += " in " + pr.Target.Benchmark.String()
		}
		out = append(out, t)
	}
	switch len(bs) {
	case 0:
		return out, ""
	case 1:
		return out, bs[0].String() + " and hold in this benchmark"
	}
	return out, "the benchmark that each names"
}

func newTarget(pr model.Prospect, extra Extra) pageTarget {
	t := pr.Target
	p := pageTarget{
		ID: t.ID, Place: t.At.File + ":" + strconv.Itoa(t.At.Line), Func: symbol(t.Func), Share: share(t.Share) + " of " + string(t.Resource),
		PerOp: perOp(t), Reason: t.Reason.Text, Bar: decimal(100 * math.Min(1, math.Max(0, t.Share))), Title: pr.Title, Skip: pr.Skip,
	}
	p.Own, p.CPU = ceiling(t)
	for _, n := range t.Notes {
		for _, f := range n.Flow {
			p.Flow = append(p.Flow, f.At.String()+"  "+strings.TrimSpace(f.Text))
		}
	}
	if e, ok := extra.Excerpts[t.ID]; ok {
		p.Sources = []pageSource{newSource(e)}
	}
	return p
}
