package main

import (
	"context"

	"github.com/pawl-dev/pawl/internal/diagnose"
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
heap, goroutines, mutexes or blocking. Several of one kind are added up, and
kinds are shown one after the other. A URL is that of a program that serves
net/http/pprof: http://HOST/debug/pprof stands for its CPU profile,
/debug/pprof/heap, goroutine, mutex and block for the others.

A main package is built with profilers in it and run, with what follows -- as
its arguments, until it ends or for -seconds. Of other packages the benchmarks
are run. Nothing is written into their folders. What follows -- without a
package is a command that was built elsewhere: it is run and looked at from
outside, and profiles are taken from URLs that are named besides.

	pawl diagnose cpu.pprof heap.pprof trace.out
	pawl diagnose -seconds 30 http://localhost:6060/debug/pprof
	pawl diagnose -bench Encode ./wire
	pawl diagnose ./cmd/server -- -addr :8080
	pawl diagnose -- ./server -addr :8080
	pawl diagnose http://localhost:6060/debug/pprof -- ./server

Thresholds are defaults (docs/diagnose.md). That nothing stands out is an
answer, with exit code 0.`,
		run: runDiagnose,
	}
}

func runDiagnose(ctx context.Context, e *env, v *verb, args []string) (int, error) {
	fs := v.flags(e)
	asJSON := fs.Bool("json", false, "print JSON (docs/json.md)")
	color := fs.String("color", "auto", "`when` to use colours: auto, always or never")
	seconds := fs.Int("seconds", 0, "how `long` a program is run, or asked to profile; 10 when 0, and at most 600")
	own := fs.String("own", "", "import `path` of your code, or its beginning: then lines of dependencies are named only where none of yours calls them")
	t := &targeting{e: e}
	t.register(fs)
	args, t.line, t.dashes = splitCommand(args)
	targets, err := v.parse(e, fs, args)
	switch {
	case err != nil:
		return 0, err
	case len(targets) == 0 && !t.dashes:
		return 0, usageError("diagnose needs a TARGET: a profile, a trace, a URL, a package or a command; pawl help diagnose")
	case *seconds < 0:
		return 0, usageError("-seconds %d is below zero", *seconds)
	case *color != "auto" && *color != "always" && *color != "never":
		return 0, usageError("-color %s: none of auto, always, never", *color)
	}
	t.seconds = *seconds
	got, err := t.gather(ctx, targets)
	if err != nil {
		return 0, err
	}
	d, err := diagnose.Diagnose(got.sources, diagnose.Options{Own: *own})
	if err != nil {
		return 0, err
	}
	d.Tool, d.Args, d.Observed, d.Traces = version(), got.args, got.observed, got.traces
	code := exitOK
	if got.interrupted {
		e.printf("pawl: interrupted: this is what there was by then\n")
		code = exitFailed
	}
	if *asJSON {
		return code, report.JSON(e.stdout, d)
	}
	return code, report.DiagnosisText(e.stdout, d, e.view(*color, e.outTTY))
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
