package progress

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/report/figure"
	"github.com/pawl-dev/pawl/internal/report/sheet"
	"github.com/pawl-dev/pawl/internal/words"
)

const (
	repaint = 100 * time.Millisecond // between two states of the line on a terminal
	tick    = time.Second            // between two readings of its clock
	lineMax = 1000                   // columns of a line that stays
	repeat  = 10 * time.Second       // between two lines of the same stage where lines stay
)

// A Progress shows what is going on while pawl works. On a terminal it is one
// line that is written over, at most ten times a second, and is gone at the
// end. Its clock goes on while there is nothing else to tell. Elsewhere it is one
// line for each stage, and for a long stage another one every ten seconds at most.
//
// The clock is a goroutine from the first Stage on a terminal to Done. A Progress
// may be used by several goroutines. A nil *Progress shows nothing. Errors of the
// writer are not reported: a run is not lost because its terminal is.
type Progress struct {
	w   io.Writer
	tty bool
	o   sheet.Options
	now func() time.Time

	mu       sync.Mutex
	deadline time.Time
	stage    string
	aim      string // what is being tried
	detail   string
	began    time.Time // when the first stage did
	painted  time.Time // when the last line was written
	onScreen bool      // a line stands on the terminal that is to be taken away
	halt     func()    // ends the clock, and waits for that; nil while none goes
}

// New returns a progress line on w, which is a terminal when tty is
// set. The clock is time.Now in a program.
func New(w io.Writer, tty bool, now func() time.Time, o sheet.Options) *Progress {
	return &Progress{w: w, tty: tty, o: o, now: now}
}

// Budget sets when the time of the run is up, for the time left to be shown.
// The zero time is no limit.
func (p *Progress) Budget(deadline time.Time) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.deadline = deadline
}

// Stage says that something else begins: a stage and what it is about, which
// may be empty. What was said of the stage before it is dropped. Saying the
// same again changes nothing.
func (p *Progress) Stage(name, aim string) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	name, aim = p.text(name), p.text(aim)
	if name == p.stage && aim == p.aim {
		return
	}
	p.stage, p.aim, p.detail = name, aim, ""
	p.start()
	p.paint()
}

// start makes the clock of a terminal go.
func (p *Progress) start() {
	if !p.tty || p.halt != nil {
		return
	}
	if p.began.IsZero() {
		p.began = p.now()
	}
	done, ended := make(chan struct{}), make(chan struct{})
	p.halt = func() { close(done); <-ended }
	go func() {
		defer close(ended)
		p.run(done)
	}()
}

// run paints the line each second, as long as it stands there.
func (p *Progress) run(done <-chan struct{}) {
	t := time.NewTicker(tick)
	defer t.Stop()
	for {
		select {
		case <-done:
			return
		case <-t.C:
		}
		p.mu.Lock()
		if p.onScreen {
			p.paint()
		}
		p.mu.Unlock()
	}
}

// Detail says how the stage is getting on. It is shown when the last line is
// old enough.
func (p *Progress) Detail(text string) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.detail = p.text(text)
	wait := repeat
	if p.tty {
		wait = repaint
	}
	if p.now().Sub(p.painted) >= wait {
		p.paint()
	}
}

// Duets is Detail of a comparison under way: how many duets, and where the
// estimate stands.
func (p *Progress) Duets(v model.Verdict) {
	t := figure.Units(v)
	if v.Units > 0 {
		t += ", " + figure.MetricShort(v.Metric) + " " + figure.Change(v.Change) + " " + figure.Bounds(v)
	}
	p.Detail(t)
}

// Line writes a whole line that stays, with the progress below it.
func (p *Progress) Line(text string) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	shown := p.onScreen
	p.clear()
	text = p.text(text)
	if p.tty {
		text = sheet.Fit(text, p.o.Columns())
	}
	fmt.Fprintln(p.w, text)
	if shown {
		p.paint()
	}
}

// Done takes the line away from a terminal, and stops its clock. Progress may be
// used again after it.
func (p *Progress) Done() {
	if p == nil {
		return
	}
	p.mu.Lock()
	p.clear()
	p.stage, p.aim, p.detail = "", "", ""
	halt := p.halt
	p.halt = nil
	p.mu.Unlock()
	if halt != nil { // outside of the lock, which the clock may wait for
		halt()
	}
}

func (p *Progress) clear() {
	if p.onScreen {
		// Return to the start of the line and erase to its end.
		fmt.Fprint(p.w, "\r\x1b[K")
		p.onScreen = false
	}
}

func (p *Progress) paint() {
	p.painted = p.now()
	if !p.tty {
		fmt.Fprintln(p.w, p.line(lineMax))
		return
	}
	// One column stays free: a full line makes some terminals begin a new one.
	// One write, so that the line is never seen half erased.
	room := p.o.Columns() - 1
	fmt.Fprint(p.w, "\r\x1b[K"+p.line(room))
	p.onScreen = true
}

// line joins what is known, in at most room columns. Where it does not fit,
// what is being tried is cut first and the time left goes next: the figures
// are what is watched.
func (p *Progress) line(room int) string {
	sep := " " + p.text("·") + " "
	tail := ""
	if p.detail != "" {
		tail = sep + p.detail
	}
	for _, t := range p.clock() {
		if columns(p.stage+tail+sep+t) <= room {
			tail += sep + t
			break
		}
	}
	head := p.stage
	if full := p.stage + ": " + p.aim; p.aim != "" && columns(p.stage)+aimMin+columns(tail) <= room {
		head = sheet.Cut(full, room-columns(tail), p.o.ASCII)
	}
	return sheet.Cut(head+tail, room, p.o.ASCII)
}

// clock is how long pawl has been at work, which only a terminal shows, and how
// long it still may be. Where there is no room for the first form, the next is shown.
func (p *Progress) clock() (forms []string) {
	if !p.deadline.IsZero() {
		forms = []string{remaining(p.deadline.Sub(p.now()))}
	}
	if p.tty {
		spent := took(p.now().Sub(p.began))
		forms = append([]string{strings.Join(append([]string{spent}, forms...), ", ")}, forms...)
	}
	return forms
}

// text is what others wrote, in the form in which it is shown.
func (p *Progress) text(t string) string { return sheet.New(p.o).Text(t) }

// aimMin is how much of what is being tried is worth showing.
const aimMin = 8

func columns(t string) int { return utf8.RuneCountInString(t) }

// took is a time in whole seconds: tenths would always be 0.
func took(d time.Duration) string {
	if d = d.Round(time.Second); d < time.Minute {
		return fmt.Sprintf("%d s", d/time.Second)
	}
	return words.Seconds(d.Seconds())
}

func remaining(d time.Duration) string {
	if d <= 0 {
		return "time is up"
	}
	return took(d) + " left"
}
