package report

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
)

// DiagnosisExtra is what the page of a diagnosis shows beyond the diagnosis.
type DiagnosisExtra struct {
	Command []string                 // how it was asked for, without secrets
	Flames  map[string][]model.Flame // by the kind of profile that they are of
}

// DiagnosisHTML writes a diagnosis as one page that holds all it needs: what
// stands out and why, in the order of the text, and the flame graph of each
// profile below what is said of it.
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
	Nav      []anchor
	Observed []observedPart
	Parts    []symptomsPart
	Compared []comparedPart
	Growth   []growthPart
	Memory   []memoryPart
	Metrics  *metricsPart
	Traces   []tracePart
	Flames   []flameView // of profiles that no part is about
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
	p.Style += template.CSS(asset("diagnosis.css") + asset("sections.css"))
	p.fill(d)
	p.drawFlames(d, extra.Flames)
	p.Nav = p.anchors()
	var buf bytes.Buffer
	if err := JSON(&buf, d); err != nil {
		return p, err
	}
	if buf.Len() <= mostData {
		p.Data = template.URL("data:application/json;base64," + base64.StdEncoding.EncodeToString(buf.Bytes()))
	}
	return p, nil
}

// fill makes the parts, without their flame graphs.
func (p *diagnosisPage) fill(d *model.Diagnosis) {
	for i, o := range d.Observed {
		p.Observed = append(p.Observed, newObservedPart(p.head("observed", i, len(d.Observed), "Run", observedHeadline(o)), o))
	}
	for i, sy := range d.Profiles {
		p.Parts = append(p.Parts, newSymptomsPart(p.head("profile", i, 1, profileWord(sy.Kind), symptomsHeadline(sy)), fmt.Sprintf("sign-%d", i+1), sy))
	}
	for i, c := range d.Compared {
		p.Compared = append(p.Compared, newComparedPart(p.head("compared", i, 1, profileWord(c.Kind), changeHeadline(c)), c))
	}
	for i, g := range d.Growth {
		p.Growth = append(p.Growth, newGrowthPart(p.head("growth", i, 1, growthWord(g.Kind), growthHeadline(g)), g))
	}
	for i, m := range d.Memory {
		p.Memory = append(p.Memory, newMemoryPart(p.head("memory", i, len(d.Memory), "Memory", memoryHeadline(m)), m))
	}
	if m := d.Metrics; m != nil {
		p.Metrics = newMetricsPart(p.head("metrics", 0, 1, "Runtime metrics", metricsHeadline(m)), m)
	}
	for i, t := range d.Traces {
		p.Traces = append(p.Traces, newTracePart(p.head("trace", i, len(d.Traces), "Trace", traceHeadline(t)), t))
	}
}

// A partHead is what each part of the page begins with.
type partHead struct {
	ID    string
	Name  string // what it is, in a word or two
	Title string // the answer; the name where the page begins with that answer
}

// head makes the head of part i of a form. Parts have a number where there are
// several of one name.
func (p *diagnosisPage) head(form string, i, of int, name, title string) partHead {
	if of > 1 {
		name = fmt.Sprintf("%s %d", name, i+1)
	}
	h := partHead{ID: fmt.Sprintf("%s-%d", form, i+1), Name: name, Title: together(title)}
	if h.Title == p.Title { // said above
		h.Title = name
	}
	return h
}

// drawFlames puts the flame graphs below what is said of their profile.
func (p *diagnosisPage) drawFlames(d *model.Diagnosis, of map[string][]model.Flame) {
	graphs := 0
	for _, list := range of {
		graphs += len(list)
	}
	var all []flameView
	shown := map[string]bool{}
	draw := func(to *[]flameView, kind, id string, order func(a, b model.Flame) int) {
		if shown[kind] || len(of[kind]) == 0 {
			return
		}
		list := slices.SortedStableFunc(slices.Values(of[kind]), order)
		shown[kind] = true
		*to = newFlames(list, id, len(all), graphs)
		all = append(all, *to...)
	}
	for i, sy := range d.Profiles {
		draw(&p.Parts[i].Flames, sy.Kind, fmt.Sprintf("flame-%d", i+1), asTheyAre)
	}
	for i, c := range d.Compared {
		draw(&p.Compared[i].Flames, c.Kind, fmt.Sprintf("flame-compared-%d", i+1), asTheyAre)
	}
	for i, g := range d.Growth {
		draw(&p.Growth[i].Flames, g.Kind, fmt.Sprintf("flame-growth-%d", i+1), liveFirst)
	}
	for _, kind := range slices.Sorted(maps.Keys(of)) {
		var rest []flameView
		draw(&rest, kind, "flame-of-"+kind, asTheyAre)
		p.Flames = append(p.Flames, rest...)
	}
	p.withFlames(all)
}

func asTheyAre(model.Flame, model.Flame) int { return 0 }

// liveFirst puts what is alive before what was allocated: that is what grows.
func liveFirst(a, b model.Flame) int {
	rank := func(f model.Flame) int {
		if strings.HasPrefix(f.Resource, "live") {
			return 0
		}
		return 1
	}
	return rank(a) - rank(b)
}

// leftOut says how many more there are than the page shows; nothing for none.
func leftOut(n int) string {
	if n <= 0 {
		return ""
	}
	return fmt.Sprintf("%d more; -json has all", n)
}

// anchors are the links to the parts, where there are several.
func (p *diagnosisPage) anchors() []anchor {
	var out []anchor
	add := func(h partHead) { out = append(out, anchor{h.ID, h.Name}) }
	for _, x := range p.Observed {
		add(x.partHead)
	}
	for _, x := range p.Parts {
		add(x.partHead)
	}
	for _, x := range p.Compared {
		add(x.partHead)
	}
	for _, x := range p.Growth {
		add(x.partHead)
	}
	for _, x := range p.Memory {
		add(x.partHead)
	}
	if p.Metrics != nil {
		add(p.Metrics.partHead)
	}
	for _, x := range p.Traces {
		add(x.partHead)
	}
	if len(out) < 2 {
		return nil
	}
	return out
}

// diagnosisTitle is the first answer that says something stands out; without
// one, the only answer that there is.
func diagnosisTitle(d *model.Diagnosis) string {
	first, only, n := "", "", 0
	answer := func(says bool, text string) {
		only, n = text, n+1
		if says {
			first = cmp.Or(first, text)
		}
	}
	for _, o := range d.Observed {
		answer(len(o.Signs) > 0, observedHeadline(o))
	}
	for _, sy := range d.Profiles {
		answer(len(sy.Signs) > 0, symptomsHeadline(sy))
	}
	for _, c := range d.Compared {
		answer(len(c.Functions)+len(c.Lines)+len(c.Signs) > 0, changeHeadline(c))
	}
	for _, g := range d.Growth {
		answer(len(g.Suspects) > 0, growthHeadline(g))
	}
	for _, m := range d.Memory {
		answer(m.StandsOut > 0, memoryHeadline(m))
	}
	if m := d.Metrics; m != nil {
		answer(len(m.Signs) > 0, metricsHeadline(m))
	}
	for _, t := range d.Traces {
		answer(len(t.Causes) > 0, traceHeadline(t))
	}
	if n == 1 {
		return only
	}
	return cmp.Or(first, "Nothing stands out.")
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
