package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/internal/host/foreign"
	"github.com/pawl-dev/pawl/internal/host/scrub"
	"github.com/pawl-dev/pawl/internal/keep/accepted"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/report/comparison"
	"github.com/pawl-dev/pawl/internal/report/findings"
	"github.com/pawl-dev/pawl/internal/run/compare"
)

const gateManual = `
Gate compares the work tree with the commit at which its branch left what it
will be merged into, on this machine, now: no figures are kept between runs,
so there is nothing that can go stale. Without packages it takes ./... .

A benchmark is measured only when the machine code that it reaches changed.
allocs/op is compared exactly, and first; CPU time in duets, until a slowdown
by -min-effect is shown or excluded, or -budget ends. What benchmarks report
by b.ReportMetric is compared too; -metric says which way of it is better.
-baseline names a file of accepted regressions, each with its reason
(docs/gate.md). -html FILE writes what was found as a page for people.
-escapes adds what the compiler newly puts on the heap, checks or does not
inline; that stops no merge by itself.

It exits with 1 when at least one benchmark is proven slower or allocates
more, and with 0 when none is. That a time is undecided fails no build, since
a busy machine must not stop a change that does nothing: the first line then
is “undecided: k of n”, and -strict exits with 4 on it. What fails on the
candidate alone, and what was not even counted, is 4 in any case.`

func runGate(ctx context.Context, e *env, v *verb, args []string) (int, error) {
	var j judging
	fs := v.flags()
	j.register(fs, 10*time.Minute, 30*time.Second, 0.03)
	base := fs.String("base", "", "git `ref` that the branch merges into; found out without it")
	fs.BoolVar(&j.strict, "strict", false, "exit with 4 also where no more than a time is undecided")
	accepted := fs.String("baseline", "", "`file` of accepted regressions")
	escapes := fs.Bool("escapes", false, "also report what the compiler newly puts on the heap, checks or does not inline")
	patterns, err := v.parse(e, fs, args)
	if err != nil {
		return 0, err
	}
	if i := slices.IndexFunc(patterns, func(p string) bool { return strings.ContainsAny(p, "~^") }); i >= 0 {
		return 0, usageError("%s is no package; a commit to compare with goes behind -base: pawl gate -base %s", patterns[i], patterns[i])
	}
	opt, progress, err := j.options(e, v, args, patterns)
	if err != nil {
		return 0, err
	}
	defer progress.Done()
	opt.Base = *base
	if *accepted != "" {
		if opt.Baseline, err = readBaseline(ctx, e, *accepted); err != nil {
			return 0, err
		}
	}
	c, err := compare.Run(ctx, opt)
	if *escapes && err == nil {
		newly(ctx, e, opt, c)
	}
	return j.finish(e, v, c, err, progress)
}

func readBaseline(ctx context.Context, e *env, name string) (*accepted.File, error) {
	f, err := foreign.Open(ctx, foreign.Path(e.dir, name))
	if err != nil {
		return nil, usageError("-baseline: %v", err)
	}
	defer f.Close()
	b, err := accepted.Parse(f, name)
	if err != nil {
		return nil, usageError("-baseline: %v", err)
	}
	return b, nil
}

// writeOut writes what a comparison found into a directory, for other programs
// and for people who come later.
func writeOut(e *env, dir string, c *model.Comparison, flames map[model.Benchmark][]model.Flame) error {
	dir = foreign.Path(e.dir, dir)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("-o: %w", err)
	}
	write := func(name string, print func(io.Writer, *model.Comparison) error) error {
		f, err := os.OpenFile(filepath.Join(dir, name), os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
		if err != nil {
			return fmt.Errorf("-o: %w", err)
		}
		return errors.Join(print(f, c), f.Close())
	}
	err := errors.Join(
		write(c.Verb+".md", comparison.Markdown),
		write(c.Verb+".json", comparison.JSON),
		writePage(e, "-o", filepath.Join(dir, c.Verb+".html"), c, flames),
	)
	if c.Escapes != nil {
		err = errors.Join(err, write(c.Verb+".sarif", func(w io.Writer, c *model.Comparison) error { return findings.SARIF(w, c.Escapes) }))
	}
	for i, name := range []string{"base.txt", "candidate.txt", "metrics.base.txt", "metrics.candidate.txt"} {
		if to := filepath.Join(dir, name); i < len(c.Samples) && c.Samples[i] != to {
			err = errors.Join(err, copyFile(e, to, c.Samples[i]))
		}
	}
	return err
}

func copyFile(e *env, to, from string) error {
	data, err := os.ReadFile(from)
	if err != nil {
		return fmt.Errorf("-o: %w", err)
	}
	text, _ := scrub.New(e.environ).Text(string(data))
	if err := os.WriteFile(to, []byte(text), 0o600); err != nil {
		return fmt.Errorf("-o: %w", err)
	}
	return nil
}

// A loading holds the flags of a comparison under load.
type loading struct {
	command   string
	ready     time.Duration
	alternate bool
}

func registerLoad(fs *flag.FlagSet) *loading {
	l := new(loading)
	fs.StringVar(&l.command, "load", "", "compare two programs under the load of this `command`")
	spanFlag(fs, &l.ready, "ready", 10*time.Second, "with -load, `time` that a program may take until its port answers")
	fs.BoolVar(&l.alternate, "alternate", false, "with -load, put one program under load at a time")
	return l
}

// only refuses flags that would be passed over: those of programs where
// benchmarks are compared, and those of benchmarks with -load.
func (l *loading) only(fs *flag.FlagSet) error {
	idle, why := []string{"ready", "alternate"}, "is for programs that -load puts under load"
	if l.command != "" {
		idle, why = []string{"bench", "screen", "per-benchmark", "test-timeout"}, "is for benchmarks, and with -load none is run"
	}
	var err error
	fs.Visit(func(f *flag.Flag) {
		if err == nil && slices.Contains(idle, f.Name) {
			err = usageError("-%s %s; leave it out", f.Name, why)
		}
	})
	return err
}

func (l *loading) options() compare.LoadOptions {
	return compare.LoadOptions{Command: l.command, Ready: l.ready, Alternate: l.alternate}
}
