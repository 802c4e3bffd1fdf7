package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/host/foreign"
	"github.com/pawl-dev/pawl/internal/report/data"
	"github.com/pawl-dev/pawl/internal/report/diagnosis"
	"github.com/pawl-dev/pawl/internal/run/diagnose"
)

const diagnoseManual = `
Diagnose takes or reads profiles of a Go program and reports what the runtime
does on its behalf and could do less of: allocating, collecting, growing stacks,
parking and waking goroutines, calling C. For each that stands out it gives its
share, the lines of the program that cause it, what changes it, what must hold
before that is done, what it can break, and the rules that know more.

A TARGET is a profile, an execution trace, a URL or a package. A profile is a
file as runtime/pprof, go test -cpuprofile or curl write it: of CPU time, the
heap, goroutines, leaked goroutines, mutexes or blocking. Several of one kind
are added up, and kinds are shown one after the other. A URL is that of a
program that serves net/http/pprof: http://HOST/debug/pprof stands for its CPU
profile, /debug/pprof/heap, goroutine, goroutineleak, mutex and block for the
others. For a heap URL it also shows what holds the memory.

	pawl diagnose cpu.pprof heap.pprof trace.out
	pawl diagnose -html page.html cpu.pprof
	pawl diagnose -seconds 30 http://localhost:6060/debug/pprof

A main package is built with profilers in it and run until it ends or for
-seconds; its arguments follow --. The benchmarks of other packages are run.
Nothing is written into their directories. Without a package, what follows -- is
a command that was built elsewhere. Diagnose runs it, observes it from outside,
and takes profiles from URLs that are named besides.

	pawl diagnose -bench Encode ./wire
	pawl diagnose ./cmd/server -- -addr :8080
	pawl diagnose http://localhost:6060/debug/pprof -- ./server -addr :8080

-base shows what costs more or less than before, beyond noise. For two or more
heap or goroutine profiles of one process it shows what grew.

	pawl diagnose -base old.pprof new.pprof
	pawl diagnose -base monday.heap tuesday.heap wednesday.heap
	pawl diagnose -points 5 -every 60s http://localhost:6060/debug/pprof/heap

A URL without /debug/pprof in it is read as metrics of the runtime: those of
client_golang, expvar or runtime/metrics. -metrics reads them while a profile is
taken, from the pages that the program has beside it.

	pawl diagnose http://localhost:9090/metrics
	pawl diagnose -metrics -seconds 30 http://localhost:6060/debug/pprof

Thresholds are defaults (docs/diagnose.md). That nothing stands out is an
answer, with exit code 0.`

// A diagnosing holds the flags of diagnose.
type diagnosing struct {
	diagnose.Options
	base  targets
	json  bool
	color string
	page  string
}

func (g *diagnosing) register(fs *flag.FlagSet) {
	fs.BoolVar(&g.json, "json", false, "print JSON (docs/json.md)")
	colorFlag(fs, &g.color)
	fs.IntVar(&g.Seconds, "seconds", 0, "how `long` a program is run, or asked to profile; 10 when 0, and at most 600")
	fs.StringVar(&g.Own, "own", "", "import `path` of your code, or its beginning: then lines of dependencies are named only where none of yours calls them")
	fs.StringVar(&g.page, "html", "", "write the diagnosis as a page, with flame graphs, to `file`")
	fs.StringVar(&g.Bench, "bench", "", "of a package, run the benchmarks that match `regexp`; all without it")
	fs.StringVar(&g.Keep, "keep", "", "leave the profiles and the trace of a run in `dir`")
	fs.IntVar(&g.Points, "points", 0, "`how many` profiles are taken of a heap or goroutine URL, 2 to 100: shows what grew between them")
	fs.DurationVar(&g.Every, "every", 0, "`how long` -points are apart; 10s when not given, all of them 10 min at most")
	fs.Var(&g.base, "base", "`profiles` of the program before: say what costs more and what less since; several with commas, or the flag again")
	fs.StringVar(&g.Ops, "ops", "", "with -base: how many operations, `OLD,NEW`, the profiles of each side cover; figures are then per operation, and not shares")
	g.Per = "share"
	fs.Var(choice{&g.Per, []string{"share", "second"}}, "per", "with -base: `what` figures are divided by: share (of the profile) or second")
	fs.BoolVar(&g.Metrics, "metrics", false, "read the runtime's metrics as well, from what a URL's program has beside it: /metrics, /debug/vars, /debug/pprof/heap?debug=1")
	fs.IntVar(&g.PID, "pid", 0, "`id` of the program's process on this machine, for its CPU quota; looked for by the port of a loopback address when 0")
}

// targets is a flag that may be given several times, or with commas.
type targets []string

func (t *targets) String() string { return strings.Join(*t, ",") }

func (t *targets) Set(v string) error {
	if strings.Trim(v, ",") == "" {
		return errors.New("it names nothing: is a variable of the shell not set?")
	}
	for part := range strings.SplitSeq(v, ",") {
		if part != "" {
			*t = append(*t, part)
		}
	}
	return nil
}

func runDiagnose(ctx context.Context, e *env, v *verb, args []string) (int, error) {
	var g diagnosing
	fs := v.flags()
	g.register(fs)
	if i := slices.Index(args, "--"); i >= 0 {
		args, g.Line, g.Dashes = args[:i], args[i+1:], true
	}
	var err error
	if g.Targets, err = v.parse(e, fs, args); err != nil {
		return 0, err
	}
	if len(g.Targets) == 0 && !g.Dashes {
		return 0, usageError("diagnose needs a TARGET: a profile, a trace, a URL, a package or a command; pawl help diagnose")
	}
	named := g.Targets
	done, err := g.stored(ctx, e)
	defer done()
	if err != nil {
		return 0, err
	}
	g.Flames, g.Tool = g.page != "", version()
	g.Dir, g.Env, g.Programs = e.dir, e.environ, e.programs
	g.Say = func(text string) { e.printf("pawl: %s\n", text) }
	// A program that runs in a group of its own must not read from a terminal: the
	// system would stop it.
	if !isTerminal(os.Stdin) {
		g.Stdin = os.Stdin
	}
	f, err := diagnose.Run(ctx, g.Options)
	if err != nil {
		return 0, err
	}
	g.Targets = named
	return g.show(e, f, g.asked(v, fs))
}

// stored puts files in the place of what watch kept, on both sides; they are there until
// done is called.
func (g *diagnosing) stored(ctx context.Context, e *env) (done func(), err error) {
	g.Files = map[string]string{}
	put := func(names []string) ([]string, func(), error) {
		all, done, err := e.open(ctx, names, "cpu", "heap", "goroutine", "goroutineleak", "mutex", "block")
		var out []string
		for _, o := range all {
			out = append(out, o.name)
			if o.kept {
				g.Files[o.name] = o.file
			}
		}
		return out, done, err
	}
	var before, after func()
	g.Targets, after, err = put(g.Targets)
	if err != nil {
		return after, err
	}
	g.Base, before, err = put(g.base)
	return func() { before(); after() }, err
}

func (g *diagnosing) show(e *env, f *diagnose.Found, command []string) (int, error) {
	if g.page != "" {
		if err := writeDiagnosisPage(e, g.page, f, command); err != nil {
			return 0, err
		}
	}
	code := exitOK
	if f.Part {
		code = exitFailed
	}
	if g.json {
		return code, data.JSON(e.stdout, f.Diagnosis)
	}
	return code, diagnosis.Text(e.stdout, f.Diagnosis, e.view(g.color, e.outTTY))
}

// writeDiagnosisPage writes a diagnosis with the flame graphs of its profiles
// as a page to the file name. The command stands on the page.
func writeDiagnosisPage(e *env, name string, f *diagnose.Found, command []string) error {
	var buf bytes.Buffer
	if err := diagnosis.HTML(&buf, f.Diagnosis, diagnosis.Extra{Command: command, Flames: f.Flames}); err != nil {
		return err
	}
	if err := os.WriteFile(foreign.Path(e.dir, name), buf.Bytes(), 0o644); err != nil {
		return fmt.Errorf("writing the page: %w; name a file in a directory that is there and can be written", err)
	}
	e.printf("pawl: the page is %s\n", name)
	return nil
}

// asked returns the command that the verb was started with, without passwords
// in its URLs.
func (g *diagnosing) asked(v *verb, fs *flag.FlagSet) []string {
	out := []string{"pawl", v.name}
	fs.Visit(func(f *flag.Flag) {
		value := f.Value.String()
		switch b, ok := f.Value.(interface{ IsBoolFlag() bool }); {
		case !ok || !b.IsBoolFlag():
			out = append(out, "-"+f.Name, diagnose.Public(value))
		case value == "true":
			out = append(out, "-"+f.Name)
		default:
			out = append(out, "-"+f.Name+"="+value)
		}
	})
	for _, o := range g.Targets {
		out = append(out, diagnose.Public(o))
	}
	if g.Dashes {
		out = append(append(out, "--"), g.Line...)
	}
	return out
}
