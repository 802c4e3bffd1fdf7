package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// A finished is how a process ended.
type finished struct {
	stdout []byte
	code   int
	wall   float64 // seconds
	cpu    float64 // seconds, of children that it waited for too
}

// start runs a program in a directory and waits. An exit code that is not among
// the allowed ones is an error with the end of what the program said.
func start(ctx context.Context, dir string, env []string, allowed []int, name string, args ...string) (finished, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), env...)
	// A pawl that is interrupted ends its own processes first.
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 10 * time.Second
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	begin := time.Now()
	err := cmd.Run()
	f := finished{stdout: stdout.Bytes(), wall: time.Since(begin).Seconds()}
	if cmd.ProcessState != nil {
		f.code = cmd.ProcessState.ExitCode()
		f.cpu = (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds()
	}
	if ctx.Err() != nil {
		return f, ctx.Err()
	}
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		for _, code := range allowed {
			if f.code == code {
				return f, nil
			}
		}
		return f, fmt.Errorf("%s %s: %w\n%s", filepath.Base(name), strings.Join(args, " "), err, tail(stderr.String()+stdout.String(), 12))
	}
	return f, err
}

// tail returns the last lines of a text.
func tail(text string, n int) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return strings.Join(lines[max(0, len(lines)-n):], "\n")
}

// goEnv is what all go commands of a campaign see: nothing of the user's
// workspace, nothing fetched behind our back.
var goEnv = []string{"GOWORK=off", "GOFLAGS=", "GOTOOLCHAIN=local"}

func (s *settings) goRun(ctx context.Context, dir string, args ...string) ([]byte, error) {
	f, err := start(ctx, dir, goEnv, nil, s.gotool, args...)
	return f.stdout, err
}

// gitEnv makes commits the same on every machine, and keeps the user's
// settings and hooks out.
var gitEnv = []string{
	"GIT_CONFIG_GLOBAL=" + os.DevNull, "GIT_CONFIG_NOSYSTEM=1",
	"GIT_AUTHOR_NAME=campaign", "GIT_AUTHOR_EMAIL=campaign@localhost", "GIT_AUTHOR_DATE=2026-01-01T00:00:00Z",
	"GIT_COMMITTER_NAME=campaign", "GIT_COMMITTER_EMAIL=campaign@localhost", "GIT_COMMITTER_DATE=2026-01-01T00:00:00Z",
}

func git(ctx context.Context, dir string, args ...string) (string, error) {
	f, err := start(ctx, dir, gitEnv, nil, "git", args...)
	return strings.TrimSpace(string(f.stdout)), err
}

// writeFile writes a file that may be run at once: while it is open for
// writing no process is forked that would hold it open.
func writeFile(name string, data []byte, perm os.FileMode) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return err
	}
	if err := os.Remove(name); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	return os.WriteFile(name, data, perm)
}
