package main

import (
	"context"
	"errors"
	"flag"
	"os"

	"github.com/pawl-dev/pawl/internal/host/foreign"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/read/trace"
	"github.com/pawl-dev/pawl/internal/report/data"
	"github.com/pawl-dev/pawl/internal/report/diagnosis/traces"
	runtrace "github.com/pawl-dev/pawl/internal/run/trace"
)

const traceManual = `
Trace reads an execution trace, as runtime/trace, go test -trace,
/debug/pprof/trace and flight recorders write it (Go 1.22 and later). It reports
what goroutines waited for: locks, channels, the network, system calls, the
garbage collector, a processor. It names the goroutines and the places that
waited longest, and shows what the collector did and how busy the processors
were. FILE may be "-" for standard input:

	curl -s 'http://HOST/debug/pprof/trace?seconds=5' | pawl trace -

With -pprof it writes the waits of one kind as a profile for go tool pprof
instead: net, sync (with channels and select), syscall or sched.

The file is read as a stream: memory follows the busiest second of the trace,
not its length (docs/trace.md).

It exits with 0 when the trace was read, also when it breaks off and the part
before is shown with a warning. It exits with 2 for what is no trace, and with 3
when nothing of it can be read or its format is not known.`

// A tracing holds the flags of trace.
type tracing struct {
	kind  string
	out   string
	json  bool
	color string
}

func (t *tracing) register(fs *flag.FlagSet) {
	fs.Var(choice{&t.kind, trace.Kinds()}, "pprof", "write the waits of `kind` net, sync, syscall or sched as a pprof profile")
	fs.StringVar(&t.out, "o", "", "`file` for -pprof; \"-\" is standard output")
	fs.BoolVar(&t.json, "json", false, "print JSON (docs/json.md) instead of text")
	colorFlag(fs, &t.color)
}

func (t *tracing) check(operands []string) error {
	switch {
	case len(operands) != 1:
		return usageError("trace needs one FILE; pawl help trace")
	case t.kind != "" && t.out == "":
		return usageError("-pprof needs -o FILE, or -o - for standard output")
	case t.kind == "" && t.out != "":
		return usageError("-o is the file of -pprof KIND; text and JSON go to standard output")
	case t.kind != "" && t.json:
		return usageError("-pprof and -json are two forms of one trace: give one of them")
	}
	return nil
}

func runTrace(ctx context.Context, e *env, v *verb, args []string) (int, error) {
	var t tracing
	operands, err := v.read(e, t.register, args)
	if err != nil {
		return 0, err
	}
	if err := t.check(operands); err != nil {
		return 0, err
	}
	res, err := readTrace(ctx, e, operands[0])
	if err != nil {
		return 0, err
	}
	value := res.Summary(version(), operands[0])
	if err := t.print(e, res, value); err != nil {
		return 0, err
	}
	if res.Interrupted() {
		e.printf("pawl: interrupted: this is the first part of the trace\n")
		return exitFailed, nil
	}
	return exitOK, nil
}

func readTrace(ctx context.Context, e *env, name string) (*trace.Result, error) {
	if name == "-" {
		return runtrace.Read(ctx, foreign.Reader(ctx, os.Stdin), name)
	}
	return runtrace.ReadFile(ctx, foreign.Path(e.dir, name), name)
}

func (t *tracing) print(e *env, res *trace.Result, value *model.Trace) error {
	switch {
	case t.kind != "":
		return t.profile(e, res, value)
	case t.json:
		return data.JSON(e.stdout, value)
	}
	return traces.Text(e.stdout, value, e.view(t.color, e.outTTY))
}

func (t *tracing) profile(e *env, res *trace.Result, value *model.Trace) error {
	for _, w := range value.Warnings {
		e.printf("pawl: %s\n", w.Seen)
	}
	if t.out == "-" {
		_, err := res.WriteProfile(e.data(), t.kind)
		return err
	}
	f, err := os.OpenFile(foreign.Path(e.dir, t.out), os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
	if err != nil {
		return usageError("-o: %v", err)
	}
	n, err := res.WriteProfile(f, t.kind)
	if err := errors.Join(err, f.Close()); err != nil {
		return err
	}
	e.printf("pawl: %d waits in %s; go tool pprof -top %s\n", n, t.out, t.out)
	return nil
}
