package report

import (
	"regexp"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/pawl-dev/pawl/internal/model"
)

func diagnosis() *model.Diagnosis {
	return &model.Diagnosis{Profiles: []model.Symptoms{
		{
			Kind: "cpu", Sources: []string{"cpu.pprof"}, Seconds: 30, Samples: 4000, Total: 40e9, Unit: "ns", Rest: 0.37,
			RestCallers: []model.SignCaller{{Func: "example.com/m/pipe.work", File: "/home/me/m/pipe/stage.go", Line: 80, Via: "bytes.Compare", Share: 0.2}},
			Signs: []model.Sign{{
				Name: "channel", Title: "sending and receiving on channels", What: "CPU time", Share: 0.4, Lo: 0.385, Hi: 0.415, Scheduler: 0.2, Unit: "ns", Amount: 16e9, Threshold: 0.02,
				Callers: []model.SignCaller{
					{Func: "example.com/m/pipe.(*Stage[go.shape.int]).Run", File: "/home/me/m/pipe/stage.go", Line: 120, Via: "runtime.chansend1", Share: 0.3},
					{Func: "main.main", File: "/home/me/m/main.go", Line: 7, Via: "runtime.chanrecv1", Share: 0.09},
				},
				Symbols: []model.SignSymbol{{Func: "runtime.chansend", Share: 0.3}, {Func: "runtime.closechan", Share: 0.00001}},
				More:    3, Meaning: "Channel operations.", Lever: "Send more at once.", Before: "What is sent is small.", Gap: "A channel also orders.",
				Rules: []model.SignRule{{Name: "channelcounter"}, {Name: "itemalloc"}},
			}},
			Below: []model.Sign{{Name: "collector", What: "CPU time", Share: 0.03, Threshold: 0.10}},
		},
		{
			Kind: "goroutine", Sources: []string{"g.pprof"}, Total: 12, Unit: "goroutines",
			Below: []model.Sign{{Name: "io", What: "goroutines", Share: 0.5, Amount: 6, Threshold: 0.1, Least: 1000, Unit: "goroutines"}},
		},
		{Kind: "mutex", Sources: []string{"m.pprof"}, Unit: "ns", Warnings: []model.Warning{{Seen: "the profile has no samples", Try: "runtime.SetMutexProfileFraction(100)"}}},
	}}
}

const diagnosisText = `
CPU profile: sending and receiving on channels, 60 % of the CPU time.
cpu.pprof · 4,000 samples · 40 s of CPU time · in 30 s · 1.3 cores busy

  channel             ██████████▒▒▒▒░░░░░░░░░░   60 %
  collector           █░░░░░░░░░░░░░░░░░░░░░░░  3.0 %  below 10 %
  the program itself  █████████░░░░░░░░░░░░░░░   37 %
  The lighter part of a bar is the scheduler's time on its behalf, an estimate.

  Lines of the program itself, with what they call in libraries:
  20 %  stage.go:80  pipe.work → bytes.Compare

1  channel: sending and receiving on channels
   40 % of the CPU time [38, 42 %], and about 20 % in the scheduler; no change
   to it saves more

    30 %  stage.go:120  pipe.(*Stage[…]).Run → chansend1
   9.0 %  main.go:7     main.main → chanrecv1
          3 other lines

   seen   chansend 30 %
   what   Channel operations.
   lever  Send more at once.
   first  What is sent is small.
   beware A channel also orders.
   rules  channelcounter, itemalloc

Goroutine profile: nothing stands out.
g.pprof · 12 goroutines

  io  ████████████░░░░░░░░░░░░  50 %  less than 1,000 goroutines

Mutex or block profile: no samples.
m.pprof

Warnings:
! the profile has no samples
  try: runtime.SetMutexProfileFraction(100)

More about a rule: pawl rules NAME. What a threshold is, and what to trust:
docs/diagnose.md.
`

func TestDiagnosisText(t *testing.T) {
	var b strings.Builder
	if err := DiagnosisText(&b, diagnosis(), Options{}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(diagnosisText[1:], b.String()); diff != "" {
		t.Errorf("text (-want +got):\n%s", diff)
	}
}

// Where the runtime has no part, the lines that cost are all there is to say:
// as text, and on the page.
func TestDiagnosisOfTheProgramItself(t *testing.T) {
	d := diagnosis()
	d.Profiles = d.Profiles[:1]
	sy := &d.Profiles[0]
	sy.Signs, sy.Below, sy.Rest = nil, nil, 1
	var b strings.Builder
	if err := DiagnosisText(&b, d, Options{Width: 80}); err != nil {
		t.Fatal(err)
	}
	page := diagnosisHTML(t, d, DiagnosisExtra{})
	for _, want := range []string{"nothing stands out.", "the program itself", "stage.go:80"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in the text:\n%s", want, b.String())
		}
		if !strings.Contains(page, want) {
			t.Errorf("no %q on the page", want)
		}
	}
}

func TestDiagnosisWidths(t *testing.T) { fits(t, diagnosis()) }

// fits looks at the text of a diagnosis in many widths: no line is longer, and
// plain ASCII is that.
func fits(t *testing.T, d *model.Diagnosis) {
	t.Helper()
	for width := 60; width <= 200; width++ {
		for _, ascii := range []bool{false, true} {
			var b strings.Builder
			if err := DiagnosisText(&b, d, Options{Width: width, ASCII: ascii}); err != nil {
				t.Fatal(err)
			}
			for line := range strings.Lines(b.String()) {
				if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > width {
					t.Errorf("%d columns: a line has %d: %s", width, n, line)
				}
				if ascii && strings.ContainsFunc(line, func(r rune) bool { return r > unicode.MaxASCII }) {
					t.Errorf("not ASCII: %s", line)
				}
			}
		}
	}
}

// Shares of waits add up: what is of the standard library alone has a bar, too.
func TestDiagnosisLibrary(t *testing.T) {
	d := &model.Diagnosis{Profiles: []model.Symptoms{{Kind: "block", Sources: []string{"b"}, Samples: 9, Total: 9e9, Unit: "ns", Rest: 0.61,
		Below: []model.Sign{{Name: "lock", Share: 0.39}}}}}
	var b strings.Builder
	if err := DiagnosisText(&b, d, Options{}); err != nil {
		t.Fatal(err)
	}
	if !regexp.MustCompile(`(?m)^  standard library +\S+ +61 %`).MatchString(b.String()) {
		t.Error(b.String())
	}
}
