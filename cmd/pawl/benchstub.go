package main

import (
	"context"
	"flag"
	"fmt"
	"path/filepath"
	"time"

	"github.com/pawl-dev/pawl/internal/report/data"
	"github.com/pawl-dev/pawl/internal/report/progress"
	"github.com/pawl-dev/pawl/internal/report/stubs"
	"github.com/pawl-dev/pawl/internal/run/benchstub"
)

const benchStubManual = `
Bench-stub runs the tests with a hook in a function, records its arguments, and
prints a benchmark of it with a typical and the largest of those inputs. It
compiles and runs that benchmark in a copy of the module, and reports how many
lines of the function ran in its timed part.

FUNC is Parse, ./pkg.Parse, example.com/m/pkg.Parse, (*T).Method, T.Method or
pkg.(*T).Method. Without a package, that of the current directory comes first.

The benchmark goes to stdout, and nothing is written. -w writes it into the
package's directory, -o elsewhere; an existing file is never overwritten. Large
inputs are files in testdata/pawl, which only -w and -o write.

Inputs come from tests, which may hold what is private: read them before you
publish them. What cannot be written as Go (a function, a channel, a live
connection) is an error that names the parameter.

It exits with 0 when the benchmark runs the function, with 2 when FUNC is
unknown or may be several, or a file is in the way, and with 3 when no test
calls it, no input can be written, or the line of -line does not run.`

// A stubbing holds the flags of bench-stub.
type stubbing struct {
	sandbox            *sandboxing
	chdir, line, out   string
	write, json, quiet bool
	color              string
	timeout            time.Duration
}

func (s *stubbing) register(fs *flag.FlagSet) {
	fs.StringVar(&s.chdir, "C", "", "change to `dir` first")
	fs.StringVar(&s.line, "line", "", "the line, `FILE.go:N`, that has to run in the timed part")
	fs.BoolVar(&s.write, "w", false, "write the benchmark into the package's directory, in a file of its own")
	fs.StringVar(&s.out, "o", "", "write the benchmark into `file`, and large inputs beside it")
	fs.BoolVar(&s.json, "json", false, "print JSON (docs/bench-stub.md)")
	s.sandbox = registerSandbox(fs)
	spanFlag(fs, &s.timeout, "timeout", 2*time.Minute, "`time` that the tests of one package may take")
	fs.BoolVar(&s.quiet, "q", false, "no progress on stderr")
	colorFlag(fs, &s.color)
}

func (s *stubbing) check(operands []string) error {
	switch {
	case len(operands) != 1:
		return usageError("bench-stub needs one FUNC; pawl help bench-stub")
	case s.write && s.out != "":
		return usageError("-w and -o each say where to write: choose one")
	}
	return nil
}

func runBenchStub(ctx context.Context, e *env, v *verb, args []string) (int, error) {
	var s stubbing
	operands, err := v.read(e, s.register, args)
	if err != nil {
		return 0, err
	}
	if err := s.check(operands); err != nil {
		return 0, err
	}
	dir, err := changeDir(e, s.chdir)
	if err != nil {
		return 0, err
	}
	cache, err := cacheDir()
	if err != nil {
		return 0, err
	}
	opt := benchstub.Options{
		Func: operands[0], Line: s.line, Dir: dir, Timeout: s.timeout, Env: e.environ, CacheDir: cache, Sandbox: s.sandbox.config(), Now: e.now,
	}
	var p *progress.Progress
	if !s.quiet {
		p = progress.New(e.stderr, e.errTTY, e.now, e.view(s.color, e.errTTY))
		opt.Watch = p
	}
	made, err := benchstub.Make(ctx, opt)
	p.Done()
	if err != nil {
		return 0, err
	}
	return exitOK, s.deliver(e, dir, made)
}

// deliver writes the benchmark where it is wanted. What is proven of it goes to
// stderr where the benchmark itself is on stdout.
func (s *stubbing) deliver(e *env, dir string, made *benchstub.Stub) error {
	var written []string
	if s.write || s.out != "" {
		file := s.out
		if file != "" && !filepath.IsAbs(file) {
			file = filepath.Join(dir, file)
		}
		var err error
		if written, err = made.Save(file); err != nil {
			return err
		}
	}
	if s.json {
		return data.JSON(e.stdout, made)
	}
	if written == nil {
		fmt.Fprint(e.data(), made.Source)
		e.printf("%s", stubs.Text(made.Stub))
		if n := len(made.Data); n > 0 {
			e.printf("large inputs are files beside it (%d): -w writes them and the benchmark into %s\n", n, made.File)
		}
		return nil
	}
	for _, name := range written {
		if rel, err := filepath.Rel(e.dir, name); err == nil && filepath.IsLocal(rel) {
			name = rel
		}
		fmt.Fprintf(e.plain(), "wrote %s\n", name)
	}
	_, err := fmt.Fprint(e.plain(), stubs.Text(made.Stub))
	return err
}
