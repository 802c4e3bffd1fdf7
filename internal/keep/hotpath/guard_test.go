//go:build unix

package hotpath

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

func runGuard(t *testing.T, command string, timeout time.Duration, env ...string) GuardResult {
	t.Helper()
	res, err := RunGuard(t.Context(), Guard{"g", timeout, command}, t.TempDir(), append(os.Environ(), env...), nil)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

func TestRunGuard(t *testing.T) {
	if res := runGuard(t, "echo fine; echo words >&2", time.Minute); !res.OK || res.Failed || res.Tail != nil || res.Why != "" {
		t.Errorf("%+v: what a guard that holds says is not kept", res)
	}
	res := runGuard(t, "echo out; echo '\x1b[31mgolden differs\x1b[0m' >&2; exit 3", time.Minute)
	if res.OK || !res.Failed || res.Why != "exit code 3" || strings.Join(res.Tail, "|") != "golden differs" {
		t.Errorf("%+v", res)
	}
	if res := runGuard(t, "echo only out; exit 1", time.Minute); strings.Join(res.Tail, "|") != "only out" {
		t.Errorf("%+v", res)
	}
	if res := runGuard(t, "no-such-command-at-all", time.Minute); res.OK || res.Failed || res.Standing() != NotRun {
		t.Errorf("%+v: a command that is not there has not said no", res)
	}
	if res := runGuard(t, "kill -9 $$", time.Minute); !res.Failed || res.Why != "was ended by a signal" {
		t.Errorf("%+v", res)
	}
	if res := runGuard(t, "cat; test -z \"$(cat)\"", time.Minute); !res.OK {
		t.Errorf("%+v: there is nothing on standard input", res)
	}
}

// A guard that hangs is ended with all that it started.
func TestGuardTimeout(t *testing.T) {
	pidFile := filepath.Join(t.TempDir(), "pid")
	res := runGuard(t, "trap '' TERM; sleep 1000 & echo $! > "+pidFile+"; wait", time.Second)
	if !res.Failed || res.Why != "did not end within 1s" {
		t.Fatalf("%+v", res)
	}
	data, err := os.ReadFile(pidFile)
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(data)))
	if err != nil {
		t.Fatal(err)
	}
	for range 100 { // it may be there as a zombie until its new parent looks
		if errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) || zombie(pid) {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Errorf("process %d is still there", pid)
}

func zombie(pid int) bool {
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	return err == nil && strings.Contains(string(stat), ") Z ")
}

func TestGuardInterrupted(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	if _, err := RunGuard(ctx, Guard{"g", time.Minute, "sleep 60"}, t.TempDir(), os.Environ(), nil); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error %v", err)
	}
}

// Of what a guard says only the end is kept, and no secret that can be told.
func TestGuardTail(t *testing.T) {
	res := runGuard(t, "i=0; while [ $i -lt 5000 ]; do echo line $i; i=$((i+1)); done; exit 1", time.Minute)
	if len(res.Tail) != tailLines || res.Tail[tailLines-1] != "line 4999" {
		t.Errorf("%d lines: %q", len(res.Tail), res.Tail)
	}
	res = runGuard(t, "head -c 1000000 /dev/zero | tr '\\0' x; exit 1", time.Minute)
	size := 0
	for _, l := range res.Tail {
		size += len(l)
	}
	if size > tailBytes {
		t.Errorf("%d bytes are kept", size)
	}
	res = runGuard(t, "echo \"login with $GITHUB_TOKEN and $SHORT_TOKEN at $HOST_NAME\"; exit 1", time.Minute,
		"GITHUB_TOKEN=ghp_0123456789abcdef", "SHORT_TOKEN=at", "HOST_NAME=example.com")
	if want := "login with [GITHUB_TOKEN] and at at example.com"; strings.Join(res.Tail, "|") != want {
		t.Errorf("%q, want %q", res.Tail, want)
	}
}
