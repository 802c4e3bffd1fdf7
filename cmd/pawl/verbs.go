package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"

	"github.com/pawl-dev/pawl/internal/host/gorelease"
	"github.com/pawl-dev/pawl/internal/measure/testbed"
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
	name  string
	args  string // synopsis of what follows the flags
	short string // in the list of verbs
	long  string // the manual
	run   func(ctx context.Context, e *env, v *verb, args []string) (int, error)
}

// verbs are all that there are, as pawl help and the package comment list them.
func verbs() []*verb {
	return []*verb{
		{"optimize", "[packages]", "make it faster, unattended", optimizeManual, runOptimize},
		{"find", "[packages]", "report what costs, why, and what could be done", findManual, runFind},
		{"heat", "PROFILE...", "write what lines cost, for go vet -vettool=pawl", heatManual, runHeat},
		{"try", "PATCH|REF [packages]", "prove or refute one change that you bring", tryManual, runTry},
		{"bench-stub", "FUNC", "write a benchmark of a function, from inputs of the tests", benchStubManual, runBenchStub},
		{"undo", "[CHANGE|COMMIT]", "drop one change that was kept", undoManual, runUndo},
		{"clean", "", "remove what earlier runs left", cleanManual, runClean},
		{"compare", "BASE CANDIDATE [packages]", "compare two versions: is the second slower, or faster?", compareManual, runCompare},
		{"gate", "[packages]", "stop a branch that makes a benchmark slower", gateManual, runGate},
		{"record", "NAME [packages]", "keep what must stay true of a hot path", recordManual, runRecord},
		{"diagnose", "TARGET... [-- COMMAND|ARGS]", "report what the runtime does on a program's behalf", diagnoseManual, runDiagnose},
		{"trace", "FILE", "report what goroutines waited for, from an execution trace", traceManual, runTrace},
		{"rules", "[NAME]", "list the rules, or explain one", rulesManual, runRules},
		{"evidence", "[rule…]", "measure here what the rules claim", evidenceManual, runEvidence},
		{"score", "CORPUS.tsv", "measure how well pawl does on real commits", scoreManual, runScore},
		{"log", "[RUN]", "show what earlier runs on this module found", logManual, runLog},
		{"mcp", "", "serve coding agents by the Model Context Protocol", mcpManual, runMCP},
		{"help", "[VERB]", "explain a verb", helpManual, runHelp},
		{"version", "", "print pawl's version", versionManual, runVersion},
	}
}

// verbOf returns the verb of a name, or nil.
func verbOf(name string) *verb {
	all := verbs()
	i := slices.IndexFunc(all, func(v *verb) bool { return v.name == name })
	if i < 0 {
		return nil
	}
	return all[i]
}

// dispatch runs the verb that args name and returns the exit code.
func dispatch(ctx context.Context, e *env, args []string) int {
	if len(args) == 0 {
		usage(e.stderr)
		return exitUsage
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
		return exitFailed // whoever read this has gone, and knows
	case errors.Is(err, context.Canceled):
		e.printf("pawl: interrupted before there was anything to show\n")
		return exitFailed
	case errors.As(err, &use), errors.Is(err, testbed.ErrNothing):
		e.printf("pawl: %v\n", err)
		return exitUsage
	default:
		e.printf("pawl: %v\n", err)
		return exitFailed
	}
}

// flags returns the flag set of a verb.
func (v *verb) flags(e *env) *flag.FlagSet {
	fs := flag.NewFlagSet(v.name, flag.ContinueOnError)
	fs.SetOutput(io.Discard) // errors are printed once, by fail
	fs.Usage = func() {}
	return fs
}

// parse parses args, with flags before, between and after the operands, which
// it returns. What follows "--" is an operand whatever it looks like.
func (v *verb) parse(e *env, fs *flag.FlagSet, args []string) ([]string, error) {
	var operands []string
	for len(args) > 0 {
		dashes := args[0] == "--"
		if err := fs.Parse(args); err != nil {
			if errors.Is(err, flag.ErrHelp) {
				v.help(e.stdout, fs)
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

// help prints the manual of a verb.
func (v *verb) help(w io.Writer, fs *flag.FlagSet) {
	words := []string{"usage: pawl", v.name}
	any := false
	fs.VisitAll(func(*flag.Flag) { any = true })
	if any {
		words = append(words, "[flags]")
	}
	if v.args != "" {
		words = append(words, v.args)
	}
	fmt.Fprintf(w, "%s\n\n%s\n", strings.Join(words, " "), strings.TrimSpace(v.long))
	if any {
		fmt.Fprintf(w, "\nFlags:\n")
		fs.SetOutput(w)
		fs.PrintDefaults()
		fs.SetOutput(io.Discard)
	}
}

func usage(w io.Writer) {
	fmt.Fprintf(w, "Pawl makes Go programs faster, one proven change at a time.\n\n")
	for _, v := range verbs() {
		fmt.Fprintf(w, "  pawl %-10s %s\n", v.name, v.short)
	}
	fmt.Fprintf(w, "\nStart with:  pawl optimize -bench . ./...\nMore:        pawl help VERB\n")
}

const helpManual = "Help prints the manual of a verb, or what verbs there are."

func runHelp(ctx context.Context, e *env, v *verb, args []string) (int, error) {
	args, err := v.parse(e, v.flags(e), args)
	if err != nil {
		return 0, err
	}
	if len(args) == 0 {
		usage(e.stdout)
		return exitOK, nil
	}
	if v = verbOf(args[0]); v == nil {
		return exitUsage, usageError("unknown verb %q; pawl help lists them", args[0])
	}
	_, err = v.run(ctx, e, v, []string{"-h"})
	return exitOK, ignoreHelp(err)
}

func ignoreHelp(err error) error {
	if errors.Is(err, flag.ErrHelp) {
		return nil
	}
	return err
}

const versionManual = "Version prints pawl's version and the oldest Go toolchain it works with."

func runVersion(_ context.Context, e *env, v *verb, args []string) (int, error) {
	args, err := v.parse(e, v.flags(e), args)
	if err != nil {
		return 0, err
	}
	if len(args) > 0 {
		return exitUsage, usageError("version takes no arguments")
	}
	fmt.Fprintf(e.stdout, "pawl %s (needs %s or newer)\n", version(), gorelease.Oldest())
	return exitOK, nil
}

// version returns the version that the go command stamped into the binary.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" {
		return "(devel)"
	}
	return info.Main.Version
}
