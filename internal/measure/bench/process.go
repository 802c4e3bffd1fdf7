package bench

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/internal/host/gocmd"
	"github.com/pawl-dev/pawl/internal/model"
)

// outputLimit is how much of a process's output is kept. Its end explains a
// failure; of a benchmark that prints in its loop there can be gigabytes.
const outputLimit = 1 << 20

// A job is one process to be run.
type job struct {
	bin     *Binary
	name    string // the benchmark that is measured; "" to run several
	pattern string // for -test.bench
	n       int64
	procs   int // GOMAXPROCS; 0 leaves it to the user's environment
	cpu     int
	barrier bool
	quiet   bool // no collection and no barrier before the timed region
	probe   bool // tell waiting from being kept waiting
	timeout time.Duration
	args    []string // further flags
	env     []string // further variables; PAWL_* only count without Binary.Stock
}

// exactly returns the job that runs one benchmark for n iterations.
func exactly(b *Binary, bm model.Benchmark, n int64) job {
	return job{bin: b, name: bm.Name, pattern: exactPattern(bm.Name), n: n, cpu: gocmd.NoCPU, timeout: probeTimeout}
}

// exactPattern returns the -bench value that matches one name only. Slashes
// stay bare: they separate the patterns of the levels.
func exactPattern(name string) string {
	levels := strings.Split(name, "/")
	for i, l := range levels {
		levels[i] = "^" + regexp.QuoteMeta(l) + "$"
	}
	return strings.Join(levels, "/")
}

func (j job) flags() []string {
	f := []string{
		"-test.run=^$",
		"-test.bench=" + j.pattern,
		"-test.benchtime=" + strconv.FormatInt(j.n, 10) + "x",
		"-test.count=1",
		"-test.paniconexit0", // as go test does: an os.Exit(0) must not look like the end
	}
	if j.bin.Stock {
		f = append(f, "-test.benchmem", "-test.v")
	}
	return append(f, j.args...)
}

// A process is a job that runs.
type process struct {
	job    job
	proc   *gocmd.Running
	own    []*os.File // this side's ends of all pipes
	text   chan string
	ready  *os.File // nil without a barrier
	letGo  *os.File
	inside []*os.File // the process's ends
	delay  *waiting   // nil where the process says so itself, or nobody asks
}

// An outcome is how a job ended.
type outcome struct {
	exit    gocmd.Exit
	records []record
	wait    time.Duration // that a probe without hooks was kept waiting
}

// start starts a job. The caller calls wait.
func (s *Suite) start(ctx context.Context, j job) (*process, error) {
	p := &process{job: j, text: make(chan string, 1)}
	env := []string{"PWD=" + j.bin.Dir}
	if j.procs > 0 {
		env = append(env, "GOMAXPROCS="+strconv.Itoa(j.procs))
	}
	records, pawl, err := p.pipes()
	if err == nil {
		p.proc, err = s.g.Meter.Start(ctx, gocmd.Proc{
			Path:  j.bin.Path,
			Args:  j.flags(),
			Dir:   j.bin.Dir,
			Env:   s.g.Env(slices.Concat(env, pawl, j.env, j.bin.Env)...),
			Extra: p.inside,
			CPU:   j.cpu,
			Kind:  gocmd.Measure,
			Limit: outputLimit,
		})
	}
	for _, f := range p.inside {
		_ = f.Close()
	}
	if err != nil {
		for _, f := range p.own {
			_ = f.Close()
		}
		return nil, fmt.Errorf("running the benchmarks of %s: %w", j.bin.Pkg, err)
	}
	if j.probe && j.bin.Stock {
		p.delay = watch(p.proc.Pid())
	}
	go func() { // ends when the process does: it alone has the other end
		var text []byte
		if records != nil {
			text, _ = io.ReadAll(records)
		}
		p.text <- string(text)
	}()
	return p, nil
}

// pipes makes what a process with hooks needs, and the variables that say so.
func (p *process) pipes() (records *os.File, env []string, err error) {
	if p.job.bin.Stock {
		return nil, nil, nil
	}
	pipe := func(variable string, inward bool) (*os.File, error) {
		r, w, err := os.Pipe()
		if err != nil {
			return nil, fmt.Errorf("making a pipe: %w", err)
		}
		mine, theirs := r, w
		if inward {
			mine, theirs = w, r
		}
		p.own, p.inside = append(p.own, mine), append(p.inside, theirs)
		env = append(env, variable+"="+strconv.Itoa(2+len(p.inside))) // the first extra file is descriptor 3
		return mine, nil
	}
	if records, err = pipe("PAWL_RECORDS", false); err != nil {
		return nil, nil, err
	}
	if p.job.barrier {
		if p.ready, err = pipe("PAWL_READY", false); err != nil {
			return nil, nil, err
		}
		if p.letGo, err = pipe("PAWL_GO", true); err != nil {
			return nil, nil, err
		}
	}
	if p.job.probe {
		env = append(env, "PAWL_PROBE=1")
	}
	if p.job.name != "" && !p.job.quiet {
		env = append(env, "PAWL_NAME="+p.job.name, "PAWL_N="+strconv.FormatInt(p.job.n, 10))
	}
	return records, env, nil
}

// wait waits for the end of the process and of what reads from it.
func (p *process) wait() (outcome, error) {
	e, err := p.proc.Wait()
	if len(p.own) > 0 {
		// A descendant outside the process group could hold the pipe open.
		_ = p.own[0].SetReadDeadline(time.Now().Add(time.Second))
	}
	text := <-p.text
	for _, f := range p.own {
		_ = f.Close()
	}
	o := outcome{exit: e, wait: p.delay.longest()}
	var bad error
	if p.job.bin.Stock {
		o.records = scanVerbose(string(e.Stdout))
		if p.job.name != "" && p.job.procs != 1 {
			stripProcs(o.records, p.job.name)
		}
	} else {
		o.records, bad = parseRecords(text)
	}
	if err != nil {
		return o, err
	}
	if bad != nil {
		return o, fmt.Errorf("reading what the benchmark of %s reported: %w", p.job.bin.Pkg, bad)
	}
	return o, nil
}

// run runs a job to its end, for as long as its timeout at most.
func (s *Suite) run(ctx context.Context, j job) (outcome, error) {
	limited, cancel := context.WithTimeout(ctx, j.timeout)
	defer cancel()
	p, err := s.start(limited, j)
	if err != nil {
		return outcome{}, err
	}
	o, err := p.wait()
	return o, j.late(ctx, err)
}

// errLate is the error of a job for several benchmarks that took too long.
var errLate = errors.New("no result")

// late replaces the error of an expired timeout, as opposed to that of the
// caller's context, by one that says what took too long: a *Failure where the
// job is for one benchmark.
func (j job) late(ctx context.Context, err error) error {
	if ctx.Err() != nil || !errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	if j.name == "" {
		return fmt.Errorf("benchmarks matching %q of %s: %w within %v; choose other benchmarks with -bench", j.pattern, j.bin.Pkg, errLate, j.timeout.Round(time.Millisecond))
	}
	return &Failure{
		Benchmark: model.Benchmark{Pkg: j.bin.Pkg, Name: j.name}, Code: -1, Late: true,
		Why: fmt.Sprintf("came to no result of %d iterations within %v", j.n, j.timeout.Round(time.Millisecond)),
	}
}

// measure runs a job for one benchmark and returns its figures. baseline is
// what is taken off the CPU time of a process without hooks.
func (s *Suite) measure(ctx context.Context, j job, baseline float64) (measure, error) {
	o, err := s.run(ctx, j)
	if err != nil {
		return measure{}, err
	}
	return j.figures(o, baseline)
}

// figures takes a job's figures from how it ended. A benchmark that did not
// come to its result, and a process that did not end well, are *Failures.
func (j job) figures(o outcome, baseline float64) (measure, error) {
	m, ok := last(o.records, j.name)
	m.rusage = float64(o.exit.CPU.Nanoseconds())
	if j.bin.Stock {
		m.cpu = max(0, m.rusage-baseline)
		m.wait = float64(o.wait)
	}
	switch {
	case !ok, o.exit.Code != 0:
		return m, j.failure(o)
	case m.n != j.n:
		return m, fmt.Errorf("%s ran %d iterations instead of %d: does it run its loop by itself?", j.name, m.n, j.n)
	}
	return m, nil
}
