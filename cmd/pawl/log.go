package main

import (
	"context"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/report"
	"github.com/pawl-dev/pawl/internal/stand"
)

func logVerb() *verb {
	return &verb{
		name: "log", args: "[RUN]", short: "what earlier runs on this module found",
		long: `
Log lists the runs of pawl on this module, the newest first. With the name of
a run, or the beginning of one, or "latest", it tells that run's story: what
was tried, what was kept, what was refuted and why.`,
		run: runLog,
	}
}

func runLog(ctx context.Context, e *env, v *verb, args []string) (int, error) {
	fs := v.flags(e)
	asJSON := fs.Bool("json", false, "print JSON (docs/json.md)")
	color := fs.String("color", "auto", "`when` to use colours: auto, always or never")
	chdir := fs.String("C", "", "change to `dir` first")
	operands, err := v.parse(e, fs, args)
	if err != nil {
		return 0, err
	}
	if len(operands) > 1 {
		return 0, usageError("log takes one run at most")
	}
	cache, err := cacheDir()
	if err != nil {
		return 0, err
	}
	dir, err := changeDir(e, *chdir)
	if err != nil {
		return 0, err
	}
	st, err := stand.OpenStore(ctx, dir, cache)
	if err != nil {
		return 0, err
	}
	view := e.view(*color, e.outTTY)
	if len(operands) == 1 {
		if c, err := st.Comparison(operands[0]); err == nil {
			c = shared(e, c)
			if *asJSON {
				return exitOK, report.ComparisonJSON(e.stdout, c)
			}
			return exitOK, report.Comparison(e.stdout, c, view)
		}
		r, err := st.Load(operands[0])
		if err != nil {
			return 0, usageError("%v", err)
		}
		r = shared(e, r)
		if *asJSON {
			return exitOK, report.JSON(e.stdout, r)
		}
		return exitOK, report.Story(e.stdout, r, view)
	}
	runs, warnings, err := st.List()
	if err != nil {
		return 0, err
	}
	comparisons, more, err := st.Comparisons()
	if err != nil {
		return 0, err
	}
	for _, w := range append(warnings, more...) {
		e.printf("pawl: %s\n", w.Seen)
	}
	runs, comparisons = *shared(e, &runs), *shared(e, &comparisons)
	if *asJSON {
		return exitOK, report.JSON(e.stdout, struct {
			Runs        []model.Run        `json:"runs"`
			Comparisons []model.Comparison `json:"comparisons"`
		}{runs, comparisons})
	}
	return exitOK, report.Log(e.stdout, runs, comparisons, view)
}
