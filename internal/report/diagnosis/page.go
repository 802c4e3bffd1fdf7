package diagnosis

import (
	"bytes"
	"cmp"
	"embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/report/data"
	"github.com/pawl-dev/pawl/internal/report/diagnosis/changes"
	"github.com/pawl-dev/pawl/internal/report/diagnosis/growth"
	"github.com/pawl-dev/pawl/internal/report/diagnosis/memory"
	"github.com/pawl-dev/pawl/internal/report/diagnosis/metrics"
	"github.com/pawl-dev/pawl/internal/report/diagnosis/observed"
	"github.com/pawl-dev/pawl/internal/report/diagnosis/section"
	"github.com/pawl-dev/pawl/internal/report/diagnosis/symptoms"
	"github.com/pawl-dev/pawl/internal/report/diagnosis/traces"
	"github.com/pawl-dev/pawl/internal/report/figure"
	"github.com/pawl-dev/pawl/internal/report/page"
	"github.com/pawl-dev/pawl/internal/report/page/flame"
	"github.com/pawl-dev/pawl/internal/sorted"
	"github.com/pawl-dev/pawl/internal/words"
)

//go:embed diagnosis.html
var diagnosisFiles embed.FS

//go:embed diagnosis.css
var diagnosisStyle template.CSS

//go:embed sections.css
var sectionsStyle template.CSS

var diagnosisKind = page.Kind{Name: "diagnosis", Files: []embed.FS{
	diagnosisFiles, section.Files, symptoms.Files, observed.Files, changes.Files, growth.Files, memory.Files, metrics.Files, traces.Files, flame.Files,
}}

// Extra is what the page of a diagnosis shows beyond the diagnosis.
type Extra struct {
	Command []string                 // how it was asked for, without secrets
	Flames  map[string][]model.Flame // by the kind of profile that they are of
}

// HTML writes a diagnosis as one page that holds all it needs: what
// stands out and why, in the order of the text, and the flame graph of each
// profile below what is said of it.
func HTML(w io.Writer, d *model.Diagnosis, extra Extra) error {
	p, err := newDiagnosisPage(d, extra)
	if err != nil {
		return err
	}
	return page.Write(w, diagnosisKind, p)
}

type diagnosisPage struct {
	page.Frame
	Over     string
	Lead     string
	Nav      []page.Anchor
	Observed []observed.Part
	Parts    []symptoms.Part
	Compared []changes.Part
	Growth   []growth.Part
	Memory   []memory.Part
	Metrics  *metrics.Part
	Traces   []traces.Part
	Flames   []flame.View // of profiles that no part is about
	Warnings []model.Warning
	Command  string
	Tool     string
	Data     template.URL // the diagnosis as JSON; empty where it is too large
}

// MostData is how many bytes of JSON a page carries for who wants to read on
// with a program.
const MostData = 512 << 10

func newDiagnosisPage(d *model.Diagnosis, extra Extra) (diagnosisPage, error) {
	p := diagnosisPage{
		Frame: page.New(page.Together(diagnosisTitle(d))), Over: "pawl diagnose", Lead: diagnosisLead(d),
		Warnings: d.Warnings, Command: figure.Shell(extra.Command...), Tool: d.Tool,
	}
	p.Style += diagnosisStyle + sectionsStyle
	p.fill(d)
	p.drawFlames(d, extra.Flames)
	p.Nav = p.anchors()
	var buf bytes.Buffer
	if err := data.JSON(&buf, d); err != nil {
		return p, err
	}
	if buf.Len() <= MostData {
		p.Data = template.URL("data:application/json;base64," + base64.StdEncoding.EncodeToString(buf.Bytes()))
	}
	return p, nil
}

// fill makes the parts, without their flame graphs.
func (p *diagnosisPage) fill(d *model.Diagnosis) {
	for i, o := range d.Observed {
		p.Observed = append(p.Observed, observed.NewPart(p.head("observed", i, len(d.Observed), "Run", observed.Headline(o)), o))
	}
	for i, sy := range d.Profiles {
		p.Parts = append(p.Parts, symptoms.NewPart(p.head("profile", i, 1, section.ProfileWord(sy.Kind), symptoms.Headline(sy)), fmt.Sprintf("sign-%d", i+1), sy))
	}
	for i, c := range d.Compared {
		p.Compared = append(p.Compared, changes.NewPart(p.head("compared", i, 1, section.ProfileWord(c.Kind), changes.Headline(c)), c))
	}
	for i, g := range d.Growth {
		p.Growth = append(p.Growth, growth.NewPart(p.head("growth", i, 1, growth.Word(g.Kind), growth.Headline(g)), g))
	}
	for i, m := range d.Memory {
		p.Memory = append(p.Memory, memory.NewPart(p.head("memory", i, len(d.Memory), "Memory", memory.Headline(m)), m))
	}
	if m := d.Metrics; m != nil {
		p.Metrics = metrics.NewPart(p.head("metrics", 0, 1, "Runtime metrics", metrics.Headline(m)), m)
	}
	for i, t := range d.Traces {
		p.Traces = append(p.Traces, traces.NewPart(p.head("trace", i, len(d.Traces), "Trace", traces.Headline(t)), t))
	}
}

// head makes the head of part i of a form. Parts have a number where there are
// several of one name.
func (p *diagnosisPage) head(form string, i, of int, name, title string) section.Head {
	if of > 1 {
		name = fmt.Sprintf("%s %d", name, i+1)
	}
	h := section.Head{ID: fmt.Sprintf("%s-%d", form, i+1), Name: name, Title: page.Together(title)}
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
	var all []flame.View
	shown := map[string]bool{}
	draw := func(to *[]flame.View, kind, id string, order func(a, b model.Flame) int) {
		if shown[kind] || len(of[kind]) == 0 {
			return
		}
		list := sorted.Of(slices.Values(of[kind]), order)
		shown[kind] = true
		*to = flame.New(list, id, len(all), graphs)
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
		var rest []flame.View
		draw(&rest, kind, "flame-of-"+kind, asTheyAre)
		p.Flames = append(p.Flames, rest...)
	}
	flame.Add(&p.Frame, all)
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

// anchors are the links to the parts, where there are several.
func (p *diagnosisPage) anchors() []page.Anchor {
	var out []page.Anchor
	add := func(h section.Head) { out = append(out, page.Anchor{To: h.ID, Text: h.Name}) }
	for _, x := range p.Observed {
		add(x.Head)
	}
	for _, x := range p.Parts {
		add(x.Head)
	}
	for _, x := range p.Compared {
		add(x.Head)
	}
	for _, x := range p.Growth {
		add(x.Head)
	}
	for _, x := range p.Memory {
		add(x.Head)
	}
	if p.Metrics != nil {
		add(p.Metrics.Head)
	}
	for _, x := range p.Traces {
		add(x.Head)
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
		answer(len(o.Signs) > 0, observed.Headline(o))
	}
	for _, sy := range d.Profiles {
		answer(len(sy.Signs) > 0, symptoms.Headline(sy))
	}
	for _, c := range d.Compared {
		answer(len(c.Functions)+len(c.Lines)+len(c.Signs) > 0, changes.Headline(c))
	}
	for _, g := range d.Growth {
		answer(len(g.Suspects) > 0, growth.Headline(g))
	}
	for _, m := range d.Memory {
		answer(m.StandsOut > 0, memory.Headline(m))
	}
	if m := d.Metrics; m != nil {
		answer(len(m.Signs) > 0, metrics.Headline(m))
	}
	for _, t := range d.Traces {
		answer(len(t.Causes) > 0, traces.Headline(t))
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
	return fmt.Sprintf("%s in %s.", words.Plural(signs, "signature"), words.Plural(len(d.Profiles), "profile"))
}
