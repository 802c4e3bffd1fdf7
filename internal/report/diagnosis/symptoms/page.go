package symptoms

import (
	"embed"
	"fmt"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/report/diagnosis/section"
	"github.com/pawl-dev/pawl/internal/report/figure"
	"github.com/pawl-dev/pawl/internal/report/page"
	"github.com/pawl-dev/pawl/internal/report/page/flame"
	"github.com/pawl-dev/pawl/internal/words"
)

//go:embed signs.html
var Files embed.FS

// A Part is what the profiles of one kind show.
type Part struct {
	section.Head
	Facts string
	SignList
	Warnings []model.Warning
	Flames   []flame.View
}

// A SignList is an overview of signatures, and all about those that stand out.
type SignList struct {
	Bars    []signBar
	Adds    bool             // shares are of one whole
	Sampled bool             // a bar has an interval
	Lighter bool             // a bar has a part of the scheduler's time
	Rest    []section.Caller // lines of the program itself, which is no signature
	Signs   []signPart
}

// A signBar is a line of the overview.
type signBar struct {
	Name, Share, Why string
	Ref              string // id of the signature; empty where it does not stand out
	Out              bool
	Bar              section.ShareBar
}

// NewPart fills the part about the profiles of one kind; the ids in it begin with id.
func NewPart(h section.Head, id string, sy model.Symptoms) Part {
	p := Part{Head: h, Facts: facts(sy), SignList: NewSignList(id, sy.Signs, sy.Below), Warnings: sy.Warnings}
	p.Adds = sy.Kind != "heap"
	if rest := restName(sy); rest != "" {
		p.Bars = append(p.Bars, signBar{Name: rest, Share: figure.Share(sy.Rest), Bar: section.NewShareBar(sy.Rest, 0, 0, 0)})
	}
	for _, c := range sy.RestCallers {
		p.Rest = append(p.Rest, newSignCaller(c))
	}
	return p
}

// NewSignList makes the list of signatures whose ids begin with id.
func NewSignList(id string, signs, below []model.Sign) SignList {
	var p SignList
	for i, x := range signs {
		s := newSignPart(fmt.Sprintf("%s-%d", id, i+1), x)
		p.Signs = append(p.Signs, s)
		p.Bars = append(p.Bars, signBar{Name: x.Name, Share: figure.Share(x.Gain()), Ref: s.ID, Out: true, Bar: s.Bar})
		p.Lighter = p.Lighter || x.Scheduler > 0.0005
	}
	for _, x := range below {
		p.Bars = append(p.Bars, signBar{Name: x.Name, Share: figure.Share(x.Gain()), Why: belowWhy(x), Bar: section.NewShareBar(x.Share, x.Scheduler, x.Lo, x.Hi)})
	}
	for _, b := range p.Bars {
		p.Sampled = p.Sampled || b.Bar.Span != ""
	}
	return p
}

// A signPart is all about one signature.
type signPart struct {
	ID, Name, Title string
	Share, Figures  string
	Bar             section.ShareBar
	Callers         []section.Caller
	More            string // lines that are not named
	section.Remedy
}

func newSignPart(id string, x model.Sign) signPart {
	p := signPart{
		ID: id, Name: x.Name, Title: x.Title, Share: figure.Share(x.Gain()), Figures: page.Together(signShare(x)),
		Bar:    section.NewShareBar(x.Share, x.Scheduler, x.Lo, x.Hi),
		Remedy: section.NewRemedy(x.Rules, remedy(x)...),
	}
	for _, c := range x.Callers {
		p.Callers = append(p.Callers, newSignCaller(c))
	}
	var more []string
	if x.More > 0 {
		more = append(more, words.Plural(x.More, "other line"))
	}
	if x.Orphan >= 0.0005 {
		more = append(more, figure.Share(x.Orphan)+" "+orphanText(x))
	}
	p.More = page.Together(strings.Join(more, "; "))
	return p
}

func newSignCaller(c model.SignCaller) section.Caller {
	what := words.Symbol(c.Func)
	if c.Via != "" {
		what += " → " + strings.TrimPrefix(words.Symbol(c.Via), "runtime.")
	}
	return section.Caller{Share: figure.Share(c.Share), Place: section.Spot(c.File, c.Line), Full: section.FullPlace(c.File, c.Line), Func: what}
}
