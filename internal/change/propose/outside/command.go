package outside

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"github.com/pawl-dev/pawl/internal/host/gocmd"
	"github.com/pawl-dev/pawl/internal/words"
)

// A Command is a proposer: a line for the shell, and the environment that it
// gets.
type Command struct {
	Line string
	Env  []string
}

// stderrKept is how much of what a proposer says on standard error is kept, to
// explain why it failed.
const stderrKept = 4 << 10

// Ask runs the command, for limit at most, and reads its answer. It runs on the
// cores that a measurement leaves alone.
func (c Command) Ask(ctx context.Context, r Request, limit time.Duration) (a Answer, err error) {
	var question bytes.Buffer
	enc := json.NewEncoder(&question)
	enc.SetEscapeHTML(false) // code is easier to read, and to quote
	enc.SetIndent("", "  ")
	if err := enc.Encode(r); err != nil {
		return a, err
	}
	scratch, err := gocmd.NewScratch("", "propose")
	if err != nil {
		return a, err
	}
	defer func() { err = errors.Join(err, scratch.Remove()) }()
	dir := filepath.Join(scratch.Dir, "empty")
	if err := os.Mkdir(dir, 0o700); err != nil {
		return a, err
	}
	file := filepath.Join(scratch.Dir, "request.json")
	if err := os.WriteFile(file, question.Bytes(), 0o600); err != nil {
		return a, err
	}
	out, err := c.run(ctx, dir, file, limit)
	if err != nil {
		return a, err
	}
	return parse(out)
}

// run returns what the command prints, within its bounds.
func (c Command) run(ctx context.Context, dir, question string, limit time.Duration) ([]byte, error) {
	in, err := os.Open(question)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	within, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	out := &bounded{most: mostOutput, over: cancel}
	runtime.LockOSThread() // it ends with pawl
	defer runtime.UnlockOSThread()
	var meter *gocmd.Meter // no sandbox: it needs the network, and it is the user's own
	exit, err := meter.Run(within, gocmd.Proc{
		Path: "/bin/sh", Args: []string{"-c", c.Line}, Dir: dir, Env: append([]string{}, c.Env...), Stdin: in, Stdout: out,
		CPU: gocmd.NoCPU, Among: gocmd.Aside(), Tied: true, Limit: stderrKept,
	})
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case out.full:
		return nil, fmt.Errorf("it printed more than %d KiB", mostOutput>>10)
	case within.Err() != nil:
		return nil, fmt.Errorf("it gave no answer in %s", words.Duration(limit))
	case err != nil:
		return nil, err
	case exit.Code != 0:
		return nil, fmt.Errorf("it ended with code %d: %s", exit.Code, words.LastLines(string(exit.Stderr), 1))
	}
	return out.buf.Bytes(), nil
}

// A bounded takes so many bytes, and calls over when there are more.
type bounded struct {
	buf  bytes.Buffer
	most int
	full bool
	over func()
}

func (b *bounded) Write(p []byte) (int, error) {
	if b.buf.Len()+len(p) > b.most {
		b.full = true
		b.over()
		return 0, errors.New("too much output")
	}
	return b.buf.Write(p)
}
