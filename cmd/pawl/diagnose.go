package main

import (
	"context"
	"errors"

	"github.com/pawl-dev/pawl/internal/diagnose"
)

func diagnoseVerb() *verb {
	return &verb{
		name: "diagnose", args: "PROFILE|URL...", short: "what the runtime says about a program, from its profiles",
		long: `
Diagnose reads profiles of a Go program and says what the runtime does on its
behalf and could do less of: allocating, collecting, growing stacks, parking
and waking goroutines, calling C. For each that stands out it gives its share,
the lines of the program that cause it, what changes it, what must hold before
that is done, what it can break, and the rules that know more.

A PROFILE is a file as runtime/pprof, go test -cpuprofile or curl write it: of
CPU time, the heap, goroutines, leaked goroutines, mutexes or blocking. Several
of one kind are added up, and kinds are shown one after the other. A URL is that
of a program that serves net/http/pprof: http://HOST/debug/pprof stands for its
CPU profile, /debug/pprof/heap, goroutine, goroutineleak, mutex and block for
the others.

	pawl diagnose cpu.pprof heap.pprof
	pawl diagnose -seconds 30 http://localhost:6060/debug/pprof

Of two or more heap or goroutine profiles of one process it says what grew, and
what of that is noise. Of a heap URL it also says what holds the memory.

	pawl diagnose -base monday.pprof tuesday.pprof wednesday.pprof
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

func runDiagnose(ctx context.Context, e *env, v *verb, args []string) (int, error) {
	fs := v.flags(e)
	asJSON := fs.Bool("json", false, "print JSON (docs/json.md)")
	color := fs.String("color", "auto", "`when` to use colours: auto, always or never")
	seconds := fs.Int("seconds", 0, "how `long` a program is asked to profile, with a URL; 10 for CPU profiles when 0, and at most 600")
	own := fs.String("own", "", "import `path` of your code, or its beginning: then lines of dependencies are named only where none of yours calls them")
	grown := addGrowthFlags(fs)
	live := metricsFlags(fs)
	targets, err := v.parse(e, fs, args)
	switch {
	case err != nil:
		return 0, err
	case len(targets) == 0:
		return 0, usageError("diagnose needs a PROFILE or a URL; pawl help diagnose")
	case *seconds < 0:
		return 0, usageError("-seconds %d is below zero", *seconds)
	case *color != "auto" && *color != "always" && *color != "never":
		return 0, usageError("-color %s: none of auto, always, never", *color)
	}
	if yes, err := grown.asked(targets, *seconds); err != nil {
		return 0, err
	} else if yes && *live.beside {
		return 0, usageError("-metrics goes with a profile of now: leave -base and -points out")
	} else if yes {
		d, err := grown.growth(ctx, e, targets, diagnose.Options{Own: *own})
		if err != nil {
			return 0, err
		}
		return e.diagnosis(d, *asJSON, *color)
	}
	metrics, targets, err := live.begin(ctx, e, targets, *seconds)
	if err != nil {
		return 0, err
	}
	defer metrics.stop()
	sources, err := readTargets(ctx, e, targets, *seconds)
	if err != nil {
		return 0, err
	}
	d, err := diagnose.Diagnose(sources, diagnose.Options{Own: *own})
	if err != nil {
		return 0, err
	}
	addMemory(ctx, d, targets, sources)
	for _, s := range sources {
		d.Args = append(d.Args, s.Name)
	}
	if err := metrics.put(d); err != nil {
		return 0, err
	}
	return e.diagnosis(d, *asJSON, *color)
}

func readTargets(ctx context.Context, e *env, targets []string, seconds int) ([]diagnose.Source, error) {
	var sources []diagnose.Source
	for _, target := range targets {
		s, err := readTarget(ctx, e, target, seconds)
		var misuse *diagnose.Misuse
		switch {
		case errors.As(err, &misuse):
			return nil, usageError("%v", misuse)
		case err != nil:
			return nil, err
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
