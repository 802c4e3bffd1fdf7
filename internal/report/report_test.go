package report

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/pawl-dev/pawl/internal/model"
)

var update = flag.Bool("update", false, "write the golden files anew")

// golden compares with testdata/NAME, or writes it under -update.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s differs (-want +got); go test -update writes it anew:\n%s", name, diff)
	}
}

func text(t *testing.T, write func(*bytes.Buffer) error) string {
	t.Helper()
	var buf bytes.Buffer
	if err := write(&buf); err != nil {
		t.Fatal(err)
	}
	return buf.String()
}

// several is a run over more benchmarks than a screen shows whole.
func several() *model.Run {
	r := sampleRun()
	first := r.Results[0]
	r.Results = nil
	for i, name := range []string{"WriteMessage", "ReadMessage", "Handshake/cold", "Handshake/warm", "Flush"} {
		res := first
		res.Benchmark.Name = "Benchmark" + name
		if i > 0 {
			v := *first.Verdict
			v.Answer, v.Change, v.Lo, v.Hi = model.NoEffect, 0.001, -0.008, 0.009
			res.Verdict, res.After = &v, res.Before
			res.Counts = counts(5, 5, 73790, 73790)
		}
		if name == "Flush" {
			res.Counts[0].Noisy = true
		}
		r.Results = append(r.Results, res)
	}
	r.Attempts[1].Verdicts[0].Benchmark.Name = "BenchmarkReadMessage"
	r.Noise = append(r.Noise, model.Noise{Benchmark: r.Results[1].Benchmark, Sees: 0.03, Seconds: 60})
	r.Stopped = "budget"
	return r
}

var runs = map[string]func() *model.Run{
	"kept": sampleRun, "none": nothingKept, "idle": nothingToTry, "several": several,
}

func TestText(t *testing.T) {
	for name, make := range runs {
		for _, width := range []int{60, 80, 120} {
			got := text(t, func(b *bytes.Buffer) error { return Text(b, make(), Options{Width: width}) })
			golden(t, fmt.Sprintf("text-%s-%d.txt", name, width), got)
		}
	}
}

func TestPlan(t *testing.T) {
	for name, make := range runs {
		for _, width := range []int{60, 80, 120} {
			got := text(t, func(b *bytes.Buffer) error { return Plan(b, make(), Options{Width: width}) })
			golden(t, fmt.Sprintf("plan-%s-%d.txt", name, width), got)
		}
	}
}

func TestLogAndStory(t *testing.T) {
	for _, width := range []int{80, 120} {
		got := text(t, func(b *bytes.Buffer) error {
			return Log(b, []model.Run{*sampleRun(), *nothingKept(), *nothingToTry(), *several()}, nil, Options{Width: width})
		})
		golden(t, fmt.Sprintf("log-%d.txt", width), got)
	}
	golden(t, "log-empty.txt", text(t, func(b *bytes.Buffer) error { return Log(b, nil, nil, Options{}) }))
	golden(t, "story.txt", text(t, func(b *bytes.Buffer) error { return Story(b, sampleRun(), Options{}) }))
}

func TestMarkdown(t *testing.T) {
	golden(t, "kept.md", text(t, func(b *bytes.Buffer) error { return Markdown(b, sampleRun()) }))
	golden(t, "none.md", text(t, func(b *bytes.Buffer) error { return Markdown(b, nothingKept()) }))
}

// copied are lines that are there to be copied and so are never broken.
var copied = regexp.MustCompile(`^(branch|patch|report|replay|merge|drop) `)

func TestTextKeepsToTheWidth(t *testing.T) {
	for name, make := range runs {
		for width := 60; width <= 200; width += 7 {
			o := Options{Width: width}
			all := text(t, func(b *bytes.Buffer) error { return Text(b, make(), o) }) +
				text(t, func(b *bytes.Buffer) error { return Plan(b, make(), o) }) +
				text(t, func(b *bytes.Buffer) error { return Story(b, make(), o) }) +
				text(t, func(b *bytes.Buffer) error { return Log(b, []model.Run{*make()}, nil, o) })
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

var escapeCode = regexp.MustCompile("\x1b\\[[0-9]*m")

// Colour and ASCII change the looks and nothing else.
func TestColorAndASCII(t *testing.T) {
	for name, make := range runs {
		for _, write := range []func(*bytes.Buffer, Options) error{
			func(b *bytes.Buffer, o Options) error { return Text(b, make(), o) },
			func(b *bytes.Buffer, o Options) error { return Plan(b, make(), o) },
			func(b *bytes.Buffer, o Options) error { return Story(b, make(), o) },
		} {
			get := func(o Options) string { return text(t, func(b *bytes.Buffer) error { return write(b, o) }) }
			bare, colored := get(Options{}), get(Options{Color: true})
			if strings.Contains(bare, "\x1b") {
				t.Errorf("%s: colour where none was asked for", name)
			}
			if !strings.Contains(colored, "\x1b[") || escapeCode.ReplaceAllString(colored, "") != bare {
				t.Errorf("%s: colour changes the text", name)
			}
			for _, r := range get(Options{ASCII: true}) {
				if r > 126 {
					t.Errorf("%s: %q in ASCII", name, r)
				}
			}
		}
	}
}

func TestForeignTextCannotMoveTheCursor(t *testing.T) {
	r := sampleRun()
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
		func(b *bytes.Buffer) error { return Text(b, r, Options{}) },
		func(b *bytes.Buffer) error { return Plan(b, r, Options{}) },
		func(b *bytes.Buffer) error { return Story(b, r, Options{}) },
		func(b *bytes.Buffer) error { return Log(b, []model.Run{*r}, nil, Options{}) },
		func(b *bytes.Buffer) error { return Markdown(b, r) },
		func(b *bytes.Buffer) error { b.WriteString(CommitMessage(r.Attempts[0], r)); return nil },
	} {
		if got := text(t, write); strings.ContainsAny(got, "\x1b\x07\r\u202e\u009b") {
			t.Errorf("control characters came through:\n%q", got)
		}
	}
}

func TestClaimsNameTheirScope(t *testing.T) {
	for name, make := range runs {
		if len(make().Results) == 0 {
			continue
		}
		for kind, got := range map[string]string{
			"text":     text(t, func(b *bytes.Buffer) error { return Text(b, make(), Options{Width: 200}) }),
			"plan":     text(t, func(b *bytes.Buffer) error { return Plan(b, make(), Options{Width: 200}) }),
			"html":     text(t, func(b *bytes.Buffer) error { return HTML(b, make(), Extra{}) }),
			"markdown": text(t, func(b *bytes.Buffer) error { return Markdown(b, make()) }),
		} {
			if !strings.Contains(got, "in this benchmark") {
				t.Errorf("%s of %s claims more than was measured:\n%s", kind, name, got)
			}
		}
	}
}

func TestEmptyRun(t *testing.T) {
	r := &model.Run{}
	for _, write := range []func(*bytes.Buffer) error{
		func(b *bytes.Buffer) error { return Text(b, r, Options{}) },
		func(b *bytes.Buffer) error { return Plan(b, r, Options{}) },
		func(b *bytes.Buffer) error { return Story(b, r, Options{}) },
		func(b *bytes.Buffer) error { return Log(b, []model.Run{*r}, nil, Options{}) },
		func(b *bytes.Buffer) error { return Markdown(b, r) },
		func(b *bytes.Buffer) error { return HTML(b, r, Extra{}) },
		func(b *bytes.Buffer) error { return JSON(b, r) },
	} {
		if text(t, write) == "" {
			t.Error("nothing was written")
		}
	}
	if got := CommitMessage(model.Attempt{}, r); got == "" {
		t.Error("no message")
	}
}
