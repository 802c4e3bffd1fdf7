package comparison

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/pawl-dev/pawl/internal/lab/specimen"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/report/figure"
	"github.com/pawl-dev/pawl/internal/report/quote"
	"github.com/pawl-dev/pawl/internal/report/sheet"
)

func compareText(t *testing.T, c *model.Comparison, o sheet.Options) string {
	t.Helper()
	return specimen.Written(t, func(b *bytes.Buffer) error { return Text(b, c, o) })
}

func TestComparison(t *testing.T) {
	for name, make := range specimen.Comparisons {
		for _, width := range []int{60, 80, 120} {
			specimen.Golden(t, fmt.Sprintf("compare-%s-%d.txt", name, width), compareText(t, make(), sheet.Options{Width: width}))
		}
		specimen.Golden(t, "compare-"+name+".md", specimen.Written(t, func(b *bytes.Buffer) error { return Markdown(b, make()) }))
	}
}

// The first line is the answer, in the text and in the summary.
func TestFirstLineOfAComparison(t *testing.T) {
	of := func(ss ...model.Standing) *model.Comparison {
		c := &model.Comparison{Verb: "gate"}
		for _, s := range ss {
			c.Benchmarks = append(c.Benchmarks, model.Compared{Standing: s})
		}
		return c
	}
	compare, stopped, load := of(model.Improved, model.Clean), of(model.Clean), of()
	compare.Verb, stopped.Stopped, load.Load = "compare", "interrupted", &model.Load{Standing: model.Open}
	for _, c := range []struct {
		c    *model.Comparison
		want string
	}{
		{of(model.Clean, model.Clean), "clean: 2 of 2"},
		{of(model.Clean, model.Unchanged), "clean: 2 of 2 (1 not run: its code is unchanged)"},
		{of(model.Unchanged, model.Unchanged), "clean: 2 of 2 (2 not run: their code is unchanged)"},
		{of(model.Clean, model.Improved), "clean: 2 of 2 (1 improved; 1 clean)"},
		{of(model.Clean, model.Accepted), "clean: 1 of 2 (1 regressed and accepted)"},
		{of(model.Open, model.Clean), "undecided: 1 of 2 (1 clean)"},
		{of(model.Failed, model.Clean), "undecided: 1 of 2 (1 fails on one side; 1 clean)"},
		{of(model.Open, model.Accepted, model.OneSided), "undecided: 1 of 2 (1 regressed and accepted; 1 on one side only)"},
		{of(model.Regressed, model.Clean), "regressed: 1 of 2 (1 clean)"},
		{of(model.Regressed, model.Open, model.Failed), "regressed: 1 of 3, undecided: 2 (1 fails on one side)"},
		{of(model.OneSided, model.OneSided), "nothing compared (2 on one side only)"},
		{of(), "nothing compared"},
		{compare, "improved: 1 of 2, nothing worse (1 clean)"},
		{stopped, "stopped early: 1 of 1 clean by then (1 clean)"},
		{load, "undecided: 1 of 1"},
	} {
		first, _, _ := strings.Cut(compareText(t, c.c, sheet.Options{Width: 200}), "\n")
		md := specimen.Written(t, func(b *bytes.Buffer) error { return Markdown(b, c.c) })
		mdFirst, _, _ := strings.Cut(md, "\n")
		if first != c.want || mdFirst != "**"+quote.Markdown(c.want)+"**" {
			t.Errorf("first lines %q and %q, want %q", first, mdFirst, c.want)
		}
	}
}

// uncut are lines that are there to be copied and so are never broken.
var uncut = regexp.MustCompile(`^(Decide it|directory|samples|benchstat|again| {9,}/)`)

func TestComparisonKeepsToTheWidth(t *testing.T) {
	for name, make := range specimen.Comparisons {
		for width := 60; width <= 200; width += 7 {
			for line := range strings.Lines(compareText(t, make(), sheet.Options{Width: width})) {
				line = strings.TrimSuffix(line, "\n")
				if n := utf8.RuneCountInString(line); n > width && !uncut.MatchString(line) {
					t.Errorf("%s at %d columns has %d: %q", name, width, n, line)
				}
				if strings.TrimRight(line, " ") != line {
					t.Errorf("%s at %d columns ends in a space: %q", name, width, line)
				}
			}
		}
	}
}

func TestComparisonInColorAndASCII(t *testing.T) {
	for name, make := range specimen.Comparisons {
		for _, width := range []int{60, 80, 140} {
			bare, colored := compareText(t, make(), sheet.Options{Width: width}), compareText(t, make(), sheet.Options{Width: width, Color: true})
			if strings.Contains(bare, "\x1b") {
				t.Errorf("%s: colour where none was asked for", name)
			}
			if !strings.Contains(colored, "\x1b[") || specimen.EscapeCode.ReplaceAllString(colored, "") != bare {
				t.Errorf("%s: colour changes the text:\n%s", name, cmp.Diff(bare, specimen.EscapeCode.ReplaceAllString(colored, "")))
			}
			for _, r := range compareText(t, make(), sheet.Options{Width: width, ASCII: true}) {
				if r > 126 {
					t.Errorf("%s: %q in ASCII", name, r)
				}
			}
		}
	}
}

// Nothing that is no number is shown, and what it would have been part of is
// left out or said to be open.
func TestComparisonOfOddFigures(t *testing.T) {
	odd := regexp.MustCompile(`(?i)\bnan\b|\binf\b|∞|e\+\d|\d{7}`)
	for _, width := range []int{60, 80, 200} {
		got := compareText(t, specimen.OddFigures(), sheet.Options{Width: width})
		got = strings.Replace(got, "Inf  regressed", "", 1) // the benchmark's name
		got = strings.Replace(got, "✗ Inf", "", 1)
		got = strings.Replace(got, ".Inf", "", 1)
		if m := odd.FindString(got); m != "" {
			t.Errorf("%q in\n%s", m, got)
		}
	}
	md := specimen.Written(t, func(b *bytes.Buffer) error { return Markdown(b, specimen.OddFigures()) })
	if m := odd.FindString(strings.ReplaceAll(md, "Inf", "")); m != "" {
		t.Errorf("%q in\n%s", m, md)
	}
	js := specimen.Written(t, func(b *bytes.Buffer) error { return JSON(b, specimen.OddFigures()) })
	if !json.Valid([]byte(js)) {
		t.Errorf("no JSON:\n%s", js)
	}
}

func TestIntervalsThatAreOpen(t *testing.T) {
	for _, c := range []struct {
		lo, hi float64
		want   string
	}{
		{-0.01, 0.02, "[−1.0, +2.0] %"},
		{-1, 0.02, "[open, +2.0] %"},
		{-0.01, 1e6, "[−1.0, open] %"},
		{-1, 1e6, "interval open"},
		{-0.9999, 99, "[−100.0, +9900] %"},
	} {
		if got := figure.Bounds(model.Verdict{Lo: c.lo, Hi: c.hi}); got != c.want {
			t.Errorf("bounds(%v, %v) = %q, want %q", c.lo, c.hi, got, c.want)
		}
	}
}

// A benchmark whose time did not suffice for a base against base sees nothing,
// which is not a difference of 100 %.
func TestSeen(t *testing.T) {
	of := func(sees ...float64) []model.Compared {
		var out []model.Compared
		for i, s := range sees {
			bm := model.Benchmark{Pkg: "p", Name: fmt.Sprintf("BenchmarkX%d", i)}
			out = append(out, model.Compared{Benchmark: bm, Noise: &model.Noise{Benchmark: bm, Sees: s}})
		}
		return out
	}
	for _, tt := range []struct {
		benchmarks []model.Compared
		want       string
	}{
		{of(0.02), "differences of 2.0 % or more"},
		{of(1), "nothing in 1 benchmark, for lack of time"},
		{of(1, 0.02, 1), "differences of 2.0 % or more; nothing in 2 benchmarks, for lack of time"},
		{nil, ""},
	} {
		if got := seen(&model.Comparison{Benchmarks: tt.benchmarks}); got != tt.want {
			t.Errorf("%q, want %q", got, tt.want)
		}
	}
	if got := seen(&model.Comparison{Load: &model.Load{Noise: &model.Noise{Sees: 1}}}); got != "" {
		t.Errorf("under load: %q", got)
	}
}

func TestCountsKeepTheirFraction(t *testing.T) {
	for _, c := range []struct {
		x    float64
		want string
	}{
		{0, "0"}, {0.0001, "< 0.001"}, {0.004, "0.004"}, {0.02, "0.02"}, {0.97, "0.97"}, {0.998, "0.99"}, {1, "1"}, {3, "3"}, {3.5, "3.50"}, {1234567, "1234567"},
	} {
		if got := objects(c.x); got != c.want {
			t.Errorf("objects(%v) = %q, want %q", c.x, got, c.want)
		}
	}
}

func TestForeignTextInAComparison(t *testing.T) {
	const evil = "\x1b]0;title\x07\x1b[2J\r\u202egnp\u009b1m"
	const markup = "x|y\n\n# h <img src=x> `code` **bold** </details> [a](b) ~~s~~ $m$"
	c := specimen.AllStandings()
	for i := range c.Benchmarks {
		b := &c.Benchmarks[i]
		b.Benchmark.Name += evil + markup
		b.Why += evil + markup
		b.Accepted += evil + markup
		if b.Source != nil {
			b.Source.Differs = append(b.Source.Differs, evil+markup)
		}
	}
	c.Warnings[0].Seen += evil + markup
	c.Warnings[0].Try += evil + markup
	c.Base.Name += evil + markup
	c.Candidate.Settings["GOFLAGS"] = evil + markup
	c.Args = append(c.Args, evil+markup)
	c.Dir, c.Samples[0], c.Stopped = evil+markup, evil+markup, evil+markup
	c.Load = specimen.UnderLoad().Load
	c.Load.Why, c.Load.Command, c.Load.Metrics[0].Name = evil+markup, evil+markup, evil+markup
	if got := compareText(t, c, sheet.Options{}); strings.ContainsAny(got, "\x1b\x07\r\u202e\u009b") {
		t.Errorf("control characters came through:\n%q", got)
	}
	md := specimen.Written(t, func(b *bytes.Buffer) error { return Markdown(b, c) })
	if strings.ContainsAny(md, "\x1b\x07\r\u202e\u009b") {
		t.Errorf("control characters came through:\n%q", md)
	}
	pipe, pipes := regexp.MustCompile(`(^|[^\\])\|`), 0
	for line := range strings.Lines(md) {
		if strings.HasPrefix(line, "    ") || strings.HasPrefix(line, "<details>") || strings.HasPrefix(line, "</details>") {
			continue // indented code shows all as it is; the rest is pawl's own
		}
		line = strings.ReplaceAll(line, "<br>", "")
		for _, bad := range []string{"<img", "</details>", " `code`", " **bold**", "[a](", "~~", "x|y", " $m$"} {
			if strings.Contains(line, bad) {
				t.Errorf("%s came through in %q", bad, line)
			}
		}
		n := 0
		if strings.HasPrefix(line, "|") {
			n = len(pipe.FindAllString(line, -1))
		}
		if n != pipes && n > 0 && pipes > 0 {
			t.Errorf("a row of %d columns below one of %d: %q", n, pipes, line)
		}
		pipes = n
	}
}

func TestComparisonJSONRoundTrip(t *testing.T) {
	want := specimen.AllStandings()
	want.Benchmarks[3].Verdict.Lo = -1 // JSON knows no infinity
	got := specimen.Written(t, func(b *bytes.Buffer) error { return JSON(b, want) })
	var back model.Comparison
	if err := json.Unmarshal([]byte(got), &back); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, &back); diff != "" {
		t.Errorf("differs (-want +got):\n%s", diff)
	}
	empty := specimen.Written(t, func(b *bytes.Buffer) error { return JSON(b, &model.Comparison{}) })
	if !strings.Contains(empty, `"benchmarks": []`) || !strings.Contains(empty, `"args": []`) {
		t.Errorf("lists are missing in\n%s", empty)
	}
}
