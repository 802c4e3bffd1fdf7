package memory

import (
	"embed"
	"fmt"
	"strconv"
	"unicode/utf8"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/report/diagnosis/section"
	"github.com/pawl-dev/pawl/internal/report/figure"
	"github.com/pawl-dev/pawl/internal/report/page"
	"github.com/pawl-dev/pawl/internal/words"
)

//go:embed memory.html
var Files embed.FS

// A Part is what holds a program's memory.
type Part struct {
	section.Head
	Facts    string
	Uses     []use
	Words    string // what the picture shows
	Advised  []use
	Warnings []model.Warning
}

// A use is one use of memory: a stretch of the bar, and a row.
type use struct {
	ID            string // of what is said about it; empty where nothing is
	Name, Title   string
	Share, Size   string
	X, Width, Mid string
	Label         bool // the stretch has room for its name
	Dark          bool // the name stands on a dark stretch
	Tone          int
	Figures       string
	section.Remedy
}

// A stretch of the bar has room for a name from a share on, and for names that
// are no longer than this.
const (
	labelled  = 0.25
	labelLong = 8
)

// NewPart fills the part about one source of memory figures.
func NewPart(h section.Head, m model.Memory) Part {
	p := Part{Head: h, Facts: page.Together(facts(m)), Warnings: m.Warnings}
	x := 0.0
	for i, part := range m.Parts {
		w := section.BarLength(part.Share)
		if x+w > 100 {
			w = 100 - x
		}
		u := use{
			Name: part.Name, Title: part.Title, Share: figure.Share(part.Share), Size: words.Bytes(float64(part.Bytes)),
			X: page.Decimal(x), Width: page.Decimal(w), Mid: page.Decimal(x + w/2), Label: part.Share >= labelled && utf8.RuneCountInString(part.Name) <= labelLong, Tone: min(i, 5), Dark: i < 2,
		}
		x += w
		if i < m.StandsOut {
			u.ID = h.ID + "-" + strconv.Itoa(i+1)
			u.Figures = fmt.Sprintf("%s, %s of what Go holds", u.Size, u.Share)
			u.Remedy = section.NewRemedy(part.Rules, section.About(part.Meaning, part.Lever, part.Before, part.Gap)...)
			p.Advised = append(p.Advised, u)
		}
		if p.Words != "" {
			p.Words += ", "
		}
		p.Words += u.Name + " " + u.Share
		p.Uses = append(p.Uses, u)
	}
	return p
}
