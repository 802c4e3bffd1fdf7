package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"runtime/debug"
	"slices"
	"syscall"

	"github.com/pawl-dev/pawl/internal/host/gorelease"
	"github.com/pawl-dev/pawl/internal/measure/testbed"
	"github.com/pawl-dev/pawl/internal/run/optimize"
	"github.com/pawl-dev/pawl/internal/run/overview"
)

// The exit codes; docs/exit-codes.md explains them.
const (
	exitOK        = 0
	exitFindings  = 1
	exitUsage     = 2
	exitFailed    = 3
	exitUndecided = 4
)

// A verb is one thing that pawl does.
type verb struct {
	group string // what the verbs from here on are for, in their list
	name  string
	args  string // synopsis of what follows the flags
	short string // in the list of verbs
	flag  string // the flags to know first, for its help on one screen
	long  string // the manual
	run   func(ctx context.Context, e *env, v *verb, args []string) (int, error)
}

// verbs are all that there are, as pawl help and the package comment list them.
func verbs() []*verb {
	return []*verb{
		{"Make it faster", "optimize", "[packages]", "make it faster, unattended", "bench budget profile resume", optimizeManual, runOptimize},
		{"", "try", "PATCH|REF [packages]", "prove or refute one change that you bring", "bench allow budget", tryManual, runTry},
		{"", "undo", "[CHANGE|COMMIT]", "drop one change that was kept", "n", undoManual, runUndo},
		{"Find what costs", "find", "[packages]", "report what costs, why, and what could be done", "profile tier since fix sarif", findManual, runFind},
		{"", "bench-stub", "FUNC", "write a benchmark of a function, from inputs of the tests", "o w line", benchStubManual, runBenchStub},
		{"", "diagnose", "TARGET... [-- COMMAND|ARGS]", "report what the runtime does on a program's behalf", "seconds base metrics html", diagnoseManual, runDiagnose},
		{"", "trace", "FILE", "report what goroutines waited for, from an execution trace", "o pprof", traceManual, runTrace},
		{"", "heat", "PROFILE...", "write what lines cost, for go vet -vettool=pawl", "o", heatManual, runHeat},
		{"", "tune", "[FILE|DIR|PACKAGE...]", "report wrong settings of build and run, or try others", "diff fix try pgo", tuneManual, runTune},
		{"Keep it fast", "compare", "BASE CANDIDATE [packages]", "compare two versions: is the second slower, or faster?", "bench budget html metric load", compareManual, runCompare},
		{"", "gate", "[packages]", "stop a branch that makes a benchmark slower", "base bench budget baseline metric", gateManual, runGate},
		{"", "record", "NAME [packages]", "keep what must stay true of a hot path", "bench at better guard check", recordManual, runRecord},
		{"", "watch", "TARGET...", "capture a program in production, or judge a canary", "for list canary rules", watchManual, runWatch},
		{"What was done", "log", "[RUN]", "show what earlier runs on this module found", "html from", logManual, runLog},
		{"", "clean", "", "remove what earlier runs left", "n runs", cleanManual, runClean},
		{"What it is based on", "rules", "[NAME]", "list the rules, or explain one", "json", rulesManual, runRules},
		{"", "evidence", "[rule…]", "measure here what the rules claim", "budget", evidenceManual, runEvidence},
		{"", "score", "CORPUS.tsv", "measure how well pawl does on real commits", "rows resume", scoreManual, runScore},
		{"With other programs", "mcp", "", "serve coding agents by the Model Context Protocol", "budget sandbox", mcpManual, runMCP},
		{"", "completion", "bash|zsh|fish", "print a script that completes pawl's words in a shell", "", completionManual, runCompletion},
		{"Pawl itself", "help", "[VERB]", "explain a verb", "all man", helpManual, runHelp},
		{"", "version", "", "print pawl's version", "", versionManual, runVersion},
	}
}

func verbOf(name string) *verb {
	all := verbs()
	i := slices.IndexFunc(all, func(v *verb) bool { return v.name == name })
	if i < 0 {
		return nil
	}
	return all[i]
}

func dispatch(ctx context.Context, e *env, args []string) int {
	if len(args) == 0 {
		return begin(ctx, e)
	}
	name := args[0]
	switch name {
	case "-h", "-help", "--help":
		name = "help"
	case "-version", "--version":
		name = "version"
	}
	v := verbOf(name)
	if v == nil {
		e.printf("pawl: unknown verb %q; pawl help lists them\n", args[0])
		return exitUsage
	}
	code, err := v.run(ctx, e, v, args[1:])
	if err != nil {
		return fail(e, interrupted(ctx, err))
	}
	return code
}

// interrupted is the error of a verb: where an interrupt kept it from reading
// what it was given, that is not wrong usage.
func interrupted(ctx context.Context, err error) error {
	var use *testbed.UsageError
	if ctx.Err() != nil && errors.As(err, &use) {
		return ctx.Err()
	}
	return err
}

// fail prints an error and returns the code that it stands for.
func fail(e *env, err error) int {
	if errors.Is(err, flag.ErrHelp) {
		return exitOK
	}
	var use *testbed.UsageError
	switch {
	case errors.Is(err, syscall.EPIPE):
		return exitFailed // the reader of this has gone, and knows
	case errors.Is(err, context.Canceled):
		e.printf("pawl: interrupted before there was anything to show\n")
		return exitFailed
	case errors.As(err, &use), errors.Is(err, testbed.ErrNothing):
		e.printf("pawl: %v\n", err)
		return exitUsage
	case errors.Is(err, optimize.ErrLate):
		e.printf("pawl: %v\n", err)
		return exitUndecided
	default:
		e.printf("pawl: %v\n", err)
		return exitFailed
	}
}

func (v *verb) flags() *flag.FlagSet {
	fs := flag.NewFlagSet(v.name, flag.ContinueOnError)
	fs.SetOutput(io.Discard) // errors are printed once, by fail
	fs.Usage = func() {}
	return fs
}

// read parses args with the flags that register declares, and returns the operands.
func (v *verb) read(e *env, register func(*flag.FlagSet), args []string) ([]string, error) {
	fs := v.flags()
	register(fs)
	return v.parse(e, fs, args)
}

// parse parses args, with flags before, between and after the operands, which
// it returns. What follows "--" is an operand whatever it looks like.
func (v *verb) parse(e *env, fs *flag.FlagSet, args []string) ([]string, error) {
	var operands []string
	for len(args) > 0 {
		dashes := args[0] == "--"
		if err := fs.Parse(args); err != nil {
			if errors.Is(err, flag.ErrHelp) {
				v.help(e, fs)
				return nil, err
			}
			return nil, usageError("%v; pawl help %s lists the flags", err, v.name)
		}
		rest := fs.Args()
		if consumed := len(args) - len(rest); dashes || consumed > 0 && args[consumed-1] == "--" {
			return append(operands, rest...), nil
		}
		if len(rest) == 0 {
			break
		}
		operands, args = append(operands, rest[0]), rest[1:]
	}
	return operands, nil
}

func usageError(format string, args ...any) error {
	return testbed.Usagef(format, args...)
}

func usage(w io.Writer) {
	fmt.Fprintf(w, "Pawl makes Go programs faster, one proven change at a time.\n")
	for _, v := range verbs() {
		if v.group != "" {
			fmt.Fprintf(w, "\n%s:\n", v.group)
		}
		fmt.Fprintf(w, "  pawl %-10s  %s\n", v.name, v.short)
	}
	fmt.Fprintf(w, "\nStart with:  pawl              what fits the module here\nMore:        pawl help VERB\n")
}

// begin is pawl without a verb: what there is in the module here, and what to
// begin with. Where there is no module, it is a command line without a verb: what
// there is instead of one comes last.
func begin(ctx context.Context, e *env) int {
	m, err := overview.Look(ctx, e.dir, e.getenv)
	if err != nil {
		usage(e.stderr)
		e.printf("\npawl: %v\n", err)
		return exitUsage
	}
	if err := m.Write(e.plain()); err != nil {
		return fail(e, err)
	}
	return exitOK
}

const versionManual = "Version prints pawl's version and the oldest Go toolchain it works with."

func runVersion(_ context.Context, e *env, v *verb, args []string) (int, error) {
	args, err := v.parse(e, v.flags(), args)
	if err != nil {
		return 0, err
	}
	if len(args) > 0 {
		return exitUsage, usageError("version takes no arguments")
	}
	fmt.Fprintf(e.stdout, "pawl %s (needs %s or newer)\n", version(), gorelease.Oldest())
	return exitOK, nil
}

func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" {
		return "(devel)"
	}
	return info.Main.Version
}
