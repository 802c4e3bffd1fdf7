package trace

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"strings"

	xtrace "golang.org/x/exp/trace"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/words"
)

// A Result is a trace that was read.
type Result struct {
	c       *collector
	format  string
	bytes   int64
	largest int64 // bytes of the largest generation
	stopped string
	err     error // why it stopped
	warning *model.Warning
}

// Read reads a trace until its end. A trace that breaks off, or is interrupted
// by ctx, gives what was read before and says so; without a single event there
// is an error. Errors are a *NoTraceError for what is no trace, a
// *VersionError for a format that cannot be read, and else of reading.
func Read(ctx context.Context, r io.Reader) (*Result, error) {
	in := &limited{r: r, limit: maxGeneration}
	br := bufio.NewReaderSize(in, 64<<10)
	minor, err := readHeader(br)
	if err != nil {
		return nil, err
	}
	res := &Result{c: newCollector(), format: fmt.Sprintf("1.%d", minor)}
	err = res.read(ctx, br, in, minor)
	res.bytes, res.largest = in.total, in.largest
	var version *VersionError
	switch {
	case errors.As(err, &version):
		return nil, err
	case res.c.events == 0 && err != nil && ctx.Err() != nil:
		return nil, fmt.Errorf("nothing of the trace has been read yet: %w", err)
	case res.c.events == 0 && err != nil:
		return nil, fmt.Errorf("nothing of the trace can be read: %w; it was cut short within its first second, or damaged: take it again, and wait for trace.Stop or the end of the download", err)
	case res.c.events == 0:
		return nil, errors.New("the trace has no events: the program ended before it was written; call trace.Stop, or wait for the download to end")
	}
	res.c.end()
	res.broke(ctx, err)
	return res, nil
}

// read passes the events to the collector. The parser meets files that others
// wrote: a panic of it is an error of the file.
func (res *Result) read(ctx context.Context, br *bufio.Reader, in *limited, minor int) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = &panicError{p, debug.Stack()}
		}
	}()
	tr, err := xtrace.NewReader(br)
	if err != nil {
		return &VersionError{Minor: minor}
	}
	for n := 0; ; n++ {
		if n%4096 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		ev, err := tr.ReadEvent()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if ev.Kind() == xtrace.EventSync {
			in.renew()
		}
		res.c.event(ev)
	}
}

// A panicError is a panic of the parser.
type panicError struct {
	value any
	stack []byte
}

func (e *panicError) Error() string {
	return headOf(fmt.Sprintf("the trace is broken: %v", e.value))
}

// headOf returns the first line of a message, without the colon before the dump
// of its state that the parser adds.
func headOf(message string) string { return strings.TrimSuffix(words.FirstLine(message), ":") }

// broke notes why the trace was not read to its end.
func (res *Result) broke(ctx context.Context, err error) {
	res.err = err
	switch {
	case err == nil:
	case ctx.Err() != nil:
		res.stopped = "interrupted"
	default:
		res.stopped = headOf(err.Error())
		res.warning = &model.Warning{
			Seen:  "the trace breaks off: " + res.stopped,
			Cause: "the program was killed before it called trace.Stop, the download was cut short, or the file is damaged",
			Try:   "take this for the part before the break; end a trace with trace.Stop, or let the download finish",
		}
	}
}

// Interrupted reports whether the context ended before the trace.
func (res *Result) Interrupted() bool { return res.stopped == "interrupted" }
