package observe

import (
	"bytes"
	"io"
	"regexp"
	"strconv"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
)

// longestLine is how long a line of gctrace can be; what is longer is none.
const longestLine = 400

// leastGoal is the least heap goal, of GOGC=100, in the unit of the lines: MB
// of 2^20 bytes.
const leastGoal = 4

// A cycle is one line of GODEBUG=gctrace=1. Times are milliseconds.
type cycle struct {
	n, percent                       int64
	at                               float64 // seconds since the program's start
	stop1, mark, stop2               float64 // wall time: stopped, marking, stopped
	cpu1, assist, worker, idle, cpu2 float64
	before, after, live, goal        int64
	procs                            int64
	forced                           bool
}

// gcLine is the form of the lines, from Go 1.19 on.
var gcLine = regexp.MustCompile(`^gc (\d{1,9}) @(\d{1,9}\.\d{1,3})s (\d{1,4})%(?: \([a-z ]+\))?: ` +
	`([\d.]{1,12})\+([\d.]{1,12})\+([\d.]{1,12}) ms clock, ` +
	`([\d.]{1,12})\+([\d.]{1,12})/([\d.]{1,12})/([\d.]{1,12})\+([\d.]{1,12}) ms cpu, ` +
	`(\d{1,9})->(\d{1,9})->(\d{1,9}) MB, (\d{1,9}) MB goal, (?:\d{1,9} MB stacks, \d{1,9} MB globals, )?(\d{1,6}) P( \(forced\))?$`)

// parseCycle reads a line without its end.
func parseCycle(line string) (cycle, bool) {
	if len(line) > longestLine {
		return cycle{}, false
	}
	m := gcLine.FindStringSubmatch(line)
	if m == nil {
		return cycle{}, false
	}
	bad := false
	whole := func(i int) int64 {
		n, err := strconv.ParseInt(m[i], 10, 64)
		bad = bad || err != nil
		return n
	}
	real := func(i int) float64 {
		x, err := strconv.ParseFloat(m[i], 64)
		bad = bad || err != nil
		return x
	}
	c := cycle{
		n: whole(1), at: real(2), percent: whole(3), stop1: real(4), mark: real(5), stop2: real(6),
		cpu1: real(7), assist: real(8), worker: real(9), idle: real(10), cpu2: real(11),
		before: whole(12), after: whole(13), live: whole(14), goal: whole(15), procs: whole(16), forced: m[17] != "",
	}
	return c, !bad
}

// begins reports whether text can be the beginning of a line of gctrace.
func begins(text []byte) bool {
	const head = "gc "
	if len(text) <= len(head) {
		return strings.HasPrefix(head, string(text))
	}
	rest, ok := bytes.CutPrefix(text, []byte(head))
	if !ok || len(text) > longestLine {
		return false
	}
	for i, b := range rest {
		switch {
		case b >= '0' && b <= '9' && i < 9:
		case b == ' ' && i > 0:
			return len(rest) == i+1 || rest[i+1] == '@'
		default:
			return false
		}
	}
	return true
}

// A gcFilter passes on what is written to it but for the lines of gctrace,
// which it adds up. Only the beginning of what may be such a line is held
// back, so that a prompt without an end is seen. It has one writer.
type gcFilter struct {
	to   io.Writer
	held []byte
	mid  bool // within a line that is passed on

	sum  model.GCLines
	last int64 // number of the cycle before
}

func (f *gcFilter) Write(p []byte) (int, error) {
	total := len(p)
	for len(p) > 0 {
		end := bytes.IndexByte(p, '\n') + 1
		whole := end > 0
		if !whole {
			end = len(p)
		}
		if err := f.put(p[:end], whole); err != nil {
			return total - len(p), err
		}
		p = p[end:]
	}
	return total, nil
}

// put takes a piece of one line; whole says that it ends there.
func (f *gcFilter) put(piece []byte, whole bool) error {
	if f.mid {
		f.mid = !whole
		_, err := f.to.Write(piece)
		return err
	}
	f.held = append(f.held, piece...)
	switch {
	case whole:
		line := strings.TrimSuffix(string(f.held), "\n")
		if c, ok := parseCycle(line); ok {
			f.add(c)
			f.held = f.held[:0]
			return nil
		}
	case begins(f.held):
		return nil
	default:
		f.mid = true
	}
	return f.flush()
}

// flush passes on what is held back.
func (f *gcFilter) flush() error {
	_, err := f.to.Write(f.held)
	f.held = f.held[:0]
	return err
}

// cutShort is a line that its program did not come to end.
var cutShort = regexp.MustCompile(`^gc \d{1,9} @\d{1,9}\.`)

// end passes on what is held back, once there will be no more.
func (f *gcFilter) end() error {
	if cutShort.Match(f.held) {
		f.held = f.held[:0]
	}
	return f.flush()
}

func (f *gcFilter) add(c cycle) {
	const ms, mb = 1e6, 1 << 20
	s := &f.sum
	s.Cycles++
	if c.n <= f.last || s.Cycles == 1 {
		s.Programs++
	}
	f.last = c.n
	if c.forced {
		s.Forced++
	}
	if c.goal <= leastGoal && !c.forced {
		s.Least++
	}
	s.CPUNs += ms * (c.cpu1 + c.assist + c.worker + c.cpu2)
	s.AssistNs += ms * c.assist
	s.IdleNs += ms * c.idle
	s.StopNs += ms * (c.stop1 + c.stop2)
	s.LongestStopNs = max(s.LongestStopNs, ms*c.stop1, ms*c.stop2)
	s.LastLiveBytes = float64(c.live) * mb
	s.LiveBytes = max(s.LiveBytes, s.LastLiveBytes)
	s.GoalBytes = max(s.GoalBytes, float64(c.goal)*mb)
	s.Processors = max(s.Processors, int(c.procs))
}
