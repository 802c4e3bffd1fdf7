package gocmd

import (
	"os"
	"os/exec"
	"sync"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// What this program starts by other means is no stray, also in a group of its
// own: golang.org/x/tools starts go commands like that.
func TestNoStray(t *testing.T) {
	var wg sync.WaitGroup
	for range 50 {
		wg.Go(func() {
			if unix.Gettid() == os.Getpid() {
				t.Error("a goroutine runs on the first thread, which orphans are told by")
			}
			cmd := exec.Command("sleep", "0.05")
			cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
			if err := cmd.Start(); err != nil {
				t.Error(err)
				return
			}
			if e, err := new(Meter).Run(t.Context(), Proc{Path: "/bin/sh", Args: []string{"-c", ":"}, CPU: NoCPU, Kind: Test}); err != nil || e.Code != 0 {
				t.Errorf("%+v, %v", e, err)
			}
			if err := cmd.Wait(); err != nil {
				t.Errorf("what was started beside a family ended: %v", err)
			}
		})
	}
	wg.Wait()
}
