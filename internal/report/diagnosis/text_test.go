package diagnosis

import (
	"regexp"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/pawl-dev/pawl/internal/lab/specimen"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/report/sheet"
)

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
	if err := Text(&b, specimen.Diagnosis(), sheet.Options{}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(diagnosisText[1:], b.String()); diff != "" {
		t.Errorf("text (-want +got):\n%s", diff)
	}
}

func TestDiagnosisWidths(t *testing.T) { fits(t, specimen.Diagnosis()) }

// fits looks at the text of a diagnosis in many widths: no line is longer, and
// plain ASCII is that.
func fits(t *testing.T, d *model.Diagnosis) {
	t.Helper()
	for width := 60; width <= 200; width++ {
		for _, ascii := range []bool{false, true} {
			var b strings.Builder
			if err := Text(&b, d, sheet.Options{Width: width, ASCII: ascii}); err != nil {
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
	if err := Text(&b, d, sheet.Options{}); err != nil {
		t.Fatal(err)
	}
	if !regexp.MustCompile(`(?m)^  standard library +\S+ +61 %`).MatchString(b.String()) {
		t.Error(b.String())
	}
}
