//go:build unix

package main

import (
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// One signal ends pawl where it waits for a pipe, whichever verb it is and
// whichever signal: with the exit code of what could not be done.
func TestEndedAtAPipe(t *testing.T) {
	// Below nohup, SIGHUP is ignored, and pawl inherits that and leaves it so. A signal that is handled here is not ignored
	// in children.
	handled := make(chan os.Signal, 1)
	signal.Notify(handled, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)
	defer signal.Stop(handled)
	v := newVictim(t)
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skip(err)
	}
	v.write("results.txt", "BenchmarkA 100 100 ns/op\n")
	for _, tt := range []struct {
		signal syscall.Signal
		args   string
	}{
		{syscall.SIGINT, "diagnose PIPE"},
		{syscall.SIGTERM, "trace PIPE"},
		{syscall.SIGHUP, "compare PIPE results.txt"},
		{syscall.SIGHUP, "heat PIPE"},
		{syscall.SIGINT, "find -profile PIPE"},
		{syscall.SIGINT, "find -config PIPE"},
		{syscall.SIGINT, "find -baseline PIPE"},
		{syscall.SIGINT, "gate -baseline PIPE"},
		{syscall.SIGINT, "optimize -profile PIPE"},
	} {
		if signal.Ignored(tt.signal) {
			tt.signal = syscall.SIGTERM // nohup says to go on without a terminal, and pawl inherits it
		}
		cmd, out := v.start(strings.Fields(strings.ReplaceAll(tt.args, "PIPE", pipe))...)
		w, err := os.OpenFile(pipe, os.O_WRONLY, 0) // returns when pawl opens it too
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Process.Signal(tt.signal); err != nil {
			t.Error(tt.args, err)
		}
		_ = cmd.Wait()
		w.Close()
		if code := cmd.ProcessState.ExitCode(); code != exitFailed {
			t.Errorf("%s: exit code %d\n%s", tt.args, code, out)
		}
	}
	// What has no end is refused at once.
	for _, args := range []string{"diagnose /dev/zero", "trace /dev/zero", "heat /dev/zero", "find -profile /dev/zero", "find -config /dev/zero"} {
		if code, out := v.run(strings.Fields(args)...); code != exitUsage || !strings.Contains(out, "neither a file nor a pipe") {
			t.Errorf("%s: exit code %d\n%s", args, code, out)
		}
	}
}
