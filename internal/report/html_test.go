package report

import (
	"bytes"
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

var excerpts = Extra{Excerpts: map[string]Excerpt{"T3": {
	File: "brontide/noise.go", First: 115, Marks: []int{116},
	Lines: []string{"", "\tvar nonce [12]byte", "\tbinary.LittleEndian.PutUint64(nonce[4:], c.nonce)"},
}}}

func html(t *testing.T, r *model.Run) string {
	t.Helper()
	return text(t, func(b *bytes.Buffer) error { return HTML(b, r, excerpts) })
}

// The page is written so that an XML reader accepts it, which is more than
// browsers ask for.
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
		switch start.Name.Local {
		case "script", "link", "img", "iframe", "object", "form":
			t.Errorf("the page has a %s", start.Name.Local)
		}
		for _, a := range start.Attr {
			switch name := a.Name.Local; {
			case name == "id":
				if ids[a.Value] {
					t.Errorf("id %q twice", a.Value)
				}
				ids[a.Value] = true
			case name == "href" && strings.HasPrefix(a.Value, "#"):
				refs = append(refs, a.Value[1:])
			case name == "src", name == "href", strings.HasPrefix(name, "on"):
				t.Errorf("%s has %s=%q", start.Name.Local, name, a.Value)
			}
		}
	}
	for _, ref := range refs {
		if !ids[ref] {
			t.Errorf("#%s leads nowhere", ref)
		}
	}
}

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
		`<li class="mark"><span class="cost"></span><span class="no">116</span>`, "runs once in 1000 messages", "GOMAXPROCS 2", "AMD EPYC 9B14",
		"git merge --ff-only", "24 % of a process is set-up",
	} {
		// html/template writes a plus as an entity.
		if !strings.Contains(strings.ReplaceAll(page, "&#43;", "+"), want) {
			t.Errorf("no %q in the page", want)
		}
	}
	// Kept and refuted alike are shown with their diff.
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
