package traces

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/pawl-dev/pawl/internal/lab/specimen"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/report/sheet"
)

func traceText(t *testing.T, tr *model.Trace, o sheet.Options) string {
	return specimen.Written(t, func(b *bytes.Buffer) error { return Text(b, tr, o) })
}

func TestTraceText(t *testing.T) {
	for _, width := range []int{60, 80, 120} {
		specimen.Golden(t, fmt.Sprintf("trace-%d.txt", width), traceText(t, specimen.Trace(), sheet.Options{Width: width}))
	}
	specimen.Golden(t, "trace-ascii.txt", traceText(t, specimen.Trace(), sheet.Options{Width: 80, ASCII: true}))
}

// Whatever the width, no line is longer, and colour changes no text.
func TestTraceFits(t *testing.T) {
	empty := &model.Trace{File: "trace.out", Format: "1.22"}
	broken := specimen.Trace()
	broken.Warnings = []model.Warning{{Seen: "the trace breaks off", Cause: "the program was killed", Try: "end the trace with trace.Stop"}}
	broken.Stalls[0].Stack, broken.Parked[0].Stack, broken.Causes[0].Places[0].Stack = nil, nil, nil
	broken.Stalls[1].Func = "example.com/shop/reverseproxy.(*metricsUpstreamsHealthyUpdater).init.func1"
	for name, tr := range map[string]*model.Trace{"sample": specimen.Trace(), "empty": empty, "broken": broken} {
		for width := 60; width <= 200; width++ {
			for _, ascii := range []bool{false, true} {
				bare := traceText(t, tr, sheet.Options{Width: width, ASCII: ascii})
				for line := range strings.Lines(bare) {
					if n := utf8.RuneCountInString(strings.TrimRight(line, "\n")); n > width {
						t.Errorf("%s at %d columns has a line of %d: %s", name, width, n, line)
					}
				}
				if ascii && strings.ContainsFunc(bare, func(r rune) bool { return r > 127 }) {
					t.Errorf("%s: not ASCII:\n%s", name, bare)
				}
				colored := traceText(t, tr, sheet.Options{Width: width, ASCII: ascii, Color: true})
				if specimen.EscapeCode.ReplaceAllString(colored, "") != bare {
					t.Errorf("%s at %d columns: colour changes the text", name, width)
				}
			}
		}
	}
}

func TestBar(t *testing.T) {
	s := sheet.New(sheet.Options{})
	for _, test := range []struct {
		x    float64
		want string
	}{{0, ""}, {0.001, "▏"}, {0.5, "██"}, {0.53, "██▏"}, {1, "████"}, {7, "████"}, {-1, ""}} {
		if got := bar(s, test.x, 4); got != test.want {
			t.Errorf("bar(%v) = %q, want %q", test.x, got, test.want)
		}
	}
}
