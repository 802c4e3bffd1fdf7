// Pawl makes Go programs faster, one proven change at a time.
//
// It measures a module's benchmarks, finds what costs most and why the compiler
// says so, changes one thing at a time, and keeps a change only when behaviour
// is unchanged and measurement proves the gain. What is kept becomes a commit
// on a branch of its own; all else is rolled back and remembered.
//
// Usage:
//
//	pawl optimize [flags] [packages]                   make it faster, unattended
//	pawl try [flags] PATCH|REF [packages]              prove or refute one change that you bring
//	pawl undo [flags] [CHANGE|COMMIT]                  drop one change that was kept
//	pawl find [flags] [packages]                       report what costs, why, and what could be done
//	pawl bench-stub [flags] FUNC                       write a benchmark of a function, from inputs of the tests
//	pawl diagnose [flags] TARGET... [-- COMMAND|ARGS]  report what the runtime does on a program's behalf
//	pawl trace [flags] FILE                            report what goroutines waited for, from an execution trace
//	pawl heat [flags] PROFILE...                       write what lines cost, for go vet -vettool=pawl
//	pawl tune [flags] [FILE|DIR|PACKAGE...]            report wrong settings of build and run, or try others
//	pawl compare [flags] BASE CANDIDATE [packages]     compare two versions: is the second slower, or faster?
//	pawl gate [flags] [packages]                       stop a branch that makes a benchmark slower
//	pawl record [flags] NAME [packages]                keep what must stay true of a hot path
//	pawl watch [flags] TARGET...                       capture a program in production, or judge a canary
//	pawl log [flags] [RUN]                             show what earlier runs on this module found
//	pawl clean [flags]                                 remove what earlier runs left
//	pawl rules [flags] [NAME]                          list the rules, or explain one
//	pawl evidence [flags] [rule…]                      measure here what the rules claim
//	pawl score [flags] CORPUS.tsv                      measure how well pawl does on real commits
//	pawl mcp [flags]                                   serve coding agents by the Model Context Protocol
//	pawl completion [flags] bash|zsh|fish              print a script that completes pawl's words in a shell
//	pawl help [flags] [VERB]                           explain a verb
//	pawl version                                       print pawl's version
//
// Flags may stand before or after the packages. Packages are named as for go
// test; without any, the package in the current directory is meant. A directory of
// another module, such as ./examples/wire, works too: pawl then runs in that
// module.
//
// # What it does to your tree
//
// Nothing. Your files, index, stash, HEAD and branches stay as they are, with
// all that is uncommitted in them. Pawl works on a copy in your cache directory.
// It adds one branch, pawl/TIME, when it keeps something, and a directory .pawl
// in the module, which git ignores, with the journal and the runs.
//
// Benchmarks and tests are programs of the module, and pawl runs them, as go
// test would. With -sandbox they run without network and can write to none of
// your files.
//
// Four verbs write into the tree, because that is what they are for: find -fix,
// tune -fix, bench-stub -w, and record, which writes into perf/records.
//
// # How it decides
//
// Base and candidate run as two fresh processes at the same time on one core,
// and pawl compares their CPU time per iteration. It repeats such duets until
// the evidence suffices; the evidence may be looked at after each one without
// losing its error rate. Allocations are counted, not estimated. A change that
// saves allocations is kept when a slowdown of more than 3 % is excluded,
// anything else when it is shown to be faster. Unless that is by more than a
// third, it has to show on fresh links of both sides: where the linker happens
// to put code makes a difference, too.
//
// # Exit codes
//
//	0  fine
//	1  findings, or candidates to try (find), a change that does not hold up (try), a proven
//	   regression (compare, gate), a record that is broken (gate, record), a gain that is
//	   not there (evidence), a verdict that is not acceptable (score)
//	2  the command line, or there is nothing to work on
//	3  the work could not be done: the base does not build, its tests fail, interrupted
//	4  undecided: it could be neither shown nor refuted
//
// # Environment
//
// NO_COLOR switches colours off; they are off anyway where the output is no
// terminal. GOFLAGS, GOMAXPROCS, GOGC and whatever else your programs look at
// are passed on, the same to both sides.
package main

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"syscall"
	"time"
)

func main() {
	if asVetTool(os.Args[1:]) {
		vetTool(os.Args[1:])
	}
	code := make(chan int)
	go func() { code <- run() }() // the main goroutine's thread starts no process: see gocmd
	os.Exit(<-code)
}

func run() int {
	ctx, stop := signal.NotifyContext(context.Background(), endings()...)
	defer stop()
	// A second signal ends pawl at once: who sends it wants no table.
	context.AfterFunc(ctx, stop)
	survivePipes()
	ctx, leave := context.WithCancel(ctx)
	defer leave()
	dir, err := os.Getwd()
	if err != nil {
		dir = "."
	}
	out, progress := &stream{to: os.Stdout, leave: leave}, &stream{to: os.Stderr, leave: leave}
	e := &env{
		stdout: out, stderr: progress, programs: os.Stderr, dir: dir, environ: os.Environ(),
		getenv: os.Getenv, now: time.Now,
		outTTY: isTerminal(os.Stdout), errTTY: isTerminal(os.Stderr), width: width(os.Stdout, os.Stderr),
	}
	return printed(e, out, dispatch(ctx, e, os.Args[1:]))
}

// endings are the signals that ask pawl to end. One is that its terminal was
// closed, unless nohup says to go on without: that one comes from the shell and
// from the system, and the second must not end pawl at once.
func endings() []os.Signal {
	ends := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if signal.Ignored(syscall.SIGHUP) {
		return ends
	}
	signal.Notify(make(chan os.Signal, 1), syscall.SIGHUP)
	return append(ends, syscall.SIGHUP)
}

// printed returns the exit code of a verb that ended with code, as far as what
// it had to say arrived. A reader that has left, such as head, knows why.
func printed(e *env, out *stream, code int) int {
	err := out.failed()
	if err == nil {
		return code
	}
	if code != exitFailed && !errors.Is(err, syscall.EPIPE) {
		e.printf("pawl: %v\n", err)
	}
	return exitFailed
}
