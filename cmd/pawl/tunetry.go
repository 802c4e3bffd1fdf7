package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"github.com/pawl-dev/pawl/internal/host/cgroup"
	"github.com/pawl-dev/pawl/internal/host/foreign"
	"github.com/pawl-dev/pawl/internal/measure/testbed"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/report/data"
	reports "github.com/pawl-dev/pawl/internal/report/experiments"
	"github.com/pawl-dev/pawl/internal/report/progress"
	"github.com/pawl-dev/pawl/internal/run/experiment"
)

const tryingManual = `
-try LIST tries settings against the present ones, each judged as compare
judges two versions: pgo (with -pgo FILE), goamd64, gogc, gomemlimit,
gomaxprocs. They are tried on the benchmarks of the packages or, with -load
'CMD', on a program: the operand is then the command that starts it, as for
compare -load. With -main PACKAGE pawl builds it, and {program} stands for it
in the command. Beside the change of time stands what it costs. What is
recommended takes -memory times the present memory at most. With -load,
-limit-cpus N and -limit-memory SIZE run the program in a control group with
these limits, one for each side, where the system allows pawl to make one. The
groups are removed at the end, also after a kill.

-pgo FILE without -try proves a profile for the compiler on the benchmarks of
the packages. Where something gets faster by it and nothing worse, default.pgo
becomes a commit on a branch of its own, with the evidence in its message. The
calls that it inlines or devirtualises are named. -pgo-check says whether the
default.pgo that is there still maps to the source. With -pgo FILE it also says
how like a fresh one it is, and judges the benchmarks with the fresh one beside
it.

-like PRODUCTION BENCHMARK compares two CPU profiles: how much of production's
time the benchmark covers, and what it weighs too much or too little. -startup
PACKAGE [-- ARGS] ranks what packages do before main begins, and -size what
they take in the program's file. With -base REF, -startup also judges the time
from the start to the first answer against that of another commit: to an HTTP
request where ARGS has {addr} or {port}, and else to the program's end.

It exits with 0 when all that was asked is decided, with 1 when a default.pgo
is stale or the start is proven to be slower, and with 4 when something is
undecided.`

// A trying holds the flags of experiments.
type trying struct {
	try       string
	pgo       several
	files     []string // of pgo
	check     bool
	like      string
	likeFile  string // of like
	startup   bool
	base      string
	size      bool
	load      string
	program   string
	memory    float64
	limits    cgroup.Limits
	bench     string
	budget    time.Duration
	alpha     float64
	minEffect float64
	timeout   time.Duration
	seed      uint64
	sandbox   *sandboxing
}

func experiments(fs *flag.FlagSet) *trying {
	x := new(trying)
	fs.StringVar(&x.try, "try", "", "try `settings`, with commas: pgo, goamd64, gogc, gomemlimit, gomaxprocs")
	fs.Var(&x.pgo, "pgo", "CPU profile `file` of the program at work, or watch:SERVICE; may be repeated, and all are added up")
	fs.BoolVar(&x.check, "pgo-check", false, "say whether the default.pgo of the main packages is stale")
	fs.StringVar(&x.like, "like", "", "say how like the CPU profile `file` of production, or watch:SERVICE, that of a benchmark is, which is the operand")
	fs.BoolVar(&x.startup, "startup", false, "rank what the packages of a main package do before main begins")
	fs.StringVar(&x.base, "base", "", "with -startup: also judge the time to the first answer against this git `ref`")
	fs.BoolVar(&x.size, "size", false, "rank the packages of a main package by their size in its file, with what pulled them in")
	fs.StringVar(&x.load, "load", "", "the `command` that puts the program under load, as for compare -load")
	fs.StringVar(&x.program, "main", "", "with -load, build this main `package`; {program} stands for it in the command")
	x.memory = 2
	fs.Func("memory", "most memory that a recommendation takes, as a `multiple` of the present peak (default 2)", func(v string) error {
		if n, err := fmt.Sscanf(v, "%g", &x.memory); n != 1 || err != nil || !(x.memory >= 1) {
			return errors.New("no number of 1 or more")
		}
		return nil
	})
	fs.Func("limit-cpus", "with -load, run the program in a control group with so many `CPUs`, such as 0.5", func(v string) (err error) {
		if x.limits.CPUs, err = strconv.ParseFloat(v, 64); err != nil || !(x.limits.CPUs >= 0.01 && x.limits.CPUs <= 10_000) {
			return errors.New("no number of CPUs, such as 0.5")
		}
		return nil
	})
	fs.Func("limit-memory", "with -load, run the program in a control group with so much memory: a `size`, such as 256MiB", func(v string) error {
		bytes, ok := cgroup.Size(v)
		if !ok || !(bytes >= 1<<20 && bytes < 1<<50) {
			return errors.New("no size of at least 1MiB, such as 256MiB")
		}
		x.limits.Memory = int64(bytes)
		return nil
	})
	fs.StringVar(&x.bench, "bench", "", "benchmarks that match `regexp`, as for go test -bench; all without it")
	spanFlag(fs, &x.budget, "budget", 10*time.Minute, "most `time` that the whole run may take, builds included")
	alphaFlag(fs, &x.alpha, "all claims of the run together")
	effectFlag(fs, &x.minEffect, 0.02, "smallest relative `change` of time that counts")
	spanFlag(fs, &x.timeout, "test-timeout", 10*time.Minute, "`time` that listing the benchmarks of one package may take")
	fs.Uint64Var(&x.seed, "seed", 0, "`seed` of the coin flips; 0 draws one")
	x.sandbox = registerSandbox(fs)
	return x
}

// A tuneMode is one thing that tune does.
type tuneMode func(ctx context.Context, e *env, t tuning, args, operands []string) (int, error)

// mode returns what the flags ask for; nil where it is no experiment.
func (x *trying) mode() tuneMode {
	switch {
	case x.try != "":
		return x.tryAll
	case x.check:
		return x.checkPGO
	case len(x.pgo) > 0:
		return x.withPGO
	case x.like != "":
		return x.alike
	case x.startup, x.size:
		return x.begin
	}
	return nil
}

// open finds the files of the profiles that are named; done is called when they are no
// longer needed.
func (x *trying) open(ctx context.Context, e *env) (done func(), err error) {
	names := slices.Clone(x.pgo)
	if x.like != "" {
		names = append(names, x.like)
	}
	all, done, err := e.open(ctx, names, "cpu")
	for _, f := range all {
		x.files = append(x.files, f.file)
	}
	if err == nil && x.like != "" {
		last := len(x.files) - 1
		x.likeFile, x.files = x.files[last], x.files[:last]
	}
	return done, err
}

func (x *trying) options(e *env, t tuning, args []string) (experiment.Options, *progress.Progress, error) {
	dir, err := changeDir(e, t.chdir)
	if err != nil {
		return experiment.Options{}, nil, err
	}
	cache, err := cacheDir()
	if err != nil {
		return experiment.Options{}, nil, err
	}
	opt := experiment.Options{
		Tool: version(), Args: args, Dir: dir, Bench: x.bench, Memory: x.memory, Limits: x.limits, Budget: x.budget, Alpha: x.alpha, MinEffect: x.minEffect,
		Timeout: x.timeout, Seed: seed(x.seed), Env: e.environ, CacheDir: cache, Sandbox: x.sandbox.config(), Now: e.now,
	}
	opt.Profiles, opt.Named = x.files, x.pgo
	p := newProgress(e, t.quiet, t.color, x.budget)
	if p != nil {
		opt.Watch = p
	}
	return opt, p, nil
}

func (x *trying) tryAll(ctx context.Context, e *env, t tuning, args, operands []string) (int, error) {
	names, err := experiment.ParseNames(x.try)
	if err != nil {
		return 0, usageError("-try: %v", err)
	}
	opt, p, err := x.options(e, t, args)
	if err != nil {
		return 0, err
	}
	defer p.Done()
	opt.Try = names
	var found *model.Tuning
	if x.load != "" && x.sandbox.config() != nil {
		return 0, x.sandbox.noLoad()
	}
	if x.load == "" && x.limits != (cgroup.Limits{}) {
		return 0, usageError("-limit-cpus and -limit-memory go with -load: a program is put under load in a control group")
	}
	if x.load != "" {
		if len(operands) != 1 {
			return 0, usageError("with -load there is one operand, the command that starts the program, in quotes")
		}
		found, err = experiment.Under(ctx, opt, experiment.Program{Start: operands[0], Main: x.program, Load: x.load})
	} else {
		if opt.Dir, opt.Patterns, err = testbed.ModuleOf(opt.Dir, operands); err != nil {
			return 0, err
		}
		found, err = experiment.Run(ctx, opt)
	}
	p.Done()
	return t.finish(e, found, err)
}

// finish shows what was tried, also when the run then came to grief.
func (t tuning) finish(e *env, found *model.Tuning, err error) (int, error) {
	if err != nil && len(found.Subjects) == 0 {
		return 0, err
	}
	found = shared(e, found)
	if perr := t.print(e, found); perr != nil {
		return 0, perr
	}
	return tuningCode(found), err
}

// withPGO is -pgo without -try: a profile for the compiler, as a change.
func (x *trying) withPGO(ctx context.Context, e *env, t tuning, args, operands []string) (int, error) {
	opt, p, err := x.options(e, t, args)
	if err != nil {
		return 0, err
	}
	defer p.Done()
	if opt.Dir, opt.Patterns, err = testbed.ModuleOf(opt.Dir, operands); err != nil {
		return 0, err
	}
	found, err := experiment.WithPGO(ctx, opt, x.program)
	p.Done()
	return t.finish(e, found, err)
}

func (x *trying) checkPGO(ctx context.Context, e *env, t tuning, args, operands []string) (int, error) {
	opt, p, err := x.options(e, t, args)
	if err != nil {
		return 0, err
	}
	defer p.Done()
	if opt.Dir, opt.Patterns, err = testbed.ModuleOf(opt.Dir, operands); err != nil {
		return 0, err
	}
	found, err := experiment.CheckPGO(ctx, opt, x.program)
	p.Done()
	if err != nil {
		return 0, err
	}
	found = shared(e, found)
	for _, pgo := range found.PGO {
		if pgo.Stale != "" {
			return exitFindings, t.print(e, found)
		}
	}
	return exitOK, t.print(e, found)
}

func (x *trying) alike(ctx context.Context, e *env, t tuning, _, operands []string) (int, error) {
	if len(operands) != 1 {
		return 0, usageError("-like compares with one CPU profile of a benchmark: go test -bench . -cpuprofile FILE writes it")
	}
	l, err := experiment.Like(ctx, x.likeFile, foreign.Path(e.dir, operands[0]), seed(x.seed))
	if err != nil {
		return 0, err
	}
	if t.json {
		l.Schema, l.Tool = model.SchemaVersion, version()
		return exitOK, data.JSON(e.stdout, shared(e, l))
	}
	return exitOK, reports.Likeness(e.stdout, *shared(e, l), e.shown(t.color, t.verbose))
}

// begin is -startup and -size. Operands after the package are the program's.
func (x *trying) begin(ctx context.Context, e *env, t tuning, args, operands []string) (int, error) {
	if len(operands) == 0 {
		operands = []string{"."}
	}
	if x.base != "" && !x.startup {
		return 0, usageError("-base goes with -startup")
	}
	opt, p, err := x.options(e, t, args)
	if err != nil {
		return 0, err
	}
	defer p.Done()
	dir, main, err := testbed.ModuleOf(opt.Dir, operands[:1])
	if err != nil {
		return 0, err
	}
	opt.Dir, opt.Base = dir, x.base
	found, err := experiment.Startup(ctx, opt, main[0], operands[1:])
	p.Done()
	if err != nil {
		return 0, err
	}
	found = shared(e, found)
	if t.json {
		return startCode(found), data.JSON(e.stdout, found)
	}
	return startCode(found), reports.Startup(e.stdout, found, x.size, e.shown(t.color, t.verbose))
}

func startCode(x *model.Startup) int {
	switch {
	case x.Versions == nil:
		return exitOK
	case x.Versions.Standing == model.Regressed:
		return exitFindings
	case x.Versions.Standing == model.Open:
		return exitUndecided
	}
	return exitOK
}

func (t tuning) print(e *env, found *model.Tuning) error {
	if t.html != "" {
		var page bytes.Buffer
		if err := reports.HTML(&page, found); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Clean(foreign.Path(e.dir, t.html)), page.Bytes(), 0o600); err != nil {
			return fmt.Errorf("-html: %w", err)
		}
	}
	switch {
	case t.json:
		return data.JSON(e.stdout, found)
	case t.sarif:
		return reports.SARIF(e.stdout, found)
	}
	return reports.Text(e.stdout, found, e.shown(t.color, t.verbose))
}

// tuningCode is the exit code of experiments: what is open is never passed over.
func tuningCode(t *model.Tuning) int {
	if t.Stopped == "interrupted" {
		return exitFailed
	}
	for _, s := range t.Subjects {
		for _, x := range s.Trials {
			if x.Standing == model.Open {
				return exitUndecided
			}
		}
		if s.Failed != "" {
			return exitUndecided
		}
	}
	if t.Stopped != "" {
		return exitUndecided
	}
	return exitOK
}
