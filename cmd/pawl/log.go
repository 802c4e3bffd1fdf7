package main

import (
	"context"
	"io"

	"github.com/pawl-dev/pawl/internal/keep/store"
	"github.com/pawl-dev/pawl/internal/measure/testbed"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/report/comparison"
	"github.com/pawl-dev/pawl/internal/report/data"
	"github.com/pawl-dev/pawl/internal/report/journal"
	"github.com/pawl-dev/pawl/internal/report/runs"
	"github.com/pawl-dev/pawl/internal/report/sheet"
)

const logManual = `
Log lists the runs of pawl on this module, the newest first. With the name of a
run, the beginning of one, or "latest", it shows what that run tried, kept and
refuted, and why. With -o it also copies the run's report, samples and profiles
for others to see. With -series it writes what the run kept as patches that the
maintainers of the module would like to read: the messages begin as those of the
module do, and hold the gain and why behaviour stays the same.

With -html it writes a page of all runs over time: which figures of the module
shifted, and when (docs/trends.md). With -from the figures are those of files:
benchmark results, or the data.js of github-action-benchmark.`

func runLog(ctx context.Context, e *env, v *verb, args []string) (int, error) {
	fs := v.flags()
	asJSON := fs.Bool("json", false, "print JSON (docs/json.md)")
	markdown := fs.Bool("markdown", false, "with a run, print a few lines of Markdown, for a pull request or a chat")
	var color string
	colorFlag(fs, &color)
	chdir := fs.String("C", "", "change to `dir` first")
	out := fs.String("o", "", "with a run, copy what it holds into `dir` for others to see: without secrets, and profiles without labels")
	series := fs.String("series", "", "with a run, write what it kept into `dir` as patches for git am, in the module's own style of messages")
	var g trending
	fs.StringVar(&g.html, "html", "", "write a page of all runs over time to `file`: what shifted, and when (docs/trends.md)")
	fs.Var(&g.from, "from", "show what is in `files` over time, the oldest first, instead of the runs: benchmark results, or a data.js of github-action-benchmark; several with commas, or the flag again")
	operands, err := v.parse(e, fs, args)
	if err != nil {
		return 0, err
	}
	switch {
	case len(operands) > 1:
		return 0, usageError("log takes one run at most")
	case *asJSON && *markdown:
		return 0, usageError("-json and -markdown are two forms of one report: give one of them")
	case *markdown && len(operands) == 0:
		return 0, usageError("-markdown needs the name of a run, or latest")
	case *out != "" && len(operands) == 0:
		return 0, usageError("-o needs the name of a run, or latest")
	case *series != "" && (len(operands) == 0 || *out != "" || *asJSON || *markdown):
		return 0, usageError("-series needs the name of a run, or latest, and no -o, -json or -markdown")
	case g.asked() && len(operands) > 0:
		return 0, usageError("-html and -from show all runs over time: give no run")
	}
	view := e.shown(color, true) // a story is told in full
	if g.asked() {
		return exitOK, logTrend(ctx, e, g, *chdir, *asJSON, view)
	}
	st, err := openStore(ctx, e, *chdir)
	if err != nil {
		return 0, err
	}
	if *series != "" {
		return exitOK, writeSeries(ctx, e, st, operands[0], *chdir, *series)
	}
	if len(operands) == 1 {
		return exitOK, logOne(e, st, operands[0], *out, form{*asJSON, *markdown}, view)
	}
	return exitOK, logAll(e, st, *asJSON, view)
}

func openStore(ctx context.Context, e *env, chdir string) (*store.Store, error) {
	cache, err := cacheDir()
	if err != nil {
		return nil, err
	}
	dir, err := changeDir(e, chdir)
	if err != nil {
		return nil, err
	}
	return testbed.OpenStore(ctx, dir, cache)
}

// A form is how a run is printed: as JSON, as Markdown, or as text.
type form struct{ json, markdown bool }

// logOne tells the story of one run, or copies it.
func logOne(e *env, st *store.Store, name, out string, as form, view sheet.Options) error {
	var dir string
	var text, json, markdown func(io.Writer) error
	if c, err := st.Comparison(name); err == nil {
		c = shared(e, c)
		dir = c.Dir
		text = func(w io.Writer) error { return comparison.Text(w, c, view) }
		json = func(w io.Writer) error { return comparison.JSON(w, c) }
		markdown = func(w io.Writer) error { return comparison.Markdown(w, c) }
	} else {
		r, err := st.Load(name)
		if err != nil {
			return usageError("%v", err)
		}
		r = shared(e, r)
		dir = r.Dir
		text = func(w io.Writer) error { return runs.Story(w, r, view) }
		json = func(w io.Writer) error { return data.JSON(w, r) }
		markdown = func(w io.Writer) error { return runs.Markdown(w, r) }
	}
	if out != "" {
		if err := export(e, dir, out, json); err != nil {
			return err
		}
	}
	switch {
	case as.json:
		return json(e.stdout)
	case as.markdown:
		return markdown(e.stdout)
	}
	return text(e.stdout)
}

// kept returns all runs and comparisons of a module, the newest first.
func kept(e *env, st *store.Store) ([]model.Run, []model.Comparison, error) {
	runs, warnings, err := st.List()
	if err != nil {
		return nil, nil, err
	}
	comparisons, more, err := st.Comparisons()
	warn(e, append(warnings, more...))
	return runs, comparisons, err
}

func warn(e *env, ws []model.Warning) {
	for _, w := range ws {
		e.printf("pawl: %s\n", w.Seen)
	}
}

func logAll(e *env, st *store.Store, asJSON bool, view sheet.Options) error {
	runs, comparisons, err := kept(e, st)
	if err != nil {
		return err
	}
	runs, comparisons = *shared(e, &runs), *shared(e, &comparisons)
	if asJSON {
		return data.JSON(e.stdout, logged{runs, comparisons})
	}
	return journal.Text(e.stdout, runs, comparisons, view)
}

// A logged is what log -json prints, the newest first.
type logged struct {
	Runs        []model.Run        `json:"runs"`
	Comparisons []model.Comparison `json:"comparisons"`
}
