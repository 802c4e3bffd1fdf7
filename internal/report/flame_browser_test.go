package report_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pawl-dev/pawl/internal/lab/browser"
	"github.com/pawl-dev/pawl/internal/lab/specimen"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/report/diagnosis"
)

// graph is what a flame graph shows.
type graph struct {
	Frames  []string // names of what is drawn, a frame after those above it
	Widths  []int    // theirs, in per cent of the chart
	Hits    []string // names of those that a search marks
	Misses  int
	Found   string // what the search says
	Line    string // all about the current frame
	Focus   string // the name of the frame that has the focus
	Tabs    int    // frames that Tab comes by
	View    string
	AllOff  bool // there is no more to show
	Overlap int  // frames that lie on another
}

const graphJS = `(id => {
	const f = document.getElementById(id), chart = f.querySelector('.flame-chart')
	const frames = [...chart.children], title = e => e.title.split('\n')[0]
	const boxes = frames.map(e => e.getBoundingClientRect())
	let overlap = 0
	boxes.forEach((a, i) => boxes.slice(i + 1).forEach(b => {
		if (Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1.5 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1) overlap++
	}))
	return {
		Frames: frames.map(title), Widths: boxes.map(b => Math.round(100 * b.width / chart.getBoundingClientRect().width)),
		Hits: frames.filter(e => e.classList.contains('hit')).map(title), Misses: frames.filter(e => e.classList.contains('miss')).length,
		Found: f.querySelector('output').textContent, Line: f.querySelector('.flame-line').innerText,
		Focus: chart.contains(document.activeElement) ? title(document.activeElement) : '',
		Tabs: frames.filter(e => e.tabIndex === 0).length, View: f.querySelector('[aria-pressed=true]')?.textContent || '',
		AllOff: f.querySelector('.flame-all').disabled, Overlap: overlap,
	}
})`

func graphOf(ctx context.Context, t *testing.T, p *browser.Page, id string) graph {
	t.Helper()
	var g graph
	must(t, p.Eval(ctx, graphJS+`("`+id+`")`, &g))
	if g.Overlap > 0 {
		t.Errorf("%d frames lie on others", g.Overlap)
	}
	return g
}

// same compares what a graph shows.
func same[T any](t *testing.T, what string, want, got T) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

const (
	benchName, encodeName = "example.com/m/wire.BenchmarkWrite", "example.com/m/wire.(*Enc[go.shape.int]).encode"
	growName, mallocName  = "bytes.growSlice", "runtime.mallocgc"
	putName               = "golang.org/x/fast.Put"
)

// visitFlames opens a page with a graph of two profiles, and one of one.
func visitFlames(t *testing.T) (context.Context, *browser.Page) {
	t.Helper()
	one := specimen.Flame()
	one.Two, one.PerOp = false, false
	ctx, p := visit(t, flamePage(t, specimen.Flame(), one))
	must(t, p.Show(ctx, browser.Look{Width: 1280, Height: 900}))
	return ctx, p
}

const (
	two     = "#flame-1-1 "
	encodes = `.flame-chart [title^="example.com/m/wire.(*Enc"]`
)

func TestFlameViews(t *testing.T) {
	t.Parallel()
	ctx, p := visitFlames(t)
	candidate := []string{"all", benchName, encodeName, putName, mallocName}
	g := graphOf(ctx, t, p, "flame-1-1")
	same(t, "the difference", candidate, g.Frames)
	same(t, "its widths", []int{100, 100, 50, 19, 20}, g.Widths)
	same(t, "the view", "difference", g.View)

	must(t, p.Click(ctx, two+`[data-view="0"]`))
	g = graphOf(ctx, t, p, "flame-1-1")
	same(t, "the base", []string{"all", benchName, encodeName, growName, mallocName, mallocName}, g.Frames)
	same(t, "its widths", []int{100, 100, 60, 50, 50, 30}, g.Widths)
	same(t, "the view", "base", g.View)

	// A frame that the candidate does not have cannot stay zoomed to.
	must(t, p.Click(ctx, two+`[title="bytes.growSlice"]`))
	same(t, "zoomed to what is gone", []string{"all", benchName, encodeName, growName, mallocName}, graphOf(ctx, t, p, "flame-1-1").Frames)
	must(t, p.Click(ctx, two+`[data-view="1"]`))
	g = graphOf(ctx, t, p, "flame-1-1")
	same(t, "the candidate", candidate, g.Frames)
	same(t, "the view", "candidate", g.View)
	if !g.AllOff {
		t.Error("the candidate is zoomed to nothing")
	}
	same(t, "the other graph", []int{100, 100, 60, 50, 50, 30}, graphOf(ctx, t, p, "flame-1-2").Widths)
}

func TestFlameSearch(t *testing.T) {
	t.Parallel()
	ctx, p := visitFlames(t)
	find := func(text string) graph {
		must(t, p.Click(ctx, two+"input"))
		must(t, p.Key(ctx, "Control+a"))
		must(t, p.Key(ctx, "Delete"))
		must(t, p.Type(ctx, text))
		return graphOf(ctx, t, p, "flame-1-1")
	}
	must(t, p.Eval(ctx, `document.addEventListener('keydown', e => { if (e.ctrlKey && e.key === 'a') e.target.select?.() })`, nil))

	g := find("MALLOCgc")
	same(t, "found", "80 % → 20 % of all, in 2 frames", g.Found)
	same(t, "marked", []string{mallocName}, g.Hits)
	same(t, "not marked", 4, g.Misses)

	// What is below a match counts once, and a pattern is one.
	g = find(`wire\.|^golang`)
	same(t, "found", "100 % → 100 % of all, in 3 frames", g.Found)
	same(t, "marked", []string{benchName, encodeName, putName}, g.Hits)

	// What is no pattern is text.
	g = find("(*Enc[")
	same(t, "found", "60 % → 50 % of all, in 1 frame", g.Found)
	same(t, "marked", []string{encodeName}, g.Hits)

	same(t, "found", "no match", find("nowhere").Found)
	same(t, "the other graph's search", "", graphOf(ctx, t, p, "flame-1-2").Found)

	must(t, p.Key(ctx, "Escape"))
	g = graphOf(ctx, t, p, "flame-1-1")
	if g.Found != "" || len(g.Hits)+g.Misses > 0 {
		t.Errorf("after Escape: %+v", g)
	}
}

func TestFlameZoom(t *testing.T) {
	t.Parallel()
	ctx, p := visitFlames(t)
	must(t, p.Click(ctx, two+encodes))
	g := graphOf(ctx, t, p, "flame-1-1")
	same(t, "zoomed to encode", []string{"all", benchName, encodeName}, g.Frames)
	same(t, "its widths", []int{100, 100, 100}, g.Widths)
	for _, want := range []string{encodeName, "60 % → 50 % of all", "600 ns → 400 ns per op", "−33 %", "/src/m/wire/enc.go:42"} {
		if !strings.Contains(g.Line, want) {
			t.Errorf("no %q in %q", want, g.Line)
		}
	}
	// What is searched for is found outside of what is shown, too.
	must(t, p.Click(ctx, two+"input"))
	must(t, p.Type(ctx, "Put"))
	same(t, "found", "0 % → 19 % of all, in 1 frame", graphOf(ctx, t, p, "flame-1-1").Found)

	must(t, p.Click(ctx, two+".flame-all"))
	g = graphOf(ctx, t, p, "flame-1-1")
	if !g.AllOff || len(g.Frames) != 5 {
		t.Errorf("all is not shown: %+v", g)
	}
	same(t, "marked", []string{putName}, g.Hits)

	must(t, p.Click(ctx, two+encodes))
	must(t, p.Click(ctx, two+`[title="all"]`))
	if g := graphOf(ctx, t, p, "flame-1-1"); !g.AllOff || len(g.Frames) != 5 {
		t.Errorf("a click on all does not show it: %+v", g)
	}
	must(t, p.Point(ctx, two+`[title="golang.org/x/fast.Put"]`))
	if g := graphOf(ctx, t, p, "flame-1-1"); !strings.Contains(g.Line, putName) {
		t.Errorf("pointing at Put says %q", g.Line)
	}
}

func TestFlameKeys(t *testing.T) {
	t.Parallel()
	ctx, p := visitFlames(t)
	must(t, p.Click(ctx, two+"input")) // from where Tab goes to the chart
	for _, step := range []struct{ key, focus string }{
		{"Tab", "all"}, {"ArrowDown", benchName}, {"ArrowUp", "all"}, {"ArrowUp", "all"}, {"ArrowDown", benchName},
		{"ArrowDown", encodeName}, {"ArrowLeft", encodeName}, {"ArrowRight", putName}, {"ArrowRight", mallocName}, {"ArrowRight", mallocName},
		{"ArrowLeft", putName}, {"ArrowDown", putName}, {"Home", "all"}, {"ArrowDown", benchName}, {"ArrowDown", encodeName},
	} {
		must(t, p.Key(ctx, step.key))
		g := graphOf(ctx, t, p, "flame-1-1")
		if g.Focus != step.focus || !strings.Contains(g.Line, step.focus) {
			t.Fatalf("%s leads to %q, not to %q; the line says %q", step.key, g.Focus, step.focus, g.Line)
		}
		if g.Tabs != 1 {
			t.Errorf("Tab comes by %d frames", g.Tabs)
		}
	}
	for _, enter := range []string{"Enter", " "} {
		must(t, p.Key(ctx, enter))
		g := graphOf(ctx, t, p, "flame-1-1")
		same(t, "zoomed by "+enter, []int{100, 100, 100}, g.Widths)
		same(t, "the focus stays", encodeName, g.Focus)
		must(t, p.Key(ctx, "Escape"))
		g = graphOf(ctx, t, p, "flame-1-1")
		same(t, "after Escape", 5, len(g.Frames))
		same(t, "the focus stays", encodeName, g.Focus)
	}
	at, err := p.Focus(ctx)
	must(t, err)
	if at == nil || !at.Marked || !at.Inside {
		t.Errorf("the focus on a frame cannot be seen: %+v", at)
	}
	must(t, p.Key(ctx, "Tab"))
	same(t, "after Tab", "", graphOf(ctx, t, p, "flame-1-1").Focus)
}

// A graph that is higher than the window follows the focus, which what tells of
// the frame does not cover.
func TestFlameKeysInADeepGraph(t *testing.T) {
	t.Parallel()
	f := model.Flame{Title: "deep", Resource: "cpu", Unit: "ns", Total: [2]float64{1000}, Nodes: []model.FlameNode{{Func: -1, Parent: -1, Value: [2]float64{1000}}}}
	for i := range 60 {
		f.Funcs = append(f.Funcs, model.FlameFunc{Name: fmt.Sprintf("example.com/m.f%d", i)})
		f.Nodes = append(f.Nodes, model.FlameNode{Func: i, Parent: i, Value: [2]float64{1000}, Self: [2]float64{0}})
	}
	ctx, p := visit(t, flamePage(t, f))
	must(t, p.Show(ctx, browser.Look{Width: 400, Height: 500}))
	must(t, p.Click(ctx, two+"input"))
	must(t, p.Key(ctx, "Tab"))
	for i := range 60 {
		must(t, p.Key(ctx, "ArrowDown"))
		at, err := p.Focus(ctx)
		must(t, err)
		if at == nil || !at.Inside {
			t.Fatalf("%d down, the focus cannot be seen: %+v", i+1, at)
		}
	}
}

// Without scripts the largest frames stand there, and nothing that does
// nothing.
func TestFlameWithoutScripts(t *testing.T) {
	t.Parallel()
	ctx, p := chromium.Page(t)
	must(t, p.Scripts(ctx, false))
	must(t, p.Show(ctx, looks()[0]))
	must(t, p.Goto(ctx, save(t, diagnosisShape(t))))
	var f findings
	defer f.tell(t)
	for _, l := range looks() {
		f.look(ctx, t, p, l)
	}
	var got struct{ Boxes, Controls, Shown int }
	must(t, p.Eval(ctx, `({
		Boxes: document.querySelectorAll('#flame-1-1 .flame-chart > div').length,
		Controls: [...document.querySelectorAll('button, input, output')].filter(e => e.checkVisibility()).length,
		Shown: [...document.querySelectorAll('.flame-keys, .flame-line')].filter(e => e.checkVisibility()).length,
	})`, &got))
	if got.Boxes != 5 || got.Controls > 0 || got.Shown > 0 {
		t.Errorf("%d boxes of 5; %d controls and %d hints that lead nowhere", got.Boxes, got.Controls, got.Shown)
	}
}

// Names that would be elements are text, where the script draws them, too.
func TestFlameOfHostileNamesInABrowser(t *testing.T) {
	t.Parallel()
	const evil = `</script><img src=x onerror=alert(1)>`
	f := specimen.Flame()
	f.Title = evil
	for i := range f.Funcs {
		f.Funcs[i].Name, f.Funcs[i].File = evil+f.Funcs[i].Name, evil
	}
	ctx, p := visit(t, flamePage(t, f))
	must(t, p.Click(ctx, two+`[title^="</script>"]`))
	must(t, p.Click(ctx, two+"input"))
	must(t, p.Type(ctx, "<img"))
	g := graphOf(ctx, t, p, "flame-1-1")
	if len(g.Hits) == 0 || !strings.Contains(g.Line, evil) {
		t.Errorf("the name is not text: %+v", g)
	}
	if said, asked := p.Said(), p.Foreign(); len(said)+len(asked) > 0 {
		t.Errorf("it says %v and asks for %v", said, asked)
	}
}

// A graph is drawn anew for another window: more of it is wide enough to see.
func TestFlameInANarrowWindow(t *testing.T) {
	t.Parallel()
	f := model.Flame{Title: "comb", Resource: "cpu", Unit: "ns", Total: [2]float64{1000}, Nodes: []model.FlameNode{{Func: -1, Parent: -1, Value: [2]float64{1000}}}}
	for i := range 600 {
		v := 1.0 // of 1000: less than a pixel of a narrow window
		if i < 100 {
			v = 5
		}
		f.Funcs = append(f.Funcs, model.FlameFunc{Name: fmt.Sprintf("example.com/m.f%d", i)})
		f.Nodes = append(f.Nodes, model.FlameNode{Func: i, Value: [2]float64{v}, Self: [2]float64{v}})
	}
	ctx, p := visit(t, flamePage(t, f))
	for _, c := range []struct{ width, frames int }{{400, 101}, {1280, 601}, {400, 101}} {
		must(t, p.Show(ctx, browser.Look{Width: c.width, Height: 900}))
		must(t, p.Eval(ctx, `new Promise(done => requestAnimationFrame(() => setTimeout(done, 0)))`, nil))
		if got := len(graphOf(ctx, t, p, "flame-1-1").Frames); got != c.frames {
			t.Errorf("%d frames at %d px, not %d", got, c.width, c.frames)
		}
	}
}

// diagnosisShape is a diagnosis with all that its page can show.
func diagnosisShape(t *testing.T) string {
	t.Helper()
	one := specimen.Flame()
	one.Two, one.PerOp = false, false
	return diagnosisHTML(t, specimen.Diagnosis(), diagnosis.Extra{
		Command: []string{"pawl", "diagnose", "-html", "my page.html", "cpu.pprof"},
		Flames:  map[string][]model.Flame{"cpu": {specimen.Flame()}, "mutex": {one, specimen.WideFlame(400)}},
	})
}
