package report_test

import (
	"bytes"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/pawl-dev/pawl/internal/lab/specimen"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/report/data"
	"github.com/pawl-dev/pawl/internal/report/journal"
	"github.com/pawl-dev/pawl/internal/report/runs"
	"github.com/pawl-dev/pawl/internal/report/sheet"
)

// What is undecided, or could not be compared, is told apart from what was kept
// and what was refuted, wherever a run is told of.
func TestOutcomesAreToldApart(t *testing.T) {
	t.Parallel()
	r := specimen.Run()
	r.Attempts = specimen.Outcomes()
	told := func(write func(b *bytes.Buffer) error) string { return specimen.Written(t, write) }
	for name, c := range map[string]struct {
		got  string
		want []string
	}{
		"text": {told(func(b *bytes.Buffer) error { return runs.Text(b, r, sheet.Options{Width: 400}) }), []string{
			"2 of 4 changes kept, 1 not compared, 1 undecided. ", "✓ THE KEPT ", "– THE BLIND ", "kept, not compared: cpu −20.0 %",
			"? THE OPEN ", "undecided: cpu −20.9 %", "✗ THE REFUTED ",
			"– THE BLIND; not compared: no changed function could be driven: it takes a channel (c); the tests alone speak for it",
		}},
		"markdown": {told(func(b *bytes.Buffer) error { return runs.Markdown(b, r) }), []string{"- ✓ THE KEPT", "- – THE BLIND: kept, not compared: ", "- ? THE OPEN: undecided: ", "- ✗ THE REFUTED"}},
		"log":      {told(func(b *bytes.Buffer) error { return journal.Text(b, []model.Run{*r}, nil, sheet.Options{Width: 200}) }), []string{"2 of 4 kept, 1 not compared, 1 undecided"}},
		"story": {told(func(b *bytes.Buffer) error { return runs.Story(b, r, sheet.Options{Width: 200}) }), []string{
			"kept, not compared allocs/op 4", "undecided      too few runs to rule out a slowdown of more than"}},
		"page": {told(func(b *bytes.Buffer) error { return runs.HTML(b, r, runs.Extra{}) }), []string{
			`<span class="outcome">kept, not compared</span>`, `<span class="outcome">? undecided</span>`, `<span class="outcome">rolled back</span>`,
			"undecided after 7 duets: the interval is that of one comparison, and a claim among several needs more"}},
		"commit": {runs.CommitMessage(r.Attempts[1], r), []string{"\nPawl-Outcome: kept, not compared\n", "\nPawl-Behaviour: not compared: no changed function"}},
	} {
		for _, want := range c.want {
			if !strings.Contains(c.got, want) {
				t.Errorf("%s: no %q in\n%.3000s", name, want, c.got)
			}
		}
	}
	if m := runs.CommitMessage(r.Attempts[0], r); strings.Contains(m, "Pawl-Outcome") {
		t.Error("a change that was compared has an outcome to explain:\n" + m)
	}
}

// copied are lines that are there to be copied and so are never broken.
var copied = regexp.MustCompile(`^(branch|patch|report|replay|drop|Take it:|Go on:|Decide it:) `)

func TestTextKeepsToTheWidth(t *testing.T) {
	t.Parallel()
	for name, make := range specimen.Runs {
		for width := 60; width <= 200; width += 7 {
			o := sheet.Options{Width: width}
			all := specimen.Written(t, func(b *bytes.Buffer) error { return runs.Text(b, make(), o) }) +
				specimen.Written(t, func(b *bytes.Buffer) error { return runs.Plan(b, make(), o) }) +
				specimen.Written(t, func(b *bytes.Buffer) error { return runs.Story(b, make(), o) }) +
				specimen.Written(t, func(b *bytes.Buffer) error { return journal.Text(b, []model.Run{*make()}, nil, o) })
			for line := range strings.Lines(all) {
				line = strings.TrimSuffix(line, "\n")
				if n := utf8.RuneCountInString(line); n > width && !copied.MatchString(line) {
					t.Errorf("%s at %d columns has %d: %q", name, width, n, line)
				}
				if strings.TrimRight(line, " ") != line {
					t.Errorf("%s at %d columns ends in a space: %q", name, width, line)
				}
			}
		}
	}
}

// Colour and ASCII change the looks and nothing else.
func TestColorAndASCII(t *testing.T) {
	t.Parallel()
	for name, make := range specimen.Runs {
		for _, write := range []func(*bytes.Buffer, sheet.Options) error{
			func(b *bytes.Buffer, o sheet.Options) error { return runs.Text(b, make(), o) },
			func(b *bytes.Buffer, o sheet.Options) error { return runs.Plan(b, make(), o) },
			func(b *bytes.Buffer, o sheet.Options) error { return runs.Story(b, make(), o) },
		} {
			get := func(o sheet.Options) string {
				return specimen.Written(t, func(b *bytes.Buffer) error { return write(b, o) })
			}
			bare, colored := get(sheet.Options{}), get(sheet.Options{Color: true})
			if strings.Contains(bare, "\x1b") {
				t.Errorf("%s: colour where none was asked for", name)
			}
			if !strings.Contains(colored, "\x1b[") || specimen.EscapeCode.ReplaceAllString(colored, "") != bare {
				t.Errorf("%s: colour changes the text", name)
			}
			for _, r := range get(sheet.Options{ASCII: true}) {
				if r > 126 {
					t.Errorf("%s: %q in ASCII", name, r)
				}
			}
		}
	}
}

func TestForeignTextCannotMoveTheCursor(t *testing.T) {
	t.Parallel()
	r := specimen.Run()
	const evil = "\x1b]0;title\x07\x1b[2J\r\u202egnp\u009b1m"
	r.Attempts[0].Reason += evil
	r.Attempts[0].Change.Title += evil
	r.Attempts[3].Checks[4].Detail += evil
	r.Targets[0].Reason.Text += evil
	r.Prospects[0].Target.Reason.Text += evil
	r.Warnings[0].Seen += evil
	r.Module += evil
	r.Branch += evil
	r.Results[0].Benchmark.Name += evil
	for _, write := range []func(*bytes.Buffer) error{
		func(b *bytes.Buffer) error { return runs.Text(b, r, sheet.Options{}) },
		func(b *bytes.Buffer) error { return runs.Plan(b, r, sheet.Options{}) },
		func(b *bytes.Buffer) error { return runs.Story(b, r, sheet.Options{}) },
		func(b *bytes.Buffer) error { return journal.Text(b, []model.Run{*r}, nil, sheet.Options{}) },
		func(b *bytes.Buffer) error { return runs.Markdown(b, r) },
		func(b *bytes.Buffer) error { b.WriteString(runs.CommitMessage(r.Attempts[0], r)); return nil },
	} {
		if got := specimen.Written(t, write); strings.ContainsAny(got, "\x1b\x07\r\u202e\u009b") {
			t.Errorf("control characters came through:\n%q", got)
		}
	}
}

func TestClaimsNameTheirScope(t *testing.T) {
	t.Parallel()
	for name, make := range specimen.Runs {
		if len(make().Results) == 0 {
			continue
		}
		for kind, got := range map[string]string{
			"text":     specimen.Written(t, func(b *bytes.Buffer) error { return runs.Text(b, make(), sheet.Options{Width: 200}) }),
			"plan":     specimen.Written(t, func(b *bytes.Buffer) error { return runs.Plan(b, make(), sheet.Options{Width: 200}) }),
			"html":     specimen.Written(t, func(b *bytes.Buffer) error { return runs.HTML(b, make(), runs.Extra{}) }),
			"markdown": specimen.Written(t, func(b *bytes.Buffer) error { return runs.Markdown(b, make()) }),
		} {
			if !strings.Contains(got, "in this benchmark") {
				t.Errorf("%s of %s claims more than was measured:\n%s", kind, name, got)
			}
		}
	}
}

func TestEmptyRun(t *testing.T) {
	t.Parallel()
	r := &model.Run{}
	for _, write := range []func(*bytes.Buffer) error{
		func(b *bytes.Buffer) error { return runs.Text(b, r, sheet.Options{}) },
		func(b *bytes.Buffer) error { return runs.Plan(b, r, sheet.Options{}) },
		func(b *bytes.Buffer) error { return runs.Story(b, r, sheet.Options{}) },
		func(b *bytes.Buffer) error { return journal.Text(b, []model.Run{*r}, nil, sheet.Options{}) },
		func(b *bytes.Buffer) error { return runs.Markdown(b, r) },
		func(b *bytes.Buffer) error { return runs.HTML(b, r, runs.Extra{}) },
		func(b *bytes.Buffer) error { return data.JSON(b, r) },
	} {
		if specimen.Written(t, write) == "" {
			t.Error("nothing was written")
		}
	}
	if got := runs.CommitMessage(model.Attempt{}, r); got == "" {
		t.Error("no message")
	}
}
