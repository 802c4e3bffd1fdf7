package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"

	"github.com/pawl-dev/pawl/internal/host/foreign"
	"github.com/pawl-dev/pawl/internal/measure/testbed"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/report/audits"
	"github.com/pawl-dev/pawl/internal/report/data"
	"github.com/pawl-dev/pawl/internal/run/tune"
	"github.com/pawl-dev/pawl/rules/rule"
)

const tuneManual = `
Tune reads how a program is built and run: go.mod, makefiles, Dockerfiles,
goreleaser configurations, CI files, shell scripts, Kubernetes manifests, Helm
values, compose files and systemd units. It reports what is wrong, with file
and line, and then what is set and what that does. Without operands it takes
the module; an operand is a directory, a file, or a Go program, whose build
information it reads.

Each finding says what it is about: speed, memory, size, reproducibility, or
portability. Tier "always" is what is wrong wherever the program runs; tier
"special" are choices. A build for debugging or for tests is not held to what
a release is.

-fix makes the fixes of class A, which keep what the program does. -diff shows
them, with those of class B, which are to be tried.

A finding is silenced by a comment on its line or above it, where the format has
comments, and .pawl.json is followed as by find (off, exclude, tier):

	# lint:ignore pawl/RULE reason

The audit exits with 1 when there are findings.
` + tryingManual

// A tuning holds the flags that all that tune does have in common.
type tuning struct {
	chdir, html, color   string
	json, quiet, verbose bool
	sarif                bool
}

func (t *tuning) register(fs *flag.FlagSet) {
	fs.StringVar(&t.chdir, "C", "", "change to `dir` first")
	fs.BoolVar(&t.json, "json", false, "print JSON (docs/json.md) instead of text")
	fs.BoolVar(&t.sarif, "sarif", false, "print the findings as SARIF 2.1.0")
	fs.StringVar(&t.html, "html", "", "also write a page into this `file`")
	fs.BoolVar(&t.quiet, "q", false, "no progress on stderr")
	verboseFlag(fs, &t.verbose)
	colorFlag(fs, &t.color)
}

// auditing are the flags of tune's audit.
type auditing struct {
	tuning
	tier, oldest string
	config       string
	fix, diff    bool
}

func (s *auditing) register(fs *flag.FlagSet) {
	fs.Var(choice{&s.tier, []string{"always", "special", "all"}}, "tier", "show the findings of one `tier`: always (the default), special or all")
	fs.Var(choice{&s.oldest, []string{"v1", "v2", "v3", "v4"}}, "oldest", "`level` of GOAMD64 that the oldest machine has")
	fs.BoolVar(&s.fix, "fix", false, "make the fixes of class A in the files")
	fs.BoolVar(&s.diff, "diff", false, "print the fixes as a diff instead of the findings; with -fix, only those of class A")
	fs.StringVar(&s.config, "config", "", "configuration `file` (default "+configName+" at the module's root)")
}

func (s *auditing) check() error {
	if s.json && s.sarif || s.json && s.diff && !s.fix || s.sarif && s.diff {
		return usageError("-json, -sarif and -diff each print something else; choose one")
	}
	return nil
}

func runTune(ctx context.Context, e *env, v *verb, args []string) (int, error) {
	var set auditing
	fs := v.flags()
	set.tuning.register(fs)
	common := registered(fs)
	set.register(fs)
	audit := registered(fs)
	x := experiments(fs)
	operands, err := v.parse(e, fs, args)
	if err != nil {
		return 0, err
	}
	run := x.mode()
	fs.Visit(func(f *flag.Flag) {
		switch {
		case run == nil && !audit[f.Name]:
			err = usageError("-%s needs one of -try, -pgo, -pgo-check, -like, -startup and -size", f.Name)
		case run != nil && audit[f.Name] && !common[f.Name]:
			err = usageError("-%s is for the audit, which is tune without -try, -pgo, -pgo-check, -like, -startup and -size", f.Name)
		}
	})
	if err != nil {
		return 0, err
	}
	if run != nil && set.sarif && (!x.check || set.json) {
		return 0, usageError("-sarif is for the audit and for -pgo-check, without -json")
	}
	if run != nil {
		done, err := x.open(ctx, e)
		defer done()
		if err != nil {
			return 0, err
		}
		return run(ctx, e, set.tuning, args, operands)
	}
	return set.audit(ctx, e, operands)
}

// registered returns the names of the flags that there are so far.
func registered(fs *flag.FlagSet) map[string]bool {
	names := map[string]bool{}
	fs.VisitAll(func(f *flag.Flag) { names[f.Name] = true })
	return names
}

// audit reads the files, and shows or fixes what is wrong.
func (s *auditing) audit(ctx context.Context, e *env, operands []string) (int, error) {
	if err := s.check(); err != nil {
		return 0, err
	}
	dir, err := changeDir(e, s.chdir)
	if err != nil {
		return 0, err
	}
	for _, name := range operands {
		if _, err := os.Stat(foreign.Path(dir, name)); err != nil {
			return 0, usageError("%v", err)
		}
	}
	root := dir
	if r := testbed.ModuleRoot(dir); r != "" && len(operands) == 0 {
		root = r
	}
	config, err := configuration(ctx, e, s.config, cmp.Or(testbed.ModuleRoot(dir), dir))
	if err != nil {
		return 0, err
	}
	opt := tune.Options{Root: root, Names: operands, Oldest: s.oldest, Tier: cmp.Or(s.tier, tierOf(config), "always"), Tool: version(), Config: config}
	a, err := tune.Audit(ctx, opt)
	if err != nil {
		return 0, err
	}
	if s.fix || s.diff {
		return s.fixes(ctx, e, opt, a)
	}
	return s.print(e, a)
}

// tierOf is the tier of a configuration, which may be one that only find knows.
func tierOf(c *rule.Config) string {
	if c == nil || c.Tier == "profiled" {
		return ""
	}
	return c.Tier
}

// fixes makes the fixes and looks again, or shows them as a diff.
func (s *auditing) fixes(ctx context.Context, e *env, opt tune.Options, a *model.Audit) (int, error) {
	x := fixing{fix: s.fix, diff: s.diff}
	fixed, err := tune.Fix(a, x.classes())
	if err != nil {
		return 0, err
	}
	if s.diff {
		return x.show(e, fixed), nil
	}
	names, err := x.make(e, a.Root, fixed)
	if err != nil {
		return 0, err
	}
	if a, err = tune.Audit(ctx, opt); err != nil {
		return 0, err
	}
	a.Fixed, a.Left = names, fixed.Left
	return s.print(e, a)
}

func (s *auditing) print(e *env, a *model.Audit) (int, error) {
	var err error
	switch {
	case s.sarif:
		err = audits.SARIF(e.stdout, a)
	case s.json:
		err = data.JSON(e.stdout, a)
	default:
		err = audits.Text(e.stdout, a, e.shown(s.color, s.verbose))
	}
	if s.html != "" {
		err = errors.Join(err, s.page(e, a))
	}
	if err != nil {
		return 0, err
	}
	if len(a.Findings) > 0 {
		return exitFindings, nil
	}
	return exitOK, nil
}

func (s *auditing) page(e *env, a *model.Audit) error {
	raw, err := data.RawJSON("tune.json", "All that this page says, for programs.", "", a)
	if err != nil {
		return err
	}
	var page bytes.Buffer
	if err := audits.HTML(&page, a, []data.Raw{raw}); err != nil {
		return fmt.Errorf("-html: %w", err)
	}
	if err := os.WriteFile(foreign.Path(e.dir, s.html), page.Bytes(), 0o600); err != nil {
		return fmt.Errorf("-html: %w", err)
	}
	return nil
}
