package report

import (
	"fmt"
	"strconv"
	"unicode/utf8"

	"github.com/pawl-dev/pawl/internal/model"
)

// A memoryPart is what holds a program's memory.
type memoryPart struct {
	partHead
	Facts    string
	Uses     []memoryUse
	Words    string // what the picture shows
	Advised  []memoryUse
	Warnings []model.Warning
}

// A memoryUse is one use of memory: a stretch of the bar, and a row.
type memoryUse struct {
	ID            string // of what is said about it; empty where nothing is
	Name, Title   string
	Share, Size   string
	X, Width, Mid string
	Label         bool // the stretch has room for its name
	Dark          bool // the name stands on a dark stretch
	Tone          int
	Figures       string
	remedy
}

// A stretch of the bar has room for a name from a share on, and for names that
// are no longer than this.
const (
	labelled  = 0.25
	labelLong = 8
)

func newMemoryPart(h partHead, m model.Memory) memoryPart {
	p := memoryPart{partHead: h, Facts: together(memoryFacts(m)), Warnings: m.Warnings}
	x := 0.0
	for i, part := range m.Parts {
		w := barLength(part.Share)
		if x+w > 100 {
			w = 100 - x
		}
		u := memoryUse{
			Name: part.Name, Title: part.Title, Share: share(part.Share), Size: size(float64(part.Bytes)),
			X: decimal(x), Width: decimal(w), Mid: decimal(x + w/2), Label: part.Share >= labelled && utf8.RuneCountInString(part.Name) <= labelLong, Tone: min(i, 5), Dark: i < 2,
		}
		x += w
		if i < m.StandsOut {
			u.ID = h.ID + "-" + strconv.Itoa(i+1)
			u.Figures = fmt.Sprintf("%s, %s of what Go holds", u.Size, u.Share)
			u.remedy = newRemedy(part.Rules, fact{"what", part.Meaning}, fact{"lever", part.Lever}, fact{"first", part.Before}, fact{"beware", part.Gap})
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
