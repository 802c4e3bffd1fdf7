// Package trace is what the verbs trace and diagnose have in common: a file or
// standard input becomes an execution trace that was read, or an error in the
// words of the command line.
package trace

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/pawl-dev/pawl/internal/host/foreign"
	"github.com/pawl-dev/pawl/internal/measure/testbed"
	"github.com/pawl-dev/pawl/internal/read/trace"
)

// ReadFile is Read of a file or a pipe. The error is a *testbed.UsageError where
// it cannot be opened.
func ReadFile(ctx context.Context, file, name string) (*trace.Result, error) {
	f, err := foreign.Open(ctx, file)
	if err != nil {
		return nil, testbed.Usagef("%v", err)
	}
	defer f.Close()
	return Read(ctx, f, name)
}

// Read reads a trace that is called name in errors. The error is a
// *testbed.UsageError where it is none. A trace that was read as far as ctx lasted
// is no error.
func Read(ctx context.Context, in io.Reader, name string) (*trace.Result, error) {
	res, err := trace.Read(ctx, in)
	var none *trace.NoTraceError
	switch {
	case errors.As(err, &none):
		return nil, testbed.Usagef("%s: %v", name, err)
	case err != nil && ctx.Err() == nil:
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return res, err
}
