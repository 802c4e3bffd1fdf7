package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"runtime/debug"
	"strings"
	"syscall"

	"github.com/pawl-dev/pawl/internal/gocmd"
	"github.com/pawl-dev/pawl/internal/stand"
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
	short string
	long  string
	run   func(ctx context.Context, e *env, v *verb, args []string) (int, error)
}

func verbs() []*verb {
	return []*verb{optimizeVerb(), findVerb(), heatVerb(), tryVerb(), benchStubVerb(), undoVerb(), cleanVerb(), compareVerb(), gateVerb(), recordVerb(), diagnoseVerb(), traceVerb(), rulesVerb(), evidenceVerb(), scoreVerb(), logVerb(), helpVerb(), versionVerb()}
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
	for _, v := range verbs() {
		if v.name != name {
			continue
		}
		code, err := v.run(ctx, e, v, args[1:])
		if err != nil {
			return fail(e, err)
		}
		return code
	}
	e.printf("pawl: unknown verb %q; pawl help lists them\n", args[0])
	return exitUsage
}

// fail prints an error and returns the code that it stands for.
func fail(e *env, err error) int {
	if errors.Is(err, flag.ErrHelp) {
		return exitOK
	}
	var use *stand.UsageError
	switch {
	case errors.Is(err, syscall.EPIPE):
		return exitFailed // whoever read this has gone, and knows
	case errors.Is(err, context.Canceled):
		e.printf("pawl: interrupted before there was anything to show\n")
		return exitFailed
	case errors.As(err, &use), errors.Is(err, stand.ErrNothing):
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
	return stand.Usage(fmt.Sprintf(format, args...))
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

func helpVerb() *verb {
	return &verb{
		name: "help", args: "[VERB]", short: "more about a verb",
		long: "Help prints the manual of a verb, or what verbs there are.",
		run: func(ctx context.Context, e *env, v *verb, args []string) (int, error) {
			args, err := v.parse(e, v.flags(e), args)
			if err != nil {
				return 0, err
			}
			if len(args) == 0 {
				usage(e.stdout)
				return exitOK, nil
			}
			for _, v := range verbs() {
				if v.name == args[0] {
					_, err := v.run(ctx, e, v, []string{"-h"})
					return exitOK, ignoreHelp(err)
				}
			}
			return exitUsage, usageError("unknown verb %q; pawl help lists them", args[0])
		},
	}
}

func ignoreHelp(err error) error {
	if errors.Is(err, flag.ErrHelp) {
		return nil
	}
	return err
}

func versionVerb() *verb {
	return &verb{
		name: "version", short: "which pawl this is",
		long: "Version prints pawl's version and the oldest Go toolchain it works with.",
		run: func(_ context.Context, e *env, v *verb, args []string) (int, error) {
			args, err := v.parse(e, v.flags(e), args)
			if err != nil {
				return 0, err
			}
			if len(args) > 0 {
				return exitUsage, usageError("version takes no arguments")
			}
			fmt.Fprintf(e.stdout, "pawl %s (needs %s or newer)\n", version(), gocmd.MinVersion)
			return exitOK, nil
		},
	}
}

// version returns the version that the go command stamped into the binary.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" {
		return "(devel)"
	}
	return info.Main.Version
}
