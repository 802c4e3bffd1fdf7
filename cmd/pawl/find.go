package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/pawl-dev/pawl/internal/explain/find"
	"github.com/pawl-dev/pawl/internal/host/foreign"
	"github.com/pawl-dev/pawl/internal/measure/testbed"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/report/data"
	"github.com/pawl-dev/pawl/internal/report/findings"
	"github.com/pawl-dev/pawl/internal/report/runs"
	"github.com/pawl-dev/pawl/internal/run/benchstub"
	"github.com/pawl-dev/pawl/internal/run/evidence"
	"github.com/pawl-dev/pawl/internal/run/optimize"
	"github.com/pawl-dev/pawl/internal/tree"
	"github.com/pawl-dev/pawl/rules/catalogue"
	"github.com/pawl-dev/pawl/rules/rule"
)

// configName is the configuration file at a module's root.
const configName = ".pawl.json"

const findManual = `
Find reads the packages and reports what pawl's rules are sure of. Without
packages it takes ./... . It is silent about code whose cost is not known,
unless that code is wrong wherever it stands (tier "always").

With -profile, pprof files of the program at work, it ranks the findings by
what is spent on their lines and adds the rules that pay only where it is hot
(tier "profiled"). It is then silent about cold code. With -bench it measures
the benchmarks for that, and goes on to what optimize would try, up to its
first edit.

-fix makes the fixes of class A, which keep behaviour, in your files. -diff
shows what it would change, with those of class B, which only optimize and try
can judge. A line is left alone behind

	//lint:ignore pawl/RULE reason
	//nolint:pawl // reason

.pawl.json at the module's root is the configuration: {"off": [rules],
"exclude": [files], "min_share": 0.01, "tier": "always"}.

-escapes reads no rules: it compiles the packages and those of the base, as gate
chooses it or -base REF names it, and shows what the compiler reports of yours
alone: values on the heap, bounds checks, and calls that are no longer inlined.
With -profile, those in hot functions.

Only -bench runs code of the module. These flags have an effect only with it:
-allow, -alpha, -budget, -min-effect, -min-worth, -per-change, -records, -retry,
-sandbox, -seed, -short and -test-timeout.

It exits with 1 when there are findings, or with -bench candidates to try.`

// finding are the flags of find beyond those that it shares with optimize.
type finding struct {
	settings
	tier     string
	minShare float64
	fix      bool
	diff     bool
	sarif    bool
	since    string
	baseline string
	write    string
	config   string
	tags     string
	fresh    bool
	escapes  bool
	base     string

	patterns []string // as given
}

func (s *finding) register(fs *flag.FlagSet) {
	s.settings.register(fs)
	fs.Lookup("bench").Usage = "measure the benchmarks that match `regexp` for what lines cost; none without it"
	fs.Lookup("profile").Usage = "pprof `file` of the program at work, or watch:SERVICE, for what lines cost; may be repeated"
	fs.Lookup("json").Usage = "print the findings as JSON (docs/json.md) instead of text"
	fs.Var(choice{&s.tier, []string{"always", "profiled", "special", "all"}}, "tier", "show the rules of one `tier`: always, profiled, special or all")
	fs.Float64Var(&s.minShare, "min-share", 0, "least `part` of a profile that makes a line hot (default 0.01)")
	fs.BoolVar(&s.fix, "fix", false, "make the fixes of class A in the files")
	fs.BoolVar(&s.diff, "diff", false, "print the fixes as a diff instead of the findings; with -fix, only those of class A")
	fs.BoolVar(&s.sarif, "sarif", false, "print the findings as SARIF 2.1.0")
	fs.StringVar(&s.since, "since", "", "only lines that changed since the git `ref`")
	fs.StringVar(&s.baseline, "baseline", "", "do not show the findings in this `file`")
	fs.StringVar(&s.write, "write-baseline", "", "write the findings into this `file` as a baseline")
	fs.StringVar(&s.config, "config", "", "configuration `file` (default "+configName+" at the module's root)")
	fs.StringVar(&s.tags, "tags", "", "build `tags`, as for go build")
	fs.BoolVar(&s.escapes, "escapes", false, "only what the compiler newly puts on the heap, checks or does not inline, since the base")
	fs.StringVar(&s.base, "base", "", "with -escapes: git `ref` that the branch merges into; found out without it")
	fs.BoolVar(&s.fresh, "no-cache", false, "look at every package anew")
}

func (s *finding) check() error {
	switch {
	case s.minShare < 0 || s.minShare >= 1:
		return usageError("-min-share %v is not between 0 and 1; 0.01 is one per cent", s.minShare)
	case s.base != "" && !s.escapes:
		return usageError("-base goes with -escapes; for rules, -since shows the lines that changed")
	case s.escapes && (s.bench != "" || s.fix || s.diff || s.tier != ""):
		return usageError("-escapes reads no rules and has no fixes: it goes with neither -bench, -diff, -fix nor -tier")
	case s.json && s.sarif, s.json && s.diff && !s.fix, s.sarif && s.diff:
		return usageError("-json, -sarif and -diff each print something else; choose one")
	case s.bench != "" && (s.fix || s.diff || s.sarif):
		return usageError("-bench goes with neither -fix, -diff nor -sarif: take a profile of the benchmarks, and give it with -profile")
	}
	return nil
}

func runFind(ctx context.Context, e *env, v *verb, args []string) (int, error) {
	var set finding
	patterns, err := v.read(e, set.register, args)
	if err != nil {
		return 0, err
	}
	if err := set.check(); err != nil {
		return 0, err
	}
	dir, err := changeDir(e, set.chdir)
	if err != nil {
		return 0, err
	}
	set.patterns = patterns
	dir, patterns, err = testbed.ModuleOf(dir, patterns)
	if err != nil {
		return 0, err
	}
	for _, p := range patterns {
		if fi, err := os.Stat(foreign.Path(dir, p)); err == nil && fi.Mode().IsRegular() {
			return 0, usageError("%s is a file; name its directory", p)
		}
	}
	if testbed.ModuleRoot(dir) == "" {
		return 0, fmt.Errorf("%w: %w", testbed.ErrNothing, tree.NoModule(dir))
	}
	opt, err := set.look(ctx, e, dir, patterns)
	if err != nil {
		return 0, err
	}
	if set.bench != "" {
		return set.measured(ctx, e, v, args, opt)
	}
	return set.read(ctx, e, opt)
}

func (s *finding) look(ctx context.Context, e *env, dir string, patterns []string) (opt find.Options, err error) {
	opt = find.Options{Dir: dir, Patterns: patterns, Env: append(slices.Clone(e.environ), "PWD="+dir), Tier: s.tier, MinShare: s.minShare}
	if s.tags != "" {
		opt.Flags = []string{"-tags=" + s.tags}
	}
	if !s.fresh {
		if opt.CacheDir, err = cacheDir(); err != nil {
			return opt, err
		}
	}
	if opt.Demoted, err = demoted(ctx, e, dir); err != nil {
		return opt, err
	}
	if s.baseline != "" {
		f, err := foreign.Open(ctx, foreign.Path(e.dir, s.baseline))
		if err != nil {
			return opt, usageError("-baseline: %v", err)
		}
		defer f.Close()
		if opt.Baseline, err = rule.ParseBaseline(f); err != nil {
			return opt, usageError("-baseline: reading %s: %v", s.baseline, err)
		}
	}
	root := cmp.Or(testbed.ModuleRoot(dir), dir)
	if opt.Config, err = configuration(ctx, e, s.config, root); err != nil {
		return opt, err
	}
	if s.since != "" {
		if opt.Since, err = find.Since(ctx, root, s.since); err != nil {
			return opt, usageError("%v", err)
		}
	}
	if len(s.profiles) > 0 {
		costs, err := readCosts(ctx, e, s.profiles)
		if err != nil {
			return opt, usageError("-profile: %v", err)
		}
		opt.Heat = find.Heat(costs)
	}
	return opt, nil
}

// demoted returns the rules whose gain pawl evidence did not find here. Where
// it never ran, nothing is asked.
func demoted(ctx context.Context, e *env, dir string) (map[string]string, error) {
	cache, err := cacheDir()
	if err != nil {
		return nil, err
	}
	if _, err := os.Stat(evidence.Directory(cache)); err != nil {
		return nil, nil
	}
	var rules []rule.Rule
	for _, entry := range catalogue.All() {
		if entry.Analyzer != nil {
			rules = append(rules, entry.Rule)
		}
	}
	return evidence.Demoted(cache, evidence.Here(ctx, dir, e.environ), rules), nil
}

// configuration reads the file of -config, or the one at the root if there is
// one.
func configuration(ctx context.Context, e *env, name, root string) (*rule.Config, error) {
	file := filepath.Join(root, configName)
	if name != "" {
		file = foreign.Path(e.dir, name)
	} else if _, err := os.Stat(file); err != nil {
		return nil, nil
	}
	data, err := foreign.ReadFile(ctx, file, rule.MaxConfig)
	if err != nil {
		return nil, usageError("reading configuration: %v", err)
	}
	c, err := rule.ParseConfig(data, file)
	if err != nil {
		return nil, usageError("%v", err)
	}
	return c, nil
}

func (s *finding) read(ctx context.Context, e *env, opt find.Options) (int, error) {
	progress := newProgress(e, s.quiet || !e.errTTY, s.color, 0) // a file needs no lines of so short a work
	defer progress.Done()
	progress.Stage("reading packages, and building what they import", "")
	opt.Watch = func(done, of int) {
		progress.Stage("looking at packages", "")
		progress.Detail(fmt.Sprintf("%d of %d", done, of))
	}
	f, err := s.findings(ctx, opt)
	if err != nil {
		return 0, err
	}
	progress.Done()
	if s.write != "" {
		if err := writeKnown(e, s.write, f); err != nil {
			return 0, err
		}
	}
	if s.fix || s.diff {
		return s.fixes(ctx, e, opt, f)
	}
	return s.print(e, f)
}

func (s *finding) findings(ctx context.Context, opt find.Options) (*model.Findings, error) {
	f, err := s.run(ctx, opt)
	var none *find.NoPackages
	if errors.As(err, &none) {
		return nil, usageError("%v", err)
	}
	if err != nil {
		return nil, err
	}
	f.Tool, f.Profile = version(), s.profiles
	if opt.Heat == nil || s.fix || s.diff || s.escapes {
		return f, nil
	}
	f.Warnings = append(f.Warnings, benchstub.Offer(f.Root, f.Findings)...)
	if err := find.Explain(ctx, opt, f); err != nil {
		if ctx.Err() != nil {
			return nil, err
		}
		f.Warnings = append(f.Warnings, model.Warning{
			Seen: "the compiler's notes are missing: " + err.Error(), Cause: "the packages do not build here", Try: "go build ./...",
		})
	}
	return f, nil
}

// run asks the rules or, with -escapes, the compiler.
func (s *finding) run(ctx context.Context, opt find.Options) (*model.Findings, error) {
	if !s.escapes {
		return find.Run(ctx, opt)
	}
	base, err := find.BaseOf(ctx, opt, s.base)
	if err != nil {
		return nil, cmp.Or(ctx.Err(), usageError("-escapes: what does this branch merge into? %v", err))
	}
	return find.Escapes(ctx, opt, base)
}

func (s *finding) print(e *env, f *model.Findings) (int, error) {
	var err error
	switch {
	case s.sarif:
		err = findings.SARIF(e.stdout, f)
	case s.json:
		err = data.JSON(e.stdout, f)
	default:
		err = findings.Text(e.stdout, f, e.view(s.color, e.outTTY))
	}
	if err != nil {
		return 0, err
	}
	if len(f.Findings) > 0 {
		return exitFindings, nil
	}
	return exitOK, nil
}

// writeKnown writes the findings as a baseline.
func writeKnown(e *env, name string, f *model.Findings) error {
	var keys []rule.Key
	for _, x := range f.Findings {
		keys = append(keys, find.Key(x))
	}
	file, err := os.Create(foreign.Path(e.dir, name))
	if err != nil {
		return usageError("-write-baseline: %v", err)
	}
	if err := errors.Join(rule.WriteBaseline(file, keys), file.Close()); err != nil {
		return fmt.Errorf("-write-baseline: %w", err)
	}
	e.printf("%s: %d findings; pawl find -baseline %[1]s does not show them\n", name, len(keys))
	return nil
}

// measured measures the benchmarks and looks at the packages with what they
// cost.
func (s *finding) measured(ctx context.Context, e *env, v *verb, args []string, look find.Options) (int, error) {
	opt, progress, err := s.options(ctx, e, v.name, args, s.patterns)
	if err != nil {
		return 0, err
	}
	defer progress.Done()
	session, err := optimize.Open(ctx, opt)
	if err != nil {
		return 0, err
	}
	defer session.Close()
	var changes []model.Change
	var hints []model.Finding
	var f *model.Findings
	err = session.InTime(ctx, func(ctx context.Context) (err error) {
		if changes, err = session.Plan(ctx); err != nil {
			return err
		}
		costs, err := session.Heat()
		if err != nil {
			return err
		}
		if hints, err = session.Hints(ctx); err != nil {
			return err
		}
		session.Lead(hints)
		session.Alike()
		look.Heat = find.Heat(costs)
		f, err = s.findings(ctx, look)
		return err
	})
	if err != nil {
		return 0, err
	}
	if err := session.End(ctx); err != nil {
		return 0, err
	}
	progress.Done()
	if f == nil {
		return 0, fmt.Errorf("%w: %s", optimize.ErrLate, session.Run.Stopped)
	}
	f.Profile = append(f.Profile, "-bench "+s.bench)
	f.Findings = append(f.Findings, hints...)
	find.Rank(f.Findings)
	f.Plan = shared(e, session.Run)
	if s.json {
		err = data.JSON(e.stdout, f)
	} else {
		err = errors.Join(
			findings.Text(e.stdout, f, e.view(s.color, e.outTTY)),
			runs.Plan(e.stdout, f.Plan, e.shown(s.color, s.verbose)),
		)
	}
	if err != nil {
		return 0, err
	}
	if len(changes) > 0 || len(f.Findings) > 0 {
		return exitFindings, nil
	}
	return code(session.Run), nil
}
