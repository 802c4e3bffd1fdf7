package report_test

import (
	"bytes"
	"cmp"
	"context"
	"flag"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/internal/lab/browser"
	"github.com/pawl-dev/pawl/internal/lab/sample"
	"github.com/pawl-dev/pawl/internal/lab/specimen"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/report/comparison"
	"github.com/pawl-dev/pawl/internal/report/data"
	"github.com/pawl-dev/pawl/internal/report/diagnosis"
	"github.com/pawl-dev/pawl/internal/report/runs"
	"github.com/pawl-dev/pawl/internal/report/trends"
)

var (
	chromium    browser.Shared
	screenshots = flag.String("screenshots", "", "a directory to write pictures of all pages to, for people to look at")
	others      = flag.String("pages", "", "a pattern of files: pages that were made by pawl, to be looked at like those of the tests")
)

func TestMain(m *testing.M) {
	code := m.Run()
	if err := chromium.Close(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

// looks are all that a page is looked at in.
func looks() []browser.Look {
	var out []browser.Look
	for _, width := range []int{400, 800, 1280} {
		out = append(out, browser.Look{Width: width, Height: 900}, browser.Look{Width: width, Height: 900, Dark: true})
	}
	return out
}

// A shape is a page of some kind.
type shape struct {
	text string
	main bool // the one of its kind that has most on it: it is looked at in all looks
}

func (s shape) looks() []browser.Look {
	all := looks()
	if s.main {
		return all
	}
	return []browser.Look{all[0], all[3], all[4]}
}

// shapes are the kinds of pages, and their shapes.
func shapes(t *testing.T) map[string]shape {
	out := map[string]shape{"run-long": {text: html(t, longRun())}, "run-hostile": {text: html(t, hostileRun())}, "run-open": {text: html(t, specimen.OpenRun())}}
	for name, make := range specimen.Runs {
		r := make()
		r.Attempts = r.Attempts[:min(3, len(r.Attempts))] // all of them are on the main page
		out["run-"+name] = shape{text: html(t, r)}
	}
	extra := excerpts
	extra.Raw = []data.Raw{{Name: "run.json", What: "all of it", Type: "application/json", Data: []byte("{}")}}
	extra.Flames = []model.Flame{specimen.Flame(), specimen.Flame()}
	out["run-kept"] = shape{main: true, text: specimen.Written(t, func(b *bytes.Buffer) error { return runs.HTML(b, specimen.Run(), extra) })}
	for name, make := range specimen.Comparisons {
		c := make()
		more := comparison.Extra{Raw: extra.Raw, Flames: graphsOf(c, specimen.Flame())}
		out["compare-"+name] = shape{main: name == "all", text: specimen.Written(t, func(b *bytes.Buffer) error { return comparison.HTML(b, c, more) })}
	}
	out["compare-odd"] = shape{text: specimen.Written(t, func(b *bytes.Buffer) error { return comparison.HTML(b, specimen.OddFigures(), comparison.Extra{}) })}
	out["diagnosis"] = shape{main: true, text: diagnosisShape(t)}
	out["diagnosis-all"] = shape{main: true, text: diagnosisHTML(t, specimen.AllParts(), diagnosis.Extra{Flames: map[string][]model.Flame{"cpu": {specimen.Flame()}}})}
	out["diagnosis-evil"] = shape{text: diagnosisHTML(t, hostileParts(), diagnosis.Extra{})}
	out["trends"] = shape{main: true, text: trendsHTML(t, specimen.Trend())}
	files, err := filepath.Glob(*others)
	must(t, err)
	for _, file := range files {
		data, err := os.ReadFile(file)
		must(t, err)
		out["file-"+strings.TrimSuffix(filepath.Base(file), ".html")] = shape{text: string(data)}
	}
	out["diagnosis-none"] = shape{text: diagnosisHTML(t, &model.Diagnosis{}, diagnosis.Extra{})}
	return out
}

// trendsHTML is the page of a trend, beside what all comparisons found.
func trendsHTML(t *testing.T, trend *model.Trend) string {
	t.Helper()
	var found []model.Comparison
	for _, name := range slices.Sorted(maps.Keys(specimen.Comparisons)) {
		found = append(found, *specimen.Comparisons[name]())
	}
	return specimen.Written(t, func(b *bytes.Buffer) error { return trends.HTML(b, trend, found, nil) })
}

// longRun has names and lines that are longer than any page is wide.
func longRun() *model.Run {
	r := specimen.Run()
	r.Attempts, r.Prospects = r.Attempts[:2], r.Prospects[:3] // the others add time, and no other shapes
	long := strings.Repeat("averylongnamewithoutaplacetobreak", 6)
	r.Module = "example.com/" + long
	r.Replay = "sh /home/ada/" + long + "/replay.sh"
	r.Results[0].Benchmark.Name = "Benchmark" + long + "/size=1024/with=everything"
	a := &r.Attempts[0]
	a.Change.Title, a.Reason = "Seal "+long+" into a buffer", long
	a.Diff = strings.ReplaceAll(specimen.Diff, "nonceBuffer", long)
	a.Checks[0] = model.Check{Name: "tests", Detail: long}
	r.Prospects[0].Target.At.File, r.Prospects[0].Target.Func = long+"/noise.go", long
	r.Prospects[0].Target.Reason.Text = long + " escapes to heap"
	r.Warnings = append(r.Warnings, model.Warning{Seen: long, Cause: long, Try: long})
	r.Env.CPU = long
	return r
}

// hostileRun has names that would be elements and scripts.
func hostileRun() *model.Run {
	const evil = `</style></script><script>alert(1)</script><img src=x onerror=alert(2)>" onload="alert(3)`
	r := specimen.Run()
	r.Attempts, r.Prospects = r.Attempts[:1], r.Prospects[:1]
	r.Module, r.Replay, r.Env.CPU, r.Results[0].Benchmark.Name = evil, evil, evil, "Benchmark"+evil
	a := &r.Attempts[0]
	a.Change.Title, a.Reason, a.Diff = evil, evil, "@@ -1 +1 @@\n-"+evil+"\n+"+evil+"\n"
	r.Prospects[0].Target.Reason.Text, r.Prospects[0].Target.Func = evil, evil
	return r
}

// draw skips a page unless the commit draws it, or somebody wants to see the pages.
func draw(t *testing.T) {
	t.Helper()
	if *screenshots == "" && *others == "" {
		sample.One(t, 3)
	}
}

// visit opens a page in the browser.
func visit(t *testing.T, text string) (context.Context, *browser.Page) {
	t.Helper()
	if testing.Short() {
		t.Skip("a browser takes its time")
	}
	ctx, p := chromium.Page(t)
	must(t, p.Show(ctx, looks()[0]))
	must(t, p.Goto(ctx, save(t, text)))
	return ctx, p
}

// save makes a file of a page and returns its URL.
func save(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "page.html")
	must(t, os.WriteFile(path, []byte(text), 0o644))
	return "file://" + path
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// A finding is a fault, and in which looks a page has it.
type finding struct {
	fault string
	looks []string
}

// findings look at a page in several looks. A fault is told once.
type findings struct {
	list []finding
}

func (f *findings) look(ctx context.Context, t *testing.T, p *browser.Page, l browser.Look) {
	t.Helper()
	must(t, p.Show(ctx, l))
	faults, err := p.Faults(ctx)
	must(t, err)
	for _, fault := range faults {
		i := slices.IndexFunc(f.list, func(x finding) bool { return x.fault == fault })
		if i < 0 {
			i, f.list = len(f.list), append(f.list, finding{fault: fault})
		}
		if !slices.Contains(f.list[i].looks, l.String()) {
			f.list[i].looks = append(f.list[i].looks, l.String())
		}
	}
}

func (f *findings) tell(t *testing.T) {
	t.Helper()
	for _, x := range f.list {
		t.Errorf("%s (%s)", x.fault, strings.Join(x.looks, ", "))
	}
}

// Each page can be read in each width and theme, and on paper, folded and
// unfolded, and needs nothing but itself.
func TestPagesInABrowser(t *testing.T) {
	t.Parallel()
	for name, s := range shapes(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			draw(t)
			ctx, p := visit(t, s.text)
			var f findings
			defer f.tell(t)
			for _, l := range s.looks() {
				f.look(ctx, t, p, l)
				photograph(ctx, t, p, name, l)
			}
			opened, err := p.OpenAll(ctx)
			must(t, err)
			unfolded := []browser.Look{{Width: 720, Height: 1000, Print: true}}
			if opened > 0 {
				unfolded = append(unfolded, looks()[0], looks()[5])
			}
			for _, l := range unfolded {
				f.look(ctx, t, p, l)
			}
			pdf, err := p.PDF(ctx)
			must(t, err)
			if !bytes.HasPrefix(pdf, []byte("%PDF-")) || len(pdf) < 5000 {
				t.Errorf("it prints as %d bytes", len(pdf))
			}
		})
	}
}

// tallest is how much of a page one picture shows: more would have to be made
// smaller to be looked at.
const tallest = 1500

// photograph writes what a page looks like, where that was asked for.
func photograph(ctx context.Context, t *testing.T, p *browser.Page, name string, l browser.Look) {
	t.Helper()
	if *screenshots == "" {
		return
	}
	// In a window as high as the page nothing sticks where it does not belong.
	whole := l
	must(t, p.Eval(ctx, `document.scrollingElement.scrollHeight`, &whole.Height))
	must(t, p.Show(ctx, whole))
	data, err := p.Screenshot(ctx, false)
	must(t, err)
	img, err := png.Decode(bytes.NewReader(data))
	must(t, err)
	cut, ok := img.(interface {
		SubImage(image.Rectangle) image.Image
	})
	if !ok {
		t.Fatalf("a picture of the kind %T", img)
	}
	must(t, os.MkdirAll(*screenshots, 0o755))
	for i, y := 1, 0; y < img.Bounds().Dy(); i, y = i+1, y+tallest {
		var buf bytes.Buffer
		must(t, png.Encode(&buf, fewColors(cut.SubImage(image.Rect(0, y, img.Bounds().Dx(), y+tallest)))))
		file := fmt.Sprintf("%s-%s-%d.png", name, strings.ReplaceAll(l.String(), " ", "-"), i)
		must(t, os.WriteFile(filepath.Join(*screenshots, file), buf.Bytes(), 0o644))
	}
}

// fewColors is a picture in its 256 commonest colours, for a file of a third the size.
func fewColors(img image.Image) image.Image {
	count := make(map[color.RGBA]int)
	b := img.Bounds()
	at := func(x, y int) color.RGBA { return color.RGBAModel.Convert(img.At(x, y)).(color.RGBA) }
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			count[at(x, y)]++
		}
	}
	common := slices.SortedFunc(maps.Keys(count), func(a, b color.RGBA) int {
		return cmp.Or(cmp.Compare(count[b], count[a]), bytes.Compare([]byte{a.R, a.G, a.B}, []byte{b.R, b.G, b.B}))
	})
	var of color.Palette
	for _, c := range common[:min(len(common), 256)] {
		of = append(of, c)
	}
	out, index := image.NewPaletted(b, of), make(map[color.RGBA]uint8)
	for c := range count {
		index[c] = uint8(of.Index(c))
	}
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			out.SetColorIndex(x, y, index[at(x, y)])
		}
	}
	return out
}

// Tab comes by everything that can be used, in the order of the page, and shows
// where it is.
func TestPagesByKeyboard(t *testing.T) {
	t.Parallel()
	for name, s := range shapes(t) {
		if !s.main {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			draw(t)
			ctx, p := visit(t, s.text)
			for _, dark := range []bool{false, true} {
				must(t, p.Show(ctx, browser.Look{Width: 800, Height: 900, Dark: dark}))
				byTab(ctx, t, p)
			}
		})
	}
}

// byTab goes through the page with Tab until the focus leaves it.
func byTab(ctx context.Context, t *testing.T, p *browser.Page) {
	t.Helper()
	want, err := p.Stops(ctx)
	must(t, err)
	reached := make(map[int]bool)
	for range len(want) + 3 {
		must(t, p.Key(ctx, "Tab"))
		at, err := p.Focus(ctx)
		must(t, err)
		if at == nil || reached[at.N] {
			break
		}
		reached[at.N] = true
		if !at.Marked {
			t.Errorf("the focus on %s cannot be seen", at.Name)
		}
		if !at.Inside {
			t.Errorf("the focus on %s is out of view", at.Name)
		}
	}
	for i, name := range want {
		if !reached[i] {
			t.Errorf("Tab does not reach %s", name)
		}
	}
}

// A link to a change leads to it, by mouse and by key.
func TestLinksToChanges(t *testing.T) {
	t.Parallel()
	ctx, p := visit(t, html(t, specimen.Run()))
	must(t, p.Show(ctx, browser.Look{Width: 800, Height: 900}))
	at := func() (top float64) {
		must(t, p.Eval(ctx, `new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(document.querySelector(location.hash || 'body').getBoundingClientRect().top))))`, &top))
		return top
	}
	must(t, p.Click(ctx, `a[href="#try-3"]`))
	if top := at(); top < -2 || top > 100 {
		t.Errorf("a click on its link leaves change 3 at %.0f", top)
	}
	must(t, p.Eval(ctx, `document.querySelector('a[href="#try-5"]').focus()`, nil))
	must(t, p.Key(ctx, "Enter"))
	if top := at(); top < -2 || top > 100 {
		t.Errorf("Enter on its link leaves change 5 at %.0f", top)
	}
}
