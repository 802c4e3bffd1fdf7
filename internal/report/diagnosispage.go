package report

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"math"
	"path"
	"strconv"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
)

// DiagnosisExtra is what the page of a diagnosis shows beyond the diagnosis.
type DiagnosisExtra struct {
	Command []string                 // how it was asked for, without secrets
	Flames  map[string][]model.Flame // by the kind of profile that they are of
}

// DiagnosisHTML writes a diagnosis as one page that holds all it needs: what
// stands out and why, and the flame graph of each profile below it.
func DiagnosisHTML(w io.Writer, d *model.Diagnosis, extra DiagnosisExtra) error {
	p, err := newDiagnosisPage(d, extra)
	if err != nil {
		return err
	}
	return writePage(w, "diagnosis", p)
}

type diagnosisPage struct {
	pageFrame
	Over     string
	Lead     string
	Parts    []symptomsPart
	Warnings []model.Warning
	Command  string
	Tool     string
	Data     template.URL // the diagnosis as JSON; empty where it is too large
}

// mostData is how many bytes of JSON a page carries for who wants to read on
// with a program.
const mostData = 512 << 10

func newDiagnosisPage(d *model.Diagnosis, extra DiagnosisExtra) (diagnosisPage, error) {
	p := diagnosisPage{
		pageFrame: newFrame(together(diagnosisTitle(d))), Over: "pawl diagnose", Lead: diagnosisLead(d),
		Warnings: d.Warnings, Command: shell(extra.Command...), Tool: d.Tool,
	}
	p.Style += template.CSS(asset("diagnosis.css"))
	graphs := 0
	for _, sy := range d.Profiles {
		graphs += len(extra.Flames[sy.Kind])
	}
	var flames []flameView
	for i, sy := range d.Profiles {
		sp := newSymptomsPart(i+1, sy)
		if sp.Title == p.Title { // said above
			sp.Title = profileWord(sy.Kind)
		}
		sp.Flames = newFlames(extra.Flames[sy.Kind], fmt.Sprintf("flame-%d", i+1), len(flames), graphs)
		flames = append(flames, sp.Flames...)
		p.Parts = append(p.Parts, sp)
	}
	p.withFlames(flames)
	var buf bytes.Buffer
	if err := JSON(&buf, d); err != nil {
		return p, err
	}
	if buf.Len() <= mostData {
		p.Data = template.URL("data:application/json;base64," + base64.StdEncoding.EncodeToString(buf.Bytes()))
	}
	return p, nil
}

// diagnosisTitle is the answer of the first profile that has one.
func diagnosisTitle(d *model.Diagnosis) string {
	for _, sy := range d.Profiles {
		if len(sy.Signs) > 0 {
			return symptomsHeadline(sy)
		}
	}
	if len(d.Profiles) == 1 {
		return symptomsHeadline(d.Profiles[0])
	}
	return "Nothing stands out."
}

func diagnosisLead(d *model.Diagnosis) string {
	signs := 0
	for _, sy := range d.Profiles {
		signs += len(sy.Signs)
	}
	if len(d.Profiles) < 2 || signs == 0 {
		return ""
	}
	return fmt.Sprintf("%s in %s.", number(signs, "signature"), number(len(d.Profiles), "profile"))
}

// A symptomsPart is what the profiles of one kind show.
type symptomsPart struct {
	N        int
	Title    string
	Facts    string
	Bars     []signBar
	Adds     bool // shares are of one whole
	Lighter  bool // a bar has a part of the scheduler's time
	Signs    []signPart
	Warnings []model.Warning
	Flames   []flameView
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

func newSymptomsPart(n int, sy model.Symptoms) symptomsPart {
	p := symptomsPart{N: n, Title: together(symptomsHeadline(sy)), Facts: symptomsFacts(sy), Adds: sy.Kind != "heap", Warnings: sy.Warnings}
	for i, x := range sy.Signs {
		s := newSignPart(n, i+1, x)
		p.Signs = append(p.Signs, s)
		p.Bars = append(p.Bars, signBar{Name: x.Name, Share: share(x.Gain()), Ref: s.ID, Out: true, Bar: s.Bar})
		p.Lighter = p.Lighter || x.Scheduler > 0.0005
	}
	for _, x := range sy.Below {
		p.Bars = append(p.Bars, signBar{Name: x.Name, Share: share(x.Gain()), Why: belowWhy(x), Bar: newShareBar(x.Share, x.Scheduler, x.Lo, x.Hi)})
	}
	if sy.Kind == "cpu" && len(p.Bars) > 0 {
		p.Bars = append(p.Bars, signBar{Name: "the program itself", Share: share(sy.Rest), Bar: newShareBar(sy.Rest, 0, 0, 0)})
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
	Facts           []fact
	Rules           []model.SignRule
}

// A signCaller is a line behind a signature.
type signCaller struct {
	Share       string
	Place, Full string
	Func        string
}

func newSignPart(profile, n int, x model.Sign) signPart {
	p := signPart{
		ID: fmt.Sprintf("sign-%d-%d", profile, n), Name: x.Name, Title: x.Title, Share: share(x.Gain()), Figures: together(signShare(x)),
		Bar: newShareBar(x.Share, x.Scheduler, x.Lo, x.Hi), Rules: x.Rules,
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
	for _, f := range []fact{{"seen", signSymbols(x)}, {"what", x.Meaning}, {"lever", x.Lever}, {"first", x.Before}, {"beware", x.Gap}} {
		if f.Text != "" {
			p.Facts = append(p.Facts, fact{f.Label, together(f.Text)})
		}
	}
	return p
}

func newSignCaller(c model.SignCaller) signCaller {
	full := c.File
	if c.Line > 0 {
		full += ":" + strconv.Itoa(c.Line)
	}
	what := short(c.Func)
	if c.Via != "" {
		what += " → " + strings.TrimPrefix(short(c.Via), "runtime.")
	}
	return signCaller{
		Share: share(c.Share),
		Place: path.Base(strings.ReplaceAll(full, `\`, "/")), Full: full, Func: what,
	}
}
