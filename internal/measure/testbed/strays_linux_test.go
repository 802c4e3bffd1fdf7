package testbed

import (
	"errors"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"
)

// Whatever carries the mark goes: also what left its group and its session,
// and what goes on starting others. What carries another mark stays.
func TestEndStrays(t *testing.T) {
	if _, err := exec.LookPath("setsid"); err != nil {
		t.Skip("no setsid command")
	}
	work := t.TempDir()
	start := func(mark, script string) *exec.Cmd {
		t.Helper()
		cmd := exec.Command("sh", "-c", script)
		cmd.Env = append(os.Environ(), mark)
		cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
		return cmd
	}
	start(mark(work), "trap '' TERM; setsid sleep 60 & setsid sleep 60 & wait")
	// At most 200 of them, should the test fail to end it.
	start(mark(work), "trap '' TERM; i=0; while [ $i -lt 200 ]; do i=$((i+1)); setsid sleep 5 & sleep 0.02; done")
	other := start(mark(work+"-2"), "exec sleep 60")
	deadline := time.Now().Add(10 * time.Second)
	for len(marked([]byte(mark(work)))) < 5 && time.Now().Before(deadline) {
		time.Sleep(10 * time.Millisecond)
	}
	if n := endStrays(work); n < 5 {
		t.Errorf("ended %d processes", n)
	}
	if left := marked([]byte(mark(work))); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
	if err := other.Process.Signal(syscall.Signal(0)); errors.Is(err, os.ErrProcessDone) || !strings.HasSuffix(mark(work+"-2"), "-2") {
		t.Errorf("another directory's process: %v", err)
	}
	if n := endStrays(work); n != 0 {
		t.Errorf("nothing was there, and %d were ended", n)
	}
}
