package main

import (
	"context"
	"flag"
	"slices"

	"github.com/pawl-dev/pawl/internal/diagnose"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/report"
)

func diagnoseVerb() *verb {
	return &verb{
		name: "diagnose", args: "TARGET... [-- COMMAND|ARGS]", short: "what the runtime says about a program",
		long: `
Diagnose takes or reads profiles of a Go program and says what the runtime does
on its behalf and could do less of: allocating, collecting, growing stacks,
parking and waking goroutines, calling C. For each that stands out it gives its
share, the lines of the program that cause it, what changes it, what must hold
before that is done, what it can break, and the rules that know more.

A TARGET is a profile, an execution trace, a URL or a package. A profile is a
file as runtime/pprof, go test -cpuprofile or curl write it: of CPU time, the
heap, goroutines, leaked goroutines, mutexes or blocking. Several of one kind
are added up, and kinds are shown one after the other. A URL is that of a
program that serves net/http/pprof: http://HOST/debug/pprof stands for its CPU
profile, /debug/pprof/heap, goroutine, goroutineleak, mutex and block for the
others. Of a heap URL it also says what holds the memory.

	pawl diagnose cpu.pprof heap.pprof trace.out
	pawl diagnose -html page.html cpu.pprof
	pawl diagnose -seconds 30 http://localhost:6060/debug/pprof

A main package is built with profilers in it and run, with what follows -- as
its arguments, until it ends or for -seconds. Of other packages the benchmarks
are run. Nothing is written into their folders. What follows -- without a
package is a command that was built elsewhere: it is run and looked at from
outside, and profiles are taken from URLs that are named besides.

	pawl diagnose -bench Encode ./wire
	pawl diagnose ./cmd/server -- -addr :8080
	pawl diagnose http://localhost:6060/debug/pprof -- ./server -addr :8080

With -base it says what costs more or less than before. Of heap and goroutine
profiles of one process, two or more, it says what grew. What of that is noise
is told apart.

	pawl diagnose -base old.pprof new.pprof
	pawl diagnose -base monday.heap tuesday.heap wednesday.heap
	pawl diagnose -points 5 -every 60s http://localhost:6060/debug/pprof/heap

A URL without /debug/pprof in it is read as metrics of the runtime: those of
client_golang, expvar or runtime/metrics. With -metrics, they are read while a
profile is taken, from what the program has beside it.

	pawl diagnose http://localhost:9090/metrics
	pawl diagnose -metrics -seconds 30 http://localhost:6060/debug/pprof

Thresholds are defaults (docs/diagnose.md). That nothing stands out is an
answer, with exit code 0.`,
		run: runDiagnose,
	}
}

// A diagnosing holds the flags of diagnose.
type diagnosing struct {
	json    bool
	color   string
	seconds int
	own     string
	page    string
	targets targeting
	growing growthFlags
	before  comparing
	live    liveFlags
	command []string // as it was started, for the page
}

func (g *diagnosing) register(fs *flag.FlagSet) {
	fs.BoolVar(&g.json, "json", false, "print JSON (docs/json.md)")
	colorFlag(fs, &g.color)
	fs.IntVar(&g.seconds, "seconds", 0, "how `long` a program is run, or asked to profile; 10 when 0, and at most 600")
	fs.StringVar(&g.own, "own", "", "import `path` of your code, or its beginning: then lines of dependencies are named only where none of yours calls them")
	fs.StringVar(&g.page, "html", "", "write the diagnosis as a page, with flame graphs, to `file`")
	g.targets.register(fs)
	g.growing.register(fs)
	g.before.register(fs)
	g.live.register(fs)
}

func runDiagnose(ctx context.Context, e *env, v *verb, args []string) (int, error) {
	var g diagnosing
	fs := v.flags(e)
	g.register(fs)
	args, g.targets.line, g.targets.dashes = splitCommand(args)
	targets, err := v.parse(e, fs, args)
	switch {
	case err != nil:
		return 0, err
	case len(targets) == 0 && !g.targets.dashes:
		return 0, usageError("diagnose needs a TARGET: a profile, a trace, a URL, a package or a command; pawl help diagnose")
	case g.seconds < 0:
		return 0, usageError("-seconds %d is below zero", g.seconds)
	}
	g.command = asked(v, fs, targets)
	if g.targets.dashes {
		g.command = append(append(g.command, "--"), g.targets.line...)
	}
	per, err := g.before.division()
	if err != nil {
		return 0, err
	}
	o := diagnose.Options{Own: g.own, Per: per}
	if yes, err := g.growing.asked(targets, &g); err != nil {
		return 0, err
	} else if yes {
		d, last, err := g.growing.watch(ctx, e, targets[0], o)
		if err != nil {
			return 0, err
		}
		return g.show(e, d, nil, []diagnose.Source{last}, exitOK)
	}
	return g.look(ctx, e, targets, o)
}

// look reads the targets, and metrics meanwhile, and says what they show.
func (g *diagnosing) look(ctx context.Context, e *env, targets []string, o diagnose.Options) (int, error) {
	if g.targets.dashes && (g.live.beside || slices.ContainsFunc(targets, isMetrics)) {
		return 0, usageError("metrics are read from a program that runs already: leave -- and what follows it out")
	}
	if err := g.before.sides(e, targets); err != nil {
		return 0, err
	}
	base, err := readTargets(ctx, e, g.before.base, g.seconds)
	if err != nil {
		return 0, err
	}
	metrics, targets, err := g.live.begin(ctx, e, targets, g.seconds)
	if err != nil {
		return 0, err
	}
	defer metrics.stop()
	g.targets.e, g.targets.seconds, g.targets.others = e, g.seconds, metrics.pages > 0
	got, err := g.targets.gather(ctx, targets)
	if err != nil {
		return 0, err
	}
	d, err := g.before.diagnosis(base, got.sources, o)
	if err != nil {
		return 0, err
	}
	d.Args, d.Observed, d.Traces = append(g.before.base.public(), got.args...), got.observed, got.traces
	addMemory(ctx, d, got.answers)
	if err := metrics.put(d); err != nil {
		return 0, err
	}
	code := exitOK
	for _, err := range got.missing {
		d.Warnings = append(d.Warnings, model.Warning{Seen: "a URL gave nothing: " + err.Error()})
		e.printf("pawl: %v\n", err)
		code = exitFailed
	}
	if got.interrupted {
		e.printf("pawl: interrupted: this is what there was by then\n")
		code = exitFailed
	}
	return g.show(e, d, base, got.sources, code)
}

// show writes the diagnosis in the forms that are asked for.
func (g *diagnosing) show(e *env, d *model.Diagnosis, base, sources []diagnose.Source, code int) (int, error) {
	d.Tool = version()
	if err := writeDiagnosisPage(e, g.page, d, base, sources, g.own, g.command); err != nil {
		return 0, err
	}
	if g.json {
		return code, report.JSON(e.stdout, d)
	}
	return code, report.DiagnosisText(e.stdout, d, e.view(g.color, e.outTTY))
}

// readTargets reads files and URLs of profiles.
func readTargets(ctx context.Context, e *env, targets []string, seconds int) ([]diagnose.Source, error) {
	var sources []diagnose.Source
	for _, target := range targets {
		s, err := readTarget(ctx, e, target, seconds)
		if err != nil {
			return nil, misused(err)
		}
		sources = append(sources, s)
	}
	return sources, nil
}

func readTarget(ctx context.Context, e *env, target string, seconds int) (diagnose.Source, error) {
	if diagnose.IsURL(target) {
		asked, err := diagnose.Asked(target, seconds)
		if err != nil {
			return diagnose.Source{}, err
		}
		e.printf("pawl: asking %s\n", asked)
		return diagnose.Read(ctx, target, seconds)
	}
	s, err := diagnose.Read(ctx, within(e.dir, target), seconds)
	s.Name = target
	return s, err
}
