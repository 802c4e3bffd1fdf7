package target

import (
	"context"
	"io"
	"path"
	"time"

	"github.com/pawl-dev/pawl/internal/host/fetch"
	"github.com/pawl-dev/pawl/internal/host/scrub"
)

const (
	traceKind = "trace"
	// usualTrace is how many seconds of a trace are asked for when nobody says:
	// what a busy program writes in one is some MiB.
	usualTrace = 1
	// mostTrace is how many bytes of a trace are taken.
	mostTrace = 1 << 30
)

func (e endpoint) isTrace() bool { return path.Base(e.u.Path) == traceKind }

// IsTraceURL reports whether a target is the URL of an execution trace.
func IsTraceURL(target string) bool {
	if !IsURL(target) {
		return false
	}
	e, err := parseEndpoint(target, 1)
	return err == nil && e.isTrace()
}

// FetchTrace takes an execution trace from a program that serves it, and writes
// it to w as it comes. Seconds is how long it is taken for; 0 leaves that to the
// URL. It returns the URL that was asked, without its password. The error is a
// *fetch.Misuse where the target itself is wrong.
func FetchTrace(ctx context.Context, target string, seconds int, w io.Writer) (string, error) {
	e, err := parseEndpoint(target, seconds)
	if err != nil {
		return "", err
	}
	ctx, cancel := context.WithTimeout(ctx, time.Duration(e.seconds)*time.Second+patience)
	defer cancel()
	body, err := e.ask(ctx)
	if err != nil {
		return "", err
	}
	defer body.Close()
	n, err := io.Copy(w, io.LimitReader(body, mostTrace+1))
	switch {
	case ctx.Err() != nil:
		return "", e.explain(ctx.Err())
	case err != nil:
		return "", e.explain(err)
	case n > mostTrace:
		return "", e.explain(&fetch.TooLarge{Most: mostTrace})
	}
	return scrub.URL(e.u), nil
}
