package report

import (
	"bytes"
	"encoding/base64"
	"encoding/xml"
	"errors"
	"io"
	"math"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pawl-dev/pawl/internal/model"
)

var nonceExcerpt = Excerpt{
	File: "brontide/noise.go", First: 115, Marks: []int{116}, Of: "allocs in WriteMessage",
	Lines: []string{"", "\tvar nonce [12]byte", "\tbinary.LittleEndian.PutUint64(nonce[4:], c.nonce)"},
	Costs: map[int]LineShare{116: NewLineShare(model.Allocs, 0.4, 2)},
	Notes: map[int][]string{116: {"moved to heap: nonce"}},
}

var excerpts = Extra{
	Excerpts:  map[string]Excerpt{"T3": nonceExcerpt},
	Tried:     map[string][]Excerpt{"e5f6": {nonceExcerpt}},
	MinEffect: 0.01,
	Raw:       []Raw{{Name: "run.json", What: "All of it.", Type: "application/json", Where: "/runs/1/run.json", Data: []byte(`{"a": "<b>"}`)}},
}

func html(t *testing.T, r *model.Run) string {
	t.Helper()
	return text(t, func(b *bytes.Buffer) error { return HTML(b, r, excerpts) })
}

// The page is written so that an XML reader accepts it, which is more than
// browsers ask for. It refers to nothing outside, its pictures have their words,
// and the only data in it that is no text is offered to take along.
func wellFormed(t *testing.T, page string) {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(page))
	d.Entity = xml.HTMLEntity
	ids, refs := map[string]bool{}, []string{}
	for {
		tok, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatalf("not well-formed: %v", err)
		}
		start, ok := tok.(xml.StartElement)
		if !ok {
			continue
		}
		attr := map[string]string{}
		for _, a := range start.Attr {
			attr[a.Name.Local] = a.Value
		}
		allowedElement(t, start.Name.Local, attr)
		if id, ok := attr["id"]; ok {
			if ids[id] {
				t.Errorf("id %q twice", id)
			}
			ids[id] = true
		}
		if ref, ok := strings.CutPrefix(attr["href"], "#"); ok {
			refs = append(refs, ref)
		}
	}
	for _, ref := range refs {
		if !ids[ref] {
			t.Errorf("#%s leads nowhere", ref)
		}
	}
}

func allowedElement(t *testing.T, name string, attr map[string]string) {
	t.Helper()
	switch name {
	case "script", "link", "img", "iframe", "object", "form":
		t.Errorf("the page has a %s", name)
	case "svg":
		if attr["aria-hidden"] != "true" && (attr["role"] != "img" || attr["aria-label"] == "") {
			t.Errorf("a picture without words: %v", attr)
		}
	}
	for key, value := range attr {
		switch {
		case key == "href" && strings.HasPrefix(value, "#"):
		case key == "href" && name == "a" && attr["download"] != "" && rawLink.MatchString(value):
		case key == "style" && name == "div" && frameStyle.MatchString(value):
		case key == "src", key == "href", key == "style", strings.HasPrefix(key, "on"):
			t.Errorf("%s has %s=%q", name, key, value)
		}
	}
}

// frameStyle is where a frame of a flame graph stands, and how high all are.
var frameStyle = regexp.MustCompile(`^(left:[0-9.]+%;width:[0-9.]+%;top:[0-9]+px|height:[0-9]+px)$`)

var rawLink = regexp.MustCompile(`^data:(application/json|application/zip|text/plain);base64,[A-Za-z0-9+/]*=*$`)

func TestHTMLIsWellFormedAndAlone(t *testing.T) {
	for name, make := range runs {
		page := html(t, make())
		wellFormed(t, page)
		if m := regexp.MustCompile(`https?://|url\(|@import`).FindString(page); m != "" {
			t.Errorf("%s: the page refers to something outside: %s", name, m)
		}
		if strings.Contains(page, "ZgotmplZ") {
			t.Errorf("%s: the template refused a value", name)
		}
	}
}

func TestHTMLSaysIt(t *testing.T) {
	page := html(t, sampleRun())
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
	// Kept and refuted alike are shown with their diff, the latter folded: a link
	// to what is within opens it.
	if got := len(regexp.MustCompile(`<details>\s*<summary><h3>[^\n]*</h3></summary>\s*<div id="try-\d">`).FindAllString(page, -1)); got != 2 {
		t.Errorf("%d folded of 2 refuted", got)
	}
	if got := strings.Count(page, `aria-label="diff of change`); got != 7 {
		t.Errorf("%d diffs of 7", got)
	}
}

// The accent colour is for what the judge called faster, whatever the figures.
func TestHTMLColorsFollowTheVerdict(t *testing.T) {
	for _, a := range []model.Answer{model.Faster, model.Slower, model.NoEffect, model.Undecided} {
		r := sampleRun()
		r.Attempts, r.Results[0].Verdict.Answer = nil, a
		page := html(t, r)
		want := a == model.Faster
		if strings.Contains(page, `class="figure faster"`) != want || strings.Contains(page, `class="interval clear"`) != want {
			t.Errorf("%s: in the accent colour or not, wrongly", a)
		}
	}
}

func TestHTMLOfHostileText(t *testing.T) {
	r := sampleRun()
	const evil = `</style></script><script>alert(1)</script>" onload="x` + "\x1b[2J\x00\u202e"
	r.Module, r.Replay, r.Env.CPU = evil, evil, evil
	r.Attempts[0].Change.Title, r.Attempts[0].Diff = evil, "@@ -1 +1 @@\n-"+evil+"\n+"+evil+"\n"
	r.Prospects[0].Target.Reason.Text = evil
	page := html(t, r)
	wellFormed(t, page)
	if strings.ContainsAny(page, "\x1b\x00\u202e") {
		t.Error("something hidden is in the page")
	}
}

func TestHTMLOfOpenIntervals(t *testing.T) {
	r := sampleRun()
	v := &r.Attempts[0].Verdicts[0]
	v.Lo, v.Hi = math.Inf(-1), math.MaxFloat64
	r.Attempts[2].Verdicts[0] = model.Verdict{Change: math.NaN(), Lo: math.NaN(), Hi: math.NaN()}
	r.Attempts[4].Verdicts[0].Change, r.Attempts[4].Verdicts[0].Hi = 40, 50
	page := html(t, r)
	wellFormed(t, page)
	if m := regexp.MustCompile(`(NaN|Inf|e\+)[^<]*"`).FindString(page); m != "" {
		t.Errorf("a coordinate is no number: %s", m)
	}
}

func TestScaleHoldsZeroAndAllIntervals(t *testing.T) {
	s := scaleOf([]model.Verdict{{Lo: -0.389, Change: -0.371, Hi: -0.352}, {Lo: 0.009, Change: 0.021, Hi: 0.034}})
	if s.Lo > -0.389 || s.Hi < 0.034 || s.x(0) <= s.x(-0.352) || s.x(0.009) <= s.x(0) {
		t.Errorf("scale from %v to %v", s.Lo, s.Hi)
	}
	var ticks []string
	for _, tick := range s.Ticks {
		ticks = append(ticks, tick.Text)
	}
	if diff := cmp.Diff([]string{"−40 %", "−20 %", "0"}, ticks); diff != "" {
		t.Errorf("ticks differ (-want +got):\n%s", diff)
	}
	// A run without verdicts has an axis, too.
	if s := scaleOf(nil); !(s.Lo < 0 && s.Hi > 0) {
		t.Errorf("scale of nothing: %v", s)
	}
}

func TestParseDiff(t *testing.T) {
	const diff = "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,3 +1,2 @@ func\n same\n--- a comment in SQL\n-gone\n+++ more\n@@ -9 +8 @@\n-a\n+b\n\\ No newline at end of file\n"
	var kinds []string
	for _, l := range parseDiff(diff) {
		kinds = append(kinds, l.Kind)
	}
	want := []string{"meta", "meta", "meta", "hunk", "same", "del", "del", "add", "hunk", "del", "add", "same"}
	if d := cmp.Diff(want, kinds); d != "" {
		t.Errorf("kinds differ (-want +got):\n%s", d)
	}
}

func FuzzParseDiff(f *testing.F) {
	f.Add(sampleDiff)
	f.Add("@@ -1,99999999999999999999 +, @@\n+\n")
	f.Fuzz(func(t *testing.T, diff string) {
		lines := strings.Count(diff, "\n")
		if !strings.HasSuffix(diff, "\n") && diff != "" {
			lines++
		}
		if got := len(parseDiff(diff)); got != lines {
			t.Errorf("%d lines of %d", got, lines)
		}
	})
}

func TestHTMLOffersRawData(t *testing.T) {
	page := html(t, sampleRun())
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
	r := sampleRun()
	var long strings.Builder
	long.WriteString("--- a/x.go\n+++ b/x.go\n@@ -1 +1,2000 @@\n-x\n")
	for range 2000 {
		long.WriteString("+	for i := range 10 { fmt.Println(\"a line of a long change\", i) } // and so on\n")
	}
	for len(r.Attempts) < 20 {
		a := sampleAttempts()[0]
		a.Diff = long.String()
		r.Attempts = append(r.Attempts, a)
	}
	big := Raw{Name: "samples.zip", What: "All samples.", Type: "application/zip", Where: "/runs/1/samples", Data: make([]byte, 2<<20)}
	page := text(t, func(b *bytes.Buffer) error { return HTML(b, r, Extra{Raw: []Raw{big}}) })
	wellFormed(t, page)
	if len(page) > mostBytes {
		t.Errorf("%d bytes", len(page))
	}
	for _, want := range []string{"It does not fit into this page: see <code>/runs/1/samples</code>", "more lines: the whole diff is in"} {
		if !strings.Contains(page, want) {
			t.Errorf("no %q", want)
		}
	}
}

func TestComparisonHTML(t *testing.T) {
	for name, make := range map[string]func() *model.Comparison{
		"all": allStandings, "undecided": undecidedGate, "clean": cleanGate, "two": twoPackages, "load": underLoad, "odd": oddFigures,
		"none": func() *model.Comparison { return &model.Comparison{Verb: "gate"} },
	} {
		t.Run(name, func(t *testing.T) {
			c := make()
			page := text(t, func(b *bytes.Buffer) error { return ComparisonHTML(b, c, ComparisonExtra{Raw: excerpts.Raw}) })
			wellFormed(t, page)
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
	c := allStandings()
	c.Records = []model.Recorded{{Name: "hot", File: ".pawl/records/hot.json", Standing: "broken", Why: []string{"allocs/op 0 → 1"}}}
	page := strings.ReplaceAll(text(t, func(b *bytes.Buffer) error { return ComparisonHTML(b, c, ComparisonExtra{}) }), "&#43;", "+")
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
	c := allStandings()
	of := func(f model.Flame) string {
		page := text(t, func(b *bytes.Buffer) error {
			return ComparisonHTML(b, c, ComparisonExtra{Flames: graphsOf(c, f)})
		})
		wellFormed(t, bare(t, page))
		return page
	}
	page := of(sampleFlame())
	if n := strings.Count(page, `<figure class="flame"`); n != 16 {
		t.Errorf("%d flame graphs of 8 benchmarks", n)
	}
	if n := strings.Count(page, "Flame graphs of base and candidate"); n != 8 {
		t.Errorf("%d benchmarks have flame graphs", n)
	}
	if n := strings.Count(page, "its width is its part of the whole"); n != 1 {
		t.Errorf("how to read them is said %d times", n)
	}
	if page := of(wideFlame(20000)); len(page) > mostBytes || !strings.Contains(page, `<figure class="flame"`) {
		t.Errorf("%d bytes with large graphs, or none of them", len(page))
	}
}

func TestComparisonHTMLOfHostileText(t *testing.T) {
	const evil = `</style></script><script>alert(1)</script>" onload="x` + "\x1b[2J\x00\u202e"
	c := allStandings()
	c.Module, c.Base.Name, c.Stopped = evil, evil, evil
	for i := range c.Benchmarks {
		c.Benchmarks[i].Benchmark.Name, c.Benchmarks[i].Why = evil, evil
	}
	page := text(t, func(b *bytes.Buffer) error {
		return ComparisonHTML(b, c, ComparisonExtra{Raw: []Raw{{Name: evil, What: evil, Where: evil, Type: "text/plain"}}})
	})
	wellFormed(t, page)
	if strings.ContainsAny(page, "\x1b\x00\u202e") {
		t.Error("something hidden is in the page")
	}
}

// What a file of results does not have is not there, rather than 0.
func TestComparisonHTMLOfFiles(t *testing.T) {
	c := &model.Comparison{Verb: "compare", Base: model.Side{Kind: model.SideSamples}, Benchmarks: []model.Compared{{
		Benchmark: write, Standing: model.Open, Why: "unpaired: no claim", Before: &model.Stats{WallNs: 101}, After: &model.Stats{WallNs: 111},
	}}}
	page := text(t, func(b *bytes.Buffer) error { return ComparisonHTML(b, c, ComparisonExtra{}) })
	wellFormed(t, page)
	if m := regexp.MustCompile(`<th>(cpu|allocs|B)/op</th>`).FindString(page); m != "" || !strings.Contains(page, "<th>wall/op</th>") {
		t.Errorf("rows of what was not measured: %s", m)
	}
}

func TestProse(t *testing.T) {
	for text, want := range map[string]string{
		"pawl find -bench shows it":        `pawl find <span class="flag">-bench</span> shows it`,
		`-trimpath (-ldflags=-randlayout)`: `<span class="flag">-trimpath</span> (<span class="flag">-ldflags=-randlayout</span>)`,
		"well-kept, 3 - 4, <b> -x":         `well-kept, 3 - 4, &lt;b&gt; <span class="flag">-x</span>`,
		`"-x<script>"`:                     `&#34;<span class="flag">-x</span>&lt;script&gt;&#34;`,
		"−3 %":                             "−3 %",
	} {
		if got := string(prose(text)); got != want {
			t.Errorf("prose(%q) = %s, want %s", text, got, want)
		}
	}
}
