package difftest

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/internal/host/gocmd"
	"github.com/pawl-dev/pawl/internal/model"
)

// The modes of package pawldrive.
const (
	modePairs     = "pairs"
	modeBase      = "concurrent-base"
	modeCandidate = "concurrent-candidate"
)

// A job is one binary in one mode.
type job struct {
	pkg  gocmd.Package
	bin  string
	mode string
	calm []int // functions that it leaves out
	made bool  // it runs no tests: it is for functions whose inputs have to be made up
}

// A record is one line that the library writes.
type record struct {
	Start *spot // a function is about to be driven
	Heavy bool  // in it the base took much memory, and the candidate comes next
	Func  *struct {
		ID   int   `json:"id"`
		Took []int `json:"took"` // branches of the base
		// First is the test that its first input is of.
		First string `json:"first"`
		// Reached has the pairs that got to each function that this one stands for.
		Reached []int `json:"reached"`
		// Writes tells for each whether all those that were looked at write to one part of their receiver.
		Writes []bool `json:"writes"`
		model.Driven
	} `json:"func"`
	States     []model.State `json:"states"`
	Concurrent *struct {
		ID     int    `json:"id"`
		Calls  int    `json:"calls"`
		Detail string `json:"detail"` // what went wrong
		Input  string `json:"input"`
		Beside bool   `json:"beside"`  // the receiver's other methods were called meanwhile
		Reason string `json:"skipped"` // why nothing was called at the same time
	} `json:"concurrent"`
	End *struct {
		Reason string `json:"reason"`
		ID     int    `json:"id"` // the function, where a call of it goes on
		Began  int    `json:"began"`
		Left   int    `json:"left"`
	} `json:"end"`
}

// A spot is what a process is about to do: one input, in one phase of driving a
// function.
type spot struct {
	ID    int    `json:"id"`
	Phase string `json:"phase"`
	Input int    `json:"input"`
	heavy bool
}

func (p spot) String() string { return fmt.Sprintf("%s, input %d", p.Phase, p.Input) }

// whole and one are what PAWL_DRIVE_AVOID has to say of the phase and of the input.
func (p spot) whole() string { return fmt.Sprintf("%d %s", p.ID, p.Phase) }
func (p spot) one() string   { return fmt.Sprintf("%s %d", p.whole(), p.Input) }

// done returns the function that a record is the result for, or -1.
func (r record) done() int {
	switch {
	case r.Func != nil:
		return r.Func.ID
	case r.Concurrent != nil:
		return r.Concurrent.ID
	}
	return -1
}

// An ended is how one process went.
type ended struct {
	records []record
	exit    gocmd.Exit
	late    bool // it was ended because its time was over
}

// endMark is what the added benchmark writes to stderr when Drive has returned.
const endMark = "pawl: all functions are driven"

// began reports whether the tests and benchmarks have ended and driving began.
func (e ended) began() bool { return len(e.records) > 0 || e.complete() }

// complete reports whether Drive has returned after all functions.
func (e ended) complete() bool {
	for _, r := range e.records {
		if r.End != nil {
			return r.End.Reason == "done"
		}
	}
	return bytes.Contains(e.exit.Stderr, []byte(endMark))
}

// cut returns how many tests, subtests and benchmarks began, and how many were
// left out, since the time for recording was over; zeros where none was.
func (e ended) cut() (began, left int) {
	for _, r := range e.records {
		if r.End != nil && r.End.Left > 0 {
			return r.End.Began, r.End.Left
		}
	}
	return 0, 0
}

// short reports whether the time did not suffice: for the process, for what it
// was recording when it should have been driving, or for all tests.
func (e ended) short() bool {
	_, left := e.cut()
	return left > 0 || e.late || !e.began() && e.exit.Code == slow
}

// last returns what was being done at the end, nil for nothing.
func (e ended) last() (at *spot) {
	for _, r := range e.records {
		switch {
		case r.Start != nil:
			at = r.Start
		case r.Heavy && at != nil:
			at.heavy = true
		case at != nil && r.done() == at.ID:
			at = nil
		}
	}
	return at
}

// done returns the functions that a process had results for.
func (e ended) done() []int {
	var ids []int
	for _, r := range e.records {
		if id := r.done(); id >= 0 {
			ids = append(ids, id)
		}
	}
	return ids
}

// A session is one job, with what has been left out of it so far.
type session struct {
	job
	sel    selection
	skip   []int           // functions
	only   []int           // functions that have only the phase of extremes before them
	avoid  []string        // inputs and phases in which a process died
	died   map[string]bool // phases in which a process died
	deaths int
	second bool // it is for functions that were not called in a run that came to its end
}

// drive runs a job within a time, and again without what it died in. It returns
// how much of the time that took.
func (r *runner) drive(ctx context.Context, j job, budget time.Duration) (took time.Duration, err error) {
	s := &session{job: j, skip: r.skips(j), died: make(map[string]bool), second: j.made}
	var known bool
	if s.sel, known = r.selected[j.pkg.ImportPath]; !known {
		s.sel.level = all
	}
	if j.made {
		s.sel = selection{level: nothing}
	}
	for again := true; again && s.deaths <= restarts; {
		left := min(budget-took, time.Until(r.ceiling))
		if left < time.Second {
			r.runsOut(j)
			break
		}
		e, err := r.start(ctx, s, left)
		if err != nil {
			return took, err
		}
		took += e.spent(j.procs())
		r.take(j, e)
		r.takePartly(s, e)
		if e.short() {
			r.runsOut(j)
		}
		again = r.next(s, e)
		if !e.began() && took > budget/3 {
			s.sel = s.sel.hurried(r.cfg.judging(j.pkg.ImportPath))
		}
	}
	switch name := j.pkg.ImportPath; {
	case r.ended[name]:
	case r.late[name]:
		r.say(fmt.Sprintf("the time did not suffice to drive it in %s", name))
	default:
		r.say(fmt.Sprintf("driving in %s did not come to an end", name))
	}
	return took, nil
}

// procs is on how many processors a job's goroutines run.
func (j job) procs() int {
	if j.mode == modePairs {
		return 1
	}
	return 4
}

// spent returns the time that a process had for itself: what it used of the
// processors, and not all that it waited for.
func (e ended) spent(procs int) time.Duration {
	return max(e.exit.CPU/time.Duration(min(procs, runtime.NumCPU())), e.exit.Wall/stretch)
}

// runsOut notes that the time does not suffice for all tests of a job.
func (r *runner) runsOut(j job) {
	if j.mode == modePairs {
		r.late[j.pkg.ImportPath] = true
	}
}

// next takes in how a process ended, and reports whether another one is to
// follow.
func (r *runner) next(s *session, e ended) bool {
	name := s.pkg.ImportPath
	if e.complete() {
		if !s.second {
			r.selected[name], r.ended[name] = s.sel, true
		}
		if s.second || s.sel.level != all || s.mode != modePairs || !r.unrecorded() {
			return false
		}
		s.second, s.skip, s.sel.level = true, r.skipSeen(s.skip), allLong
		if _, left := e.cut(); left > 0 { // the same tests would take all of the time again
			s.sel.level = benchmarks
			if !r.recorded[name] {
				r.selected[name] = s.sel
			}
		}
		return true
	}
	if !e.began() && !s.second {
		var more bool
		s.sel, more = s.sel.without(e, r.cfg.judging(name))
		return more
	}
	before := len(s.skip) + len(s.only) + len(s.avoid)
	for _, id := range e.done() {
		switch {
		case slices.Contains(slices.Concat(s.skip, s.only), id):
		case s.mode == modePairs:
			s.only = append(s.only, id)
		default:
			s.skip = append(s.skip, id)
		}
	}
	for _, rec := range e.records {
		if rec.End != nil && rec.End.Reason == "hang" {
			s.skip = append(s.skip, rec.End.ID)
		}
	}
	if at := e.last(); at != nil {
		s.deaths++
		r.died(s, *at, e)
	}
	return len(s.skip)+len(s.only)+len(s.avoid) > before && !s.second
}

// unrecorded reports whether some function that could be driven has not been
// called so far.
func (r *runner) unrecorded() bool {
	for id, s := range r.subjects {
		if d := r.found[id]; s.skipped == "" && r.dead[id] == "" && (d == nil || !d.seen) {
			return true
		}
	}
	return false
}

// skipSeen adds to skip the functions that were driven.
func (r *runner) skipSeen(skip []int) []int {
	skip = slices.Clone(skip)
	for id, d := range r.found {
		if d.seen {
			skip = append(skip, id)
		}
	}
	return skip
}

// skips returns the functions that a job need not drive.
func (r *runner) skips(j job) []int {
	ids := slices.Clone(j.calm)
	for id := range r.dead {
		ids = append(ids, id)
	}
	if j.mode == modeCandidate {
		for id := range r.subjects {
			if d := r.found[id]; d == nil || !d.baseConcurrent {
				ids = append(ids, id)
			}
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

// lingers is how long the race detector waits, when all calls have returned, for what they
// have left running. Its own second is for tests that it knows nothing of.
const lingers = "atexit_sleep_ms=100"

// start runs one process.
func (r *runner) start(ctx context.Context, s *session, left time.Duration) (ended, error) {
	const name = "drive.jsonl"
	box, err := r.cfg.Go.Meter.Outbox()
	if err != nil {
		return ended{}, err
	}
	defer box.Remove()
	record := time.Duration(float64(left) * recordShare)
	env := r.cfg.Go.Env("GOMAXPROCS="+strconv.Itoa(s.procs()), "PAWL_DRIVE_OUT="+box.Path(name), "PAWL_DRIVE_MODE="+s.mode,
		"PAWL_DRIVE_PAIRS="+strconv.Itoa(r.cfg.Pairs), "PAWL_DRIVE_SKIP="+list(s.skip), "PAWL_DRIVE_BESIDE="+list(r.besides()),
		"PAWL_DRIVE_DONE="+list(s.only), "PAWL_DRIVE_AVOID="+strings.Join(s.avoid, "\n"), "PAWL_DRIVE_MEMORY="+strconv.FormatInt(r.memory(s.job), 10),
		"PAWL_DRIVE_ENOUGH="+millis(record*2/3), "PAWL_DRIVE_LATEST="+millis(record), "PAWL_DRIVE_UNTIL="+millis(left-time.Second),
		"PAWL_DRIVE_MADE="+strconv.FormatBool(s.made), "PAWL_DRIVE_SEED="+strconv.FormatUint(r.cfg.Seed, 10), "PAWL_DRIVE_JUDGES="+r.cfg.judgesOf(s.pkg.ImportPath))
	if s.mode != modePairs { // with the race detector fewer tests come to their turn
		env = append(env, "PAWL_DRIVE_FIRST="+strings.Join(slices.Sorted(maps.Keys(r.first[s.pkg.ImportPath])), "\n"))
		env = append(env, "GORACE="+strings.TrimSpace(gocmd.Getenv(env, "GORACE")+" "+lingers))
	}
	r.cfg.detail(fmt.Sprintf("driving both versions in the tests of %s (%s)", s.pkg.ImportPath, s.mode))
	tctx, cancel := context.WithTimeout(ctx, min(stretch*left, time.Until(r.ceiling)))
	defer cancel()
	exit, err := r.cfg.Go.Meter.Run(tctx, gocmd.Proc{
		Path: s.bin, Args: s.sel.args((stretch * record).Round(time.Millisecond), r.cfg.judging(s.pkg.ImportPath)), Dir: s.pkg.Dir, Env: env, CPU: gocmd.NoCPU, Among: r.cfg.Among, Kind: gocmd.Test, Limit: 1 << 20,
	})
	e := ended{exit: exit, late: errors.Is(err, context.DeadlineExceeded)}
	if ctx.Err() != nil {
		return e, ctx.Err()
	}
	if err != nil && !e.late {
		return e, fmt.Errorf("driving the tests of %s: %w", s.pkg.ImportPath, err)
	}
	data, err := box.Read(name)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return e, fmt.Errorf("reading what was driven: %w", err)
	}
	e.records = parse(data)
	return e, nil
}

// list writes identifiers the way that the library reads them.
func list(ids []int) string {
	out := make([]string, len(ids))
	for i, id := range ids {
		out[i] = strconv.Itoa(id)
	}
	return strings.Join(out, ",")
}

// besides returns the functions whose base may be called beside others.
func (r *runner) besides() (ids []int) {
	for id, d := range r.found {
		if d.baseBeside {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids
}

// judgesOf names the judging benchmarks of a package, one a line.
func (c Config) judgesOf(pkg string) string {
	var names []string
	for _, b := range c.Judges {
		if b.Pkg == pkg {
			names = append(names, b.Name)
		}
	}
	return strings.Join(names, "\n")
}

// judging names the functions of the judging benchmarks of a package.
func (c Config) judging(pkg string) []string {
	var names []string
	for _, b := range c.Judges {
		if name, _, _ := strings.Cut(b.Name, "/"); b.Pkg == pkg && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

func millis(d time.Duration) string { return strconv.FormatInt(d.Milliseconds(), 10) }

// parse reads the library's lines. A process may die in the middle of one.
func parse(data []byte) []record {
	var out []record
	sc := bufio.NewScanner(bytes.NewReader(data))
	sc.Buffer(nil, 64<<20)
	for sc.Scan() {
		var r record
		if json.Unmarshal(sc.Bytes(), &r) == nil && (r.Start != nil || r.Heavy || r.done() >= 0 || r.End != nil || len(r.States) > 0) {
			out = append(out, r)
		}
	}
	return out
}

// inCandidate reports whether the stacks that a dead process left behind show
// that a function's copy of the candidate was running, and not the base's.
func (e ended) inCandidate(id int) bool {
	running := func(prefix string) bool {
		return bytes.Contains(e.exit.Stderr, fmt.Appendf(nil, ".%scall%d(", prefix, id)) ||
			bytes.Contains(e.exit.Stderr, fmt.Appendf(nil, ".%scall%d[", prefix, id)) // of a generic function
	}
	return !e.late && running(candPrefix) && !running(basePrefix)
}

// memory is how many bytes a job may take; 0 is no limit. The race detector dies of
// one, and names nothing.
func (r *runner) memory(j job) int64 {
	if j.mode != modePairs {
		return 0
	}
	return r.cfg.Memory
}

var refusedMemory = regexp.MustCompile(`(?m)^fatal error: .*(out of|cannot allocate) memory`)

// outOfMemory reports whether a dead process was refused memory.
func (e ended) outOfMemory() bool { return refusedMemory.Match(e.exit.Stderr) }

// cause picks from a dead process's output what it died of, when it might take so
// many bytes.
func (e ended) cause(memory int64) string {
	switch {
	case e.late:
		return "its time was over"
	case memory > 0 && e.outOfMemory():
		return fmt.Sprintf("it needs more than %d MiB", memory>>20)
	}
	for l := range strings.Lines(string(e.exit.Stderr)) {
		l = strings.TrimSpace(l)
		if strings.HasPrefix(l, "fatal error:") || strings.HasPrefix(l, "panic:") || strings.HasPrefix(l, "runtime:") {
			return l
		}
	}
	return fmt.Sprintf("exit status %d", e.exit.Code)
}
