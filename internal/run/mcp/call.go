package mcp

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"runtime"
	"strings"
	"syscall"
	"time"

	"github.com/pawl-dev/pawl/internal/words"
)

const (
	largestOutput = 64 << 20         // of one verb, in bytes
	tailLines     = 20               // of standard error, kept for an error
	patience      = 30 * time.Second // for a cancelled verb to leave the tree as it was
)

// A call is one call of a tool, and where its progress goes.
type call struct {
	server *Server
	report func(line string)
}

// A job is a verb to be run, with -json.
type job struct {
	verb     string
	flags    []string // "-bench=X": one word each
	operands []string
	turn     bool // it measures, or builds much: one at a time
	foreign  bool // it runs code of the module
}

func (j job) args(c Config) []string {
	args := append([]string{j.verb, "-json"}, j.flags...)
	if j.foreign && c.Sandbox != "off" {
		args = append(args, "-sandbox="+c.Sandbox)
	}
	return append(append(args, "--"), j.operands...)
}

// run runs a verb and returns what it printed, and under which id that is kept.
// That a verb found something, or could not decide, is its answer. Wrong usage
// and work that could not be done are errors in the words of the verb.
func (c *call) run(ctx context.Context, j job) (data []byte, id string, err error) {
	if j.turn {
		if err := c.wait(ctx); err != nil {
			return nil, "", err
		}
		defer func() { <-c.server.turn }()
	}
	cmd := exec.CommandContext(ctx, c.server.Pawl, j.args(c.server.Config)...)
	cmd.Dir, cmd.Env, cmd.WaitDelay = c.server.Dir, c.server.Env, patience
	cmd.Cancel = func() error {
		if runtime.GOOS == "windows" {
			return cmd.Process.Kill()
		}
		return cmd.Process.Signal(syscall.SIGTERM)
	}
	var out limited
	var said tail
	cmd.Stdout = &out
	stderr, err := cmd.StderrPipe()
	if err != nil {
		return nil, "", err
	}
	if err := cmd.Start(); err != nil {
		return nil, "", err
	}
	said.follow(stderr, c.report)
	err = cmd.Wait()
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return nil, "", ctx.Err()
	case err != nil && !errors.As(err, &exit):
		return nil, "", err
	case out.over:
		return nil, "", fmt.Errorf("pawl %s printed more than %s", j.verb, words.Bytes(largestOutput))
	case exit != nil && exit.ExitCode() != 1 && exit.ExitCode() != 4, out.Len() == 0:
		return nil, "", fmt.Errorf("pawl %s: exit code %d\n%s", j.verb, cmd.ProcessState.ExitCode(), said.text())
	}
	return out.Bytes(), c.server.outputs.keep(out.Bytes()), nil
}

// wait returns when no other call runs code.
func (c *call) wait(ctx context.Context) error {
	select {
	case c.server.turn <- struct{}{}:
		return nil
	default:
	}
	c.report("waiting: another call is measuring")
	select {
	case c.server.turn <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// A limited keeps what is written as long as it is not too much.
type limited struct {
	bytes.Buffer
	over bool
}

func (l *limited) Write(p []byte) (int, error) {
	if l.Len()+len(p) > largestOutput {
		l.over = true
		return len(p), nil
	}
	return l.Buffer.Write(p)
}

// A tail keeps the last lines of what a verb says on standard error.
type tail []string

// follow reads to the end and hands on each line.
func (t *tail) follow(r io.Reader, report func(string)) {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		line := strings.TrimSpace(lines.Text())
		if line == "" {
			continue
		}
		report(line)
		if *t = append(*t, line); len(*t) > tailLines {
			*t = (*t)[1:]
		}
	}
	_, _ = io.Copy(io.Discard, r) // after a line that is too long
}

func (t tail) text() string { return strings.Join(t, "\n") }
