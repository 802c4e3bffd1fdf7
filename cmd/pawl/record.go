package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/internal/keep/hotpath"
	"github.com/pawl-dev/pawl/internal/measure/testbed"
	"github.com/pawl-dev/pawl/internal/report/data"
	"github.com/pawl-dev/pawl/internal/report/progress"
	"github.com/pawl-dev/pawl/internal/report/records"
	"github.com/pawl-dev/pawl/internal/report/sheet"
	"github.com/pawl-dev/pawl/internal/run/record"
)

const recordManual = `
Record measures a benchmark and writes what it found into perf/records/NAME.txt
of the module: the place of the code, the figures and the machine, the command,
which way is better, and guardrails, which are commands that must end with 0.
The file is made for review; docs/records.md explains it. An existing record is
measured anew and keeps what no flag gives.

-list prints the records and where their code is now. -check runs the guardrails
of the named records, or of all, in a copy of the module. It compares allocs/op,
B/op and retained bytes with what the records ask for. A limit on a time is
never decided here: pawl compare and pawl gate measure both versions.

Guardrails run with sh -c and your environment, as tests do; with -sandbox they
run in the sandbox.

It exits with 0 when all holds, with 1 when a guardrail failed or an exact
direction is broken (nothing is written then), with 2 for a mistake in a file
or on the command line, with 3 when a guardrail or a benchmark could not be
run, and with 4 when something is undecided.`

// A recording holds the flags of record.
type recording struct {
	sandbox               *sandboxing
	chdir, bench, at, why string
	better                directions
	guards                commands
	guardTime             time.Duration
	list, check, json     bool
	quiet                 bool
	color                 string
	timeout               time.Duration
	seed                  uint64
}

func (r *recording) register(fs *flag.FlagSet) {
	fs.StringVar(&r.chdir, "C", "", "change to `dir` first")
	fs.StringVar(&r.bench, "bench", "", "benchmarks that match `regexp`, as for go test -bench")
	fs.StringVar(&r.at, "at", "", "the `place`: FILE.go:LINE or [PACKAGE.]FUNC")
	fs.StringVar(&r.why, "why", "", "`text` that says why this path matters")
	fs.Var(&r.better, "better", "a `direction`: 'allocs/op = 0', 'cpu/op <= +3%', 'B/op <= recorded'; may be repeated")
	fs.Var(&r.guards, "guard", "a guardrail: a `command`, with a name before it if you like, 'golden: go test …'; may be repeated")
	spanFlag(fs, &r.guardTime, "guard-timeout", hotpath.DefaultTimeout, "`time` that each -guard may take")
	fs.BoolVar(&r.list, "list", false, "print the records")
	fs.BoolVar(&r.check, "check", false, "check the records that are named, or all")
	r.sandbox = registerSandbox(fs)
	fs.BoolVar(&r.json, "json", false, "print JSON (docs/records.md)")
	fs.BoolVar(&r.quiet, "q", false, "no progress on stderr")
	colorFlag(fs, &r.color)
	spanFlag(fs, &r.timeout, "test-timeout", 10*time.Minute, "`time` that listing the benchmarks of one package may take")
	fs.Uint64Var(&r.seed, "seed", 0, "`seed` of the coin flips; 0 draws one")
}

// checkFlags finds flags that do not go together.
func (r *recording) checkFlags(fs *flag.FlagSet) error {
	if r.list && r.check {
		return usageError("-list and -check are two things to do: choose one")
	}
	var err error
	fs.Visit(func(f *flag.Flag) {
		switch f.Name {
		case "bench", "at", "why", "better", "guard", "guard-timeout":
			if r.list || r.check {
				err = usageError("-%s is for making a record, and goes with neither -list nor -check", f.Name)
			}
		}
	})
	switch {
	case err != nil:
		return err
	}
	return nil
}

func runRecord(ctx context.Context, e *env, v *verb, args []string) (int, error) {
	var r recording
	fs := v.flags()
	r.register(fs)
	operands, err := v.parse(e, fs, args)
	if err != nil {
		return 0, err
	}
	if err := r.checkFlags(fs); err != nil {
		return 0, err
	}
	dir, err := changeDir(e, r.chdir)
	if err != nil {
		return 0, err
	}
	if r.list {
		return r.runList(ctx, e, dir, operands)
	}
	cache, err := cacheDir()
	if err != nil {
		return 0, err
	}
	set := record.Settings{
		Verb: v.name, Tool: version(), Args: args, Dir: dir, Timeout: r.timeout, Seed: seed(r.seed),
		Env: e.environ, CacheDir: cache, Sandbox: r.sandbox.config(), Now: e.now,
	}
	p := r.progress(e)
	if p != nil {
		set.Watch = p
	}
	defer p.Done()
	if r.check {
		return r.runCheck(ctx, e, set, operands, p)
	}
	return r.runTake(ctx, e, set, operands, p)
}

// progress is that of other verbs without a budget, which this has not.
func (r *recording) progress(e *env) *progress.Progress {
	if r.quiet {
		return nil
	}
	return progress.New(e.stderr, e.errTTY, e.now, e.view(r.color, e.errTTY))
}

func (r *recording) style(e *env) sheet.Options {
	o := e.view(r.color, e.outTTY)
	return sheet.Options{Width: o.Width, ASCII: o.ASCII}
}

func (r *recording) runList(ctx context.Context, e *env, dir string, names []string) (int, error) {
	module, rep, found, err := record.Load(ctx, dir, names)
	if err != nil {
		return 0, err
	}
	listed := hotpath.List(module, found)
	if r.json {
		return exitOK, data.JSON(e.stdout, recordList{hotpath.ReportSchema, listed})
	}
	for _, w := range rep.Warnings {
		e.printf("pawl: %s\n", w.Seen)
	}
	return exitOK, records.List(e.plain(), listed, r.style(e))
}

// A recordList is what record -list -json prints.
type recordList struct {
	Schema  int              `json:"schema"`
	Records []hotpath.Listed `json:"records"`
}

// A recordMade is what record -json prints of a record that it wrote.
type recordMade struct {
	Schema int `json:"schema"`
	*record.Taken
}

func (r *recording) runCheck(ctx context.Context, e *env, set record.Settings, names []string, p *progress.Progress) (int, error) {
	rep, err := record.Check(ctx, set, names)
	p.Done()
	if rep == nil {
		return 0, err
	}
	if perr := r.print(e, rep); perr != nil {
		return 0, perr
	}
	if err != nil && ctx.Err() == nil {
		return 0, err
	}
	return recordCode(rep), nil
}

func (r *recording) print(e *env, rep *hotpath.Report) error {
	if r.json {
		return data.JSON(e.stdout, rep)
	}
	return records.Text(e.plain(), rep, r.style(e))
}

// recordCode is the exit code of a check. What is broken is broken however
// much else could not be told.
func recordCode(rep *hotpath.Report) int {
	switch s := rep.Standing(); {
	case s == hotpath.Broken:
		return exitFindings
	case s == hotpath.NotRun, rep.Stopped != "":
		return exitFailed
	case s == hotpath.Open:
		return exitUndecided
	default:
		return exitOK
	}
}

func (r *recording) runTake(ctx context.Context, e *env, set record.Settings, operands []string, p *progress.Progress) (int, error) {
	if len(operands) == 0 {
		return 0, usageError("record needs the NAME of a record; pawl help record")
	}
	why, err := hotpath.Wrap(r.why, 90)
	if err != nil {
		return 0, usageError("-why: %v", err)
	}
	guards, err := r.guards.guards(r.guardTime)
	if err != nil {
		return 0, err
	}
	wish := record.Wish{
		Name: operands[0], Bench: r.bench, At: r.at, From: set.Dir, Why: why, Better: r.better, Guards: guards,
	}
	if len(operands) > 1 {
		if set.Dir, wish.Patterns, err = testbed.ModuleOf(set.Dir, operands[1:]); err != nil {
			return 0, err
		}
	}
	t, err := record.Take(ctx, set, wish)
	p.Done()
	if err != nil {
		return 0, err
	}
	if t.File == "" {
		if err := r.print(e, t.Report); err != nil {
			return 0, err
		}
		e.printf("pawl: nothing was written: this does not hold on the tree as it is; fix it, or leave it out of the record\n")
		return recordCode(t.Report), nil
	}
	return exitOK, r.printTaken(e, t)
}

func (r *recording) printTaken(e *env, t *record.Taken) error {
	if r.json {
		return data.JSON(e.stdout, recordMade{hotpath.ReportSchema, t})
	}
	for _, w := range t.Warnings {
		e.printf("pawl: %s\n", w.Seen)
	}
	shown := t.File
	if rel, err := filepath.Rel(e.dir, t.File); err == nil && filepath.IsLocal(rel) {
		shown = rel
	}
	text, err := os.ReadFile(t.File)
	if err != nil {
		return fmt.Errorf("reading the record: %w", err)
	}
	verb := "wrote"
	if t.Before != nil {
		verb = "measured anew and wrote"
	}
	_, err = fmt.Fprintf(e.plain(), "%s %s\n\n%s", verb, shown, text)
	return err
}

// directions is the flag -better.
type directions []hotpath.Direction

func (d *directions) String() string {
	var out []string
	for _, x := range *d {
		out = append(out, x.String())
	}
	return strings.Join(out, "; ")
}

func (d *directions) Set(text string) error {
	x, err := hotpath.ParseDirection(text)
	if err != nil {
		return err
	}
	*d = append(*d, x)
	return nil
}

// commands is the flag -guard.
type commands []string

func (c *commands) String() string { return strings.Join(*c, "; ") }

func (c *commands) Set(text string) error { *c = append(*c, text); return nil }

// guards gives each command a name.
func (c commands) guards(timeout time.Duration) ([]hotpath.Guard, error) {
	out, err := hotpath.Guards(c, timeout)
	if err != nil {
		return nil, usageError("-guard: %v", err)
	}
	return out, nil
}
