package code

import (
	"math"
	"path"
	"slices"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/report/figure"
	"github.com/pawl-dev/pawl/internal/report/page"
)

// A diffFile is one file of a diff.
type diffFile struct {
	Name  string
	What  string // "new file", "renamed from x", …
	Hunks []diffHunk
}

// Dir and Base are the two parts of a file's name: a reader looks for the last.
func (f diffFile) Dir() string { dir, _ := path.Split(f.Name); return dir }

func (f diffFile) Base() string { _, base := path.Split(f.Name); return base }

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
	return LineShare{Share: share, PerOp: figure.Amount(r, perOp)}
}

// A View is an excerpt with its costs and notes in the margins.
type View struct {
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

// NewView prepares an excerpt for the page.
func NewView(e Excerpt) View {
	f := diffFile{Name: e.File}
	p := View{Dir: f.Dir(), Base: f.Base(), Of: e.Of}
	for i, pieces := range sourceLines(e.File, e.Lines) {
		n := e.First + i
		l := sourceLine{N: n, Pieces: pieces, Mark: slices.Contains(e.Marks, n), Notes: e.Notes[n]}
		if c := e.Costs[n]; c.Share > 0 {
			l.Share, l.PerOp, l.Bar = figure.Share(c.Share), c.PerOp, page.Decimal(100*math.Min(1, c.Share))
		}
		p.Noted = p.Noted || len(l.Notes) > 0
		p.Lines = append(p.Lines, l)
	}
	return p
}
