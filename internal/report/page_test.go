package report_test

import (
	"bytes"
	"encoding/base64"
	"math"
	"regexp"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/internal/lab/specimen"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/report/comparison"
	"github.com/pawl-dev/pawl/internal/report/data"
	"github.com/pawl-dev/pawl/internal/report/page"
	"github.com/pawl-dev/pawl/internal/report/page/code"
	"github.com/pawl-dev/pawl/internal/report/page/flame"
	"github.com/pawl-dev/pawl/internal/report/runs"
)

var nonceExcerpt = code.Excerpt{
	File: "brontide/noise.go", First: 115, Marks: []int{116}, Of: "allocs in WriteMessage",
	Lines: []string{"", "\tvar nonce [12]byte", "\tbinary.LittleEndian.PutUint64(nonce[4:], c.nonce)"},
	Costs: map[int]code.LineShare{116: code.NewLineShare(model.Allocs, 0.4, 2)},
	Notes: map[int][]string{116: {"moved to heap: nonce"}},
}

var excerpts = runs.Extra{
	Excerpts:  map[string]code.Excerpt{"T3": nonceExcerpt},
	Tried:     map[string][]code.Excerpt{"e5f6": {nonceExcerpt}},
	MinEffect: 0.01,
	Raw:       []data.Raw{{Name: "run.json", What: "All of it.", Type: "application/json", Where: "/runs/1/run.json", Data: []byte(`{"a": "<b>"}`)}},
}

func html(t *testing.T, r *model.Run) string {
	t.Helper()
	return specimen.Written(t, func(b *bytes.Buffer) error { return runs.HTML(b, r, excerpts) })
}

func TestHTMLIsWellFormedAndAlone(t *testing.T) {
	t.Parallel()
	for name, make := range specimen.Runs {
		page := html(t, make())
		specimen.WellFormed(t, page)
		if m := regexp.MustCompile(`https?://|url\(|@import`).FindString(page); m != "" {
			t.Errorf("%s: the page refers to something outside: %s", name, m)
		}
		if strings.Contains(page, "ZgotmplZ") {
			t.Errorf("%s: the template refused a value", name)
		}
	}
}

func TestHTMLSaysIt(t *testing.T) {
	t.Parallel()
	page := html(t, specimen.Run())
	for _, want := range []string{
		"46.5 % less CPU time", "[−48.1, −44.7] %", "5 of 7 changes kept", "72.1 KiB <i>→</i> 2 B",
		"slower by 2.1 %", "not timed", "moved to heap: header", "nonce[:] (slice)", "Seal does not keep dst",
		`<span class="no">116</span><code>`, "share of allocs in WriteMessage", "moved to heap: nonce", `title="2 allocs per op"`,
		`<b class="kw">var</b>`, `<i>116</i><i></i><em>−</em>`, "−1 % counts", "21 duets, a dot each", "runs once in 1000 messages", "GOMAXPROCS 2", "AMD EPYC 9B14",
		"git merge --ff-only", "24 % of a process is set-up",
	} {
		// html/template writes a plus as an entity.
		if !strings.Contains(strings.ReplaceAll(page, "&#43;", "+"), want) {
			t.Errorf("no %q in the page", want)
		}
	}
	// Kept and refuted alike are shown with their diff, folded: a link to what is
	// within opens it.
	if got := len(regexp.MustCompile(`<details>\s*<summary><h3>[^\n]*</h3></summary>\s*<div id="try-\d">`).FindAllString(page, -1)); got != 7 {
		t.Errorf("%d folded of 7", got)
	}
	if got := strings.Count(page, `aria-label="diff of change`); got != 7 {
		t.Errorf("%d diffs of 7", got)
	}
}

// The accent colour is for what the judge called faster, whatever the figures.
func TestHTMLSaysWhyAChangeWasTried(t *testing.T) {
	t.Parallel()
	const why = "append has to grow its slice"
	r := specimen.Run()
	r.Attempts[0].Change.Targets = []model.Target{{
		At: model.Pos{File: "a.go", Line: 7}, Resource: model.Allocs, Share: 0.16, Reason: model.Reason{Kind: model.ReasonAppend, Text: why},
	}}
	if page := html(t, r); !strings.Contains(page, why) {
		t.Error("the page does not say why the change was tried")
	}
}

func TestHTMLColorsFollowTheVerdict(t *testing.T) {
	t.Parallel()
	for _, a := range []model.Answer{model.Faster, model.Slower, model.NoEffect, model.Undecided} {
		r := specimen.Run()
		r.Attempts, r.Results[0].Verdict.Answer = nil, a
		page := html(t, r)
		want := a == model.Faster
		if strings.Contains(page, `class="figure faster"`) != want || strings.Contains(page, `class="interval clear"`) != want {
			t.Errorf("%s: in the accent colour or not, wrongly", a)
		}
	}
}

func TestHTMLOfHostileText(t *testing.T) {
	t.Parallel()
	r := specimen.Run()
	const evil = `</style></script><script>alert(1)</script>" onload="x` + "\x1b[2J\x00\u202e"
	r.Module, r.Replay, r.Env.CPU = evil, evil, evil
	r.Attempts[0].Change.Title, r.Attempts[0].Diff = evil, "@@ -1 +1 @@\n-"+evil+"\n+"+evil+"\n"
	r.Prospects[0].Target.Reason.Text = evil
	page := html(t, r)
	specimen.WellFormed(t, page)
	if strings.ContainsAny(page, "\x1b\x00\u202e") {
		t.Error("something hidden is in the page")
	}
}

func TestHTMLOfOpenIntervals(t *testing.T) {
	t.Parallel()
	r := specimen.Run()
	v := &r.Attempts[0].Verdicts[0]
	v.Lo, v.Hi = math.Inf(-1), math.MaxFloat64
	r.Attempts[2].Verdicts[0] = model.Verdict{Change: math.NaN(), Lo: math.NaN(), Hi: math.NaN()}
	r.Attempts[4].Verdicts[0].Change, r.Attempts[4].Verdicts[0].Hi = 40, 50
	page := html(t, r)
	specimen.WellFormed(t, page)
	if m := regexp.MustCompile(`(NaN|Inf|e\+)[^<]*"`).FindString(page); m != "" {
		t.Errorf("a coordinate is no number: %s", m)
	}
}

func TestHTMLOffersRawData(t *testing.T) {
	t.Parallel()
	page := html(t, specimen.Run())
	m := regexp.MustCompile(`<a href="data:application/json;base64,([^"]+)" download="run.json">`).FindStringSubmatch(page)
	if m == nil {
		t.Fatal("run.json is not there")
	}
	data, err := base64.StdEncoding.DecodeString(strings.ReplaceAll(m[1], "&#43;", "+"))
	if err != nil || string(data) != `{"a": "<b>"}` {
		t.Errorf("run.json has %q, %v", data, err)
	}
}

// However much was tried, the page can be sent; what is left out is named.
func TestHTMLStaysSmall(t *testing.T) {
	t.Parallel()
	r := specimen.Run()
	var long strings.Builder
	long.WriteString("--- a/x.go\n+++ b/x.go\n@@ -1 +1,2000 @@\n-x\n")
	for range 2000 {
		long.WriteString("+	for i := range 10 { fmt.Println(\"a line of a long change\", i) } // and so on\n")
	}
	for len(r.Attempts) < 20 {
		a := specimen.SampleAttempts()[0]
		a.Diff = long.String()
		r.Attempts = append(r.Attempts, a)
	}
	big := data.Raw{Name: "samples.zip", What: "All samples.", Type: "application/zip", Where: "/runs/1/samples", Data: make([]byte, 2<<20)}
	p := specimen.Written(t, func(b *bytes.Buffer) error { return runs.HTML(b, r, runs.Extra{Raw: []data.Raw{big}}) })
	specimen.WellFormed(t, p)
	if len(p) > page.MostBytes {
		t.Errorf("%d bytes", len(p))
	}
	for _, want := range []string{"It does not fit into this page: see <code>/runs/1/samples</code>", "more lines: the whole diff is in"} {
		if !strings.Contains(p, want) {
			t.Errorf("no %q", want)
		}
	}
}

func TestComparisonHTML(t *testing.T) {
	t.Parallel()
	for name, make := range map[string]func() *model.Comparison{
		"all": specimen.AllStandings, "undecided": specimen.UndecidedGate, "clean": specimen.CleanGate, "two": specimen.TwoPackages, "load": specimen.UnderLoad, "odd": specimen.OddFigures,
		"none": func() *model.Comparison { return &model.Comparison{Verb: "gate"} },
	} {
		t.Run(name, func(t *testing.T) {
			c := make()
			page := specimen.Written(t, func(b *bytes.Buffer) error { return comparison.HTML(b, c, comparison.Extra{Raw: excerpts.Raw}) })
			specimen.WellFormed(t, page)
			if strings.Contains(page, "ZgotmplZ") {
				t.Error("the template refused a value")
			}
			if m := regexp.MustCompile(` (d|x|y|[xy][12]|width)="[^"]*(NaN|Inf|e\+)`).FindString(page); m != "" {
				t.Errorf("a coordinate is no number: %s", m)
			}
		})
	}
}

// The answer is the first thing on the page, the worst benchmark the first in
// each list, and what is clean is folded.
func TestComparisonHTMLSaysIt(t *testing.T) {
	t.Parallel()
	c := specimen.AllStandings()
	c.Records = []model.Recorded{{Name: "hot", File: ".pawl/records/hot.json", Standing: "broken", Why: []string{"allocs/op 0 → 1"}}}
	page := strings.ReplaceAll(specimen.Written(t, func(b *bytes.Buffer) error { return comparison.HTML(b, c, comparison.Extra{}) }), "&#43;", "+")
	for _, want := range []string{
		"<h1>Broken: 1 of 1 record; regressed: 2 of 22, undecided: 4</h1>", "checksum added (#123)", "peak-heap", "11.4 MiB → 18.1 MiB", "Idle11",
		"+3 % counts", "24 links, a dot each", "panic: runtime error: index out of range", "allocs/op 0 → 1", "GOAMD64=v3",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("no %q in the page", want)
		}
	}
	if i, j := strings.Index(page, ">Send<"), strings.Index(page, ">Receive<"); i < 0 || j < i {
		t.Errorf("the worst does not come first: %d, %d", i, j)
	}
	if got := strings.Count(page, "<details>"); got != 3 {
		t.Errorf("%d folded, of two clean ones and one on one side", got)
	}
}

// graphsOf gives each benchmark that was judged the same flame graph twice.
func graphsOf(c *model.Comparison, f model.Flame) map[model.Benchmark][]model.Flame {
	out := make(map[model.Benchmark][]model.Flame)
	for _, b := range c.Benchmarks {
		if b.Verdict != nil {
			out[b.Benchmark] = []model.Flame{f, f}
		}
	}
	return out
}

func TestComparisonHTMLFlames(t *testing.T) {
	t.Parallel()
	c := specimen.AllStandings()
	of := func(f model.Flame) string {
		got := specimen.Written(t, func(b *bytes.Buffer) error {
			return comparison.HTML(b, c, comparison.Extra{Flames: graphsOf(c, f)})
		})
		specimen.WellFormed(t, specimen.Bare(t, got, flame.Script))
		return got
	}
	got := of(specimen.Flame())
	if n := strings.Count(got, `<figure class="flame"`); n != 16 {
		t.Errorf("%d flame graphs of 8 benchmarks", n)
	}
	if n := strings.Count(got, "Flame graphs of base and candidate"); n != 8 {
		t.Errorf("%d benchmarks have flame graphs", n)
	}
	if n := strings.Count(got, "its width is its part of the whole"); n != 1 {
		t.Errorf("how to read them is said %d times", n)
	}
	if p := of(specimen.WideFlame(20000)); len(p) > page.MostBytes || !strings.Contains(p, `<figure class="flame"`) {
		t.Errorf("%d bytes with large graphs, or none of them", len(p))
	}
}

func TestComparisonHTMLOfHostileText(t *testing.T) {
	t.Parallel()
	const evil = `</style></script><script>alert(1)</script>" onload="x` + "\x1b[2J\x00\u202e"
	c := specimen.AllStandings()
	c.Module, c.Base.Name, c.Stopped = evil, evil, evil
	for i := range c.Benchmarks {
		c.Benchmarks[i].Benchmark.Name, c.Benchmarks[i].Why = evil, evil
	}
	page := specimen.Written(t, func(b *bytes.Buffer) error {
		return comparison.HTML(b, c, comparison.Extra{Raw: []data.Raw{{Name: evil, What: evil, Where: evil, Type: "text/plain"}}})
	})
	specimen.WellFormed(t, page)
	if strings.ContainsAny(page, "\x1b\x00\u202e") {
		t.Error("something hidden is in the page")
	}
}

// What a file of results does not have is not there, rather than 0.
func TestComparisonHTMLOfFiles(t *testing.T) {
	t.Parallel()
	c := &model.Comparison{Verb: "compare", Base: model.Side{Kind: model.SideSamples}, Benchmarks: []model.Compared{{
		Benchmark: specimen.Write, Standing: model.Open, Why: "unpaired: no claim", Before: &model.Stats{WallNs: 101}, After: &model.Stats{WallNs: 111},
	}}}
	page := specimen.Written(t, func(b *bytes.Buffer) error { return comparison.HTML(b, c, comparison.Extra{}) })
	specimen.WellFormed(t, page)
	if m := regexp.MustCompile(`<th>(cpu|allocs|B)/op</th>`).FindString(page); m != "" || !strings.Contains(page, "<th>wall/op</th>") {
		t.Errorf("rows of what was not measured: %s", m)
	}
}

func TestPageOfOpenIntervals(t *testing.T) {
	t.Parallel()
	page := html(t, specimen.OpenRun())
	specimen.WellFormed(t, page)
	if got := strings.Count(page, ">interval open</text>"); got != 2 {
		t.Errorf("%d of 2 open intervals say so", got)
	}
	if got := strings.Count(page, `<line class="span"`); got != 2 {
		t.Errorf("%d bars of 2 intervals that have an end", got)
	}
	if !strings.Contains(page, "the estimate; the interval is open") {
		t.Error("a course without an interval is said to narrow")
	}
	if strings.Contains(page, "interval\u00a0open, ") {
		t.Error("an open interval has a level")
	}
}
