package bench

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// A profile that is missing because the disk is full is not blamed on TestMain.
func TestNoProfile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := noProfile(dir); !strings.Contains(err.Error(), "TestMain") {
		t.Errorf("with room: %v", err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("left: %v, %v", left, err)
	}
	small := filepath.Join(dir, "small")
	if err := os.Mkdir(small, 0o700); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", "size=16k", "tmpfs", small).CombinedOutput(); err != nil {
		t.Skipf("no tmpfs can be mounted here: %v: %s", err, out)
	}
	t.Cleanup(func() { _ = exec.Command("umount", "-l", small).Run() })
	if err := noProfile(small); !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("without room: %v", err)
	}
}
