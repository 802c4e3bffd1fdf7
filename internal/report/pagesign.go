package report

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
)

// A symptomsPart is what the profiles of one kind show.
type symptomsPart struct {
	partHead
	Facts string
	signList
	Warnings []model.Warning
	Flames   []flameView
}

// A signList is an overview of signatures, and all about those that stand out.
type signList struct {
	Bars    []signBar
	Adds    bool         // shares are of one whole
	Sampled bool         // a bar has an interval
	Lighter bool         // a bar has a part of the scheduler's time
	Rest    []signCaller // lines of the program itself, which is no signature
	Signs   []signPart
}

// A signBar is a line of the overview.
type signBar struct {
	Name, Share, Why string
	Ref              string // id of the signature; empty where it does not stand out
	Out              bool
	Bar              shareBar
}

// A shareBar is a share as a bar, of 100: what is sure, what is estimated on top
// of it, and the interval.
type shareBar struct {
	Sure, More, MoreX string
	Lo, Span          string // empty without an interval
	Label             string
}

func newShareBar(share, more, lo, hi float64) shareBar {
	b := shareBar{Sure: decimal(barLength(share)), MoreX: decimal(barLength(share)), More: decimal(barLength(share+more) - barLength(share)), Label: barLabel(share, more)}
	if hi > lo && hi-lo < 1 {
		b.Lo, b.Span = decimal(barLength(lo)), decimal(barLength(hi)-barLength(lo))
	}
	return b
}

// barLength is a share as a length of 100; none where it is no number.
func barLength(x float64) float64 {
	if math.IsNaN(x) {
		return 0
	}
	return 100 * math.Min(1, math.Max(0, x))
}

func barLabel(x, more float64) string {
	if more < 0.0005 {
		return share(x)
	}
	return share(x) + " and about " + share(more) + " in the scheduler"
}

func newSymptomsPart(h partHead, id string, sy model.Symptoms) symptomsPart {
	p := symptomsPart{partHead: h, Facts: symptomsFacts(sy), signList: newSignList(id, sy.Signs, sy.Below), Warnings: sy.Warnings}
	p.Adds = sy.Kind != "heap"
	if rest := restName(sy); rest != "" {
		p.Bars = append(p.Bars, signBar{Name: rest, Share: share(sy.Rest), Bar: newShareBar(sy.Rest, 0, 0, 0)})
	}
	for _, c := range sy.RestCallers {
		p.Rest = append(p.Rest, newSignCaller(c))
	}
	return p
}

// newSignList makes the list of signatures whose ids begin with id.
func newSignList(id string, signs, below []model.Sign) signList {
	var p signList
	for i, x := range signs {
		s := newSignPart(fmt.Sprintf("%s-%d", id, i+1), x)
		p.Signs = append(p.Signs, s)
		p.Bars = append(p.Bars, signBar{Name: x.Name, Share: share(x.Gain()), Ref: s.ID, Out: true, Bar: s.Bar})
		p.Lighter = p.Lighter || x.Scheduler > 0.0005
	}
	for _, x := range below {
		p.Bars = append(p.Bars, signBar{Name: x.Name, Share: share(x.Gain()), Why: belowWhy(x), Bar: newShareBar(x.Share, x.Scheduler, x.Lo, x.Hi)})
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
	Bar             shareBar
	Callers         []signCaller
	More            string // lines that are not named
	remedy
}

// A remedy is what something is, what changes it, and what to look at first.
type remedy struct {
	Facts []fact
	Rules []model.SignRule
}

// newRemedy leaves out what there is nothing to say about.
func newRemedy(rules []model.SignRule, of ...fact) remedy {
	a := remedy{Rules: rules}
	for _, f := range of {
		if f.Text != "" {
			a.Facts = append(a.Facts, fact{f.Label, together(f.Text)})
		}
	}
	return a
}

// A signCaller is a line behind a signature.
type signCaller struct {
	Share       string
	Place, Full string
	Func        string
}

func newSignPart(id string, x model.Sign) signPart {
	p := signPart{
		ID: id, Name: x.Name, Title: x.Title, Share: share(x.Gain()), Figures: together(signShare(x)),
		Bar:    newShareBar(x.Share, x.Scheduler, x.Lo, x.Hi),
		remedy: newRemedy(x.Rules, fact{"seen", signSymbols(x)}, fact{"what", x.Meaning}, fact{"lever", x.Lever}, fact{"first", x.Before}, fact{"beware", x.Gap}),
	}
	for _, c := range x.Callers {
		p.Callers = append(p.Callers, newSignCaller(c))
	}
	var more []string
	if x.More > 0 {
		more = append(more, number(x.More, "other line"))
	}
	if x.Orphan >= 0.0005 {
		more = append(more, share(x.Orphan)+" "+orphanText(x))
	}
	p.More = together(strings.Join(more, "; "))
	return p
}

func newSignCaller(c model.SignCaller) signCaller {
	what := short(c.Func)
	if c.Via != "" {
		what += " → " + strings.TrimPrefix(short(c.Via), "runtime.")
	}
	return signCaller{Share: share(c.Share), Place: spot(c.File, c.Line), Full: fullPlace(c.File, c.Line), Func: what}
}

// fullPlace is a line with the folder of its file.
func fullPlace(file string, line int) string {
	if line <= 0 {
		return file
	}
	return file + ":" + strconv.Itoa(line)
}
