package progress

import (
	"bytes"
	"io"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/report/sheet"
)

// A hand is a clock that is turned by hand.
type hand struct {
	mu sync.Mutex
	t  time.Time
}

func newHand() *hand { return &hand{t: time.Date(2026, 1, 2, 15, 4, 5, 0, time.UTC)} }

func (h *hand) now() time.Time {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.t
}

func (h *hand) turn(d time.Duration) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.t = h.t.Add(d)
}

func TestProgressInAFile(t *testing.T) {
	var buf bytes.Buffer
	clock := newHand()
	p := New(&buf, false, clock.now, sheet.Options{})
	p.Budget(clock.now().Add(5 * time.Minute))
	p.Stage("base", "building 3 test binaries")
	for i := range 30 {
		clock.turn(time.Second)
		p.Duets(model.Verdict{Metric: "cpu/op", Units: i, Change: -0.1, Lo: -0.2, Hi: 0.03})
	}
	p.Stage("measuring", "a\x1b[2J change")
	p.Stage("measuring", "a\x1b[2J change")
	p.Line("a warning")
	p.Done()
	want := []string{
		"base: building 3 test binaries · 5 min 0 s left",
		"base: building 3 test binaries · 9 duets, cpu −10.0 % [−20.0, +3.0] % · 4 min 50 s left",
		"base: building 3 test binaries · 19 duets, cpu −10.0 % [−20.0, +3.0] % · 4 min 40 s left",
		"base: building 3 test binaries · 29 duets, cpu −10.0 % [−20.0, +3.0] % · 4 min 30 s left",
		"measuring: a\\x1b[2J change · 4 min 30 s left",
		"a warning",
	}
	if diff := cmp.Diff(want, strings.Split(strings.TrimSuffix(buf.String(), "\n"), "\n")); diff != "" {
		t.Errorf("lines differ (-want +got):\n%s", diff)
	}
}

func TestProgressOnATerminal(t *testing.T) {
	var buf bytes.Buffer
	clock := newHand()
	p := New(&buf, true, clock.now, sheet.Options{Width: 72})
	p.Budget(clock.now().Add(time.Minute))
	p.Stage("measuring", "Seal each message into a buffer of the Machine")
	for i := range 1000 {
		clock.turn(time.Millisecond)
		p.Duets(model.Verdict{Metric: "cpu/op", Units: i, Change: -0.1, Lo: -0.2, Hi: 0.03})
	}
	p.Line("a warning")
	p.Line("a line that stays, and has more words than there is room for in the 72 columns of a narrow terminal")
	p.Done()
	got := buf.String()
	paints := strings.Split(got, "\r\x1b[K")[1:]
	if len(paints) < 10 || len(paints) > 16 {
		t.Errorf("%d paints in a second", len(paints))
	}
	for _, line := range strings.Split(strings.Join(paints, "\n"), "\n") {
		if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > 71 {
			t.Errorf("%d columns: %q", n, line)
		}
	}
	// The figures are kept when there is no room for everything.
	if last := paints[len(paints)-2]; !strings.Contains(last, "duets") || !strings.HasSuffix(last, "left") {
		t.Errorf("last line %q", last)
	}
	if !strings.HasSuffix(got, "\r\x1b[K") {
		t.Errorf("something stays on the screen: %q", got[len(got)-80:])
	}
	if !strings.Contains(got, "\r\x1b[Ka warning\n") {
		t.Error("the warning is not on a line of its own")
	}
}

// The clock goes on while nothing is told, and ends with the line.
func TestProgressTicks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // fails where the clock goes on
		var buf bytes.Buffer
		p := New(&buf, true, time.Now, sheet.Options{})
		p.Stage("building", "a")
		time.Sleep(2*time.Second + time.Millisecond)
		p.Done()
		time.Sleep(time.Minute)
		p.Budget(time.Now().Add(time.Hour))
		p.Stage("measuring", "b")
		p.Done()
		p.Done()
		got := strings.Split(buf.String(), "\r\x1b[K")
		want := []string{"", "building: a · 0 s", "building: a · 1 s", "building: a · 2 s", "", "measuring: b · 1 min 2 s, 1 h 0 min left", ""}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("lines differ (-want +got):\n%s", diff)
		}
	})
}

func TestProgressFromManyGoroutines(t *testing.T) {
	clock := newHand()
	p := New(io.Discard, true, clock.now, sheet.Options{})
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 100 {
				p.Stage("a", "b")
				p.Detail("c")
				p.Budget(clock.now())
				p.Line("d")
				clock.turn(time.Second)
				p.Done()
			}
		})
	}
	wg.Wait()
	var none *Progress
	none.Stage("a", "b")
	none.Duets(model.Verdict{})
	none.Detail("c")
	none.Line("d")
	none.Budget(time.Time{})
	none.Done()
}
