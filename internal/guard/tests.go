package guard

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/internal/gocmd"
	"github.com/pawl-dev/pawl/internal/model"
)

// A Tested is a package whose test binary has been built.
type Tested struct {
	Pkg  gocmd.Package
	Path string // of the binary
}

// reruns is how often tests that failed are run again, all of them together: a
// test that fails only after another one would pass alone. A change that makes
// every second run fail gets through one time in eight, with a warning.
const reruns = 3

// mostUnsteady is how many failing tests can be a matter of chance.
const mostUnsteady = 3

// Tests runs test binaries. The name of the check, "tests" or "race", is the
// caller's, who built them. Tests that fail by themselves, without a panic or a
// race, and pass each time they are run again are Unsteady and do not count.
func (g *Guard) Tests(ctx context.Context, name string, bins []Tested) (model.Check, error) {
	var unsteady []string
	c, err := timed(name, func() (string, string, error) {
		for _, b := range bins {
			detail, names, err := g.test(ctx, b)
			if detail != "" || err != nil {
				return detail, "", err
			}
			unsteady = append(unsteady, names...)
		}
		return "", "", nil
	})
	c.Unsteady = unsteady
	return c, err
}

// test runs the tests of one package, and again where a few of them fail. It
// returns what failed, or the tests that failed once and not again.
func (g *Guard) test(ctx context.Context, b Tested) (detail string, unsteady []string, err error) {
	detail, out, err := g.run(ctx, b)
	if detail == "" || err != nil {
		return detail, nil, err
	}
	names := failing(out)
	if len(names) == 0 || len(names) > mostUnsteady {
		return detail, nil, nil
	}
	for range reruns {
		again, _, err := g.run(ctx, b)
		if again != "" || err != nil {
			return again, nil, err
		}
	}
	for _, n := range names {
		unsteady = append(unsteady, b.Pkg.ImportPath+"."+n)
	}
	return "", unsteady, nil
}

// failed is the line that go test prints of a test that failed, not of a
// subtest.
var failed = regexp.MustCompile(`(?m)^--- FAIL: (\S+) \(`)

// failing returns the tests that failed in the output of a test binary; none
// where something else went wrong besides: a panic, a race, an early end.
func failing(out []byte) []string {
	for _, worse := range []string{"DATA RACE", "panic:", "fatal error:", "signal: ", "checkptr"} {
		if bytes.Contains(out, []byte(worse)) {
			return nil
		}
	}
	var names []string
	for _, m := range failed.FindAllSubmatch(out, -1) {
		names = append(names, string(m[1]))
	}
	return names
}

// Flags returns the flags that tests are run with.
func (g *Guard) Flags() []string {
	flags := []string{"-test.timeout=" + g.Timeout.String()}
	if g.Short {
		flags = append(flags, "-test.short")
	}
	return flags
}

// run runs a test binary. It returns what failed, "" for nothing, and the
// output.
func (g *Guard) run(ctx context.Context, b Tested) (detail string, out []byte, err error) {
	// The process has a limit of its own beside the one of the testing
	// package: a test may ignore that.
	tctx, cancel := context.WithTimeout(ctx, g.Timeout+10*time.Second)
	defer cancel()
	e, err := g.Go.Meter.Run(tctx, gocmd.Proc{
		Path: b.Path, Args: g.Flags(), Dir: b.Pkg.Dir,
		Env: g.Go.Env(), CPU: gocmd.NoCPU, Kind: gocmd.Test, Limit: 1 << 20,
	})
	switch {
	case ctx.Err() != nil:
		return "", nil, ctx.Err()
	case errors.Is(err, context.DeadlineExceeded):
		return fmt.Sprintf("%s: the tests did not end within %s", b.Pkg.ImportPath, g.Timeout), nil, nil
	case err != nil:
		return "", nil, err
	}
	out = append(bytes.Clone(e.Stdout), e.Stderr...)
	if e.Code != 0 {
		return fmt.Sprintf("%s: %s", b.Pkg.ImportPath, whatFailed(e.Code, out)), out, nil
	}
	return "", out, nil
}

// whatFailed picks the lines of a test binary's output that say why it
// failed.
func whatFailed(code int, out []byte) string {
	var lines []string
	for l := range strings.Lines(string(out)) {
		t := strings.TrimSpace(l)
		if strings.HasPrefix(t, "--- FAIL") || strings.HasPrefix(t, "panic:") || strings.Contains(t, "DATA RACE") || strings.Contains(t, "_test.go:") {
			lines = append(lines, strings.TrimRight(l, "\n"))
		}
	}
	if len(lines) == 0 {
		return fmt.Sprintf("exit status %d\n%s", code, tail(string(out), 12))
	}
	return strings.Join(lines[:min(len(lines), 12)], "\n")
}

func tail(s string, n int) string {
	lines := slices.Collect(strings.Lines(strings.TrimSpace(s)))
	return strings.TrimSpace(strings.Join(lines[max(0, len(lines)-n):], ""))
}
