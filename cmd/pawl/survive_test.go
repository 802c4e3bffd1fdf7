//go:build unix

package main

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"
)

// Nothing that pawl leaves is for others to read: profiles and samples may hold
// names, and the copy of the tree whatever the tree holds.
func TestPrivate(t *testing.T) {
	long(t, "runs pawl to its end")
	v := newVictim(t)
	if err := os.Chmod(filepath.Join(v.dir, "m.go"), 0o755); err != nil {
		t.Fatal(err)
	}
	args := append([]string{"optimize"}, strings.Fields(victimFlags)...)
	if code, out := v.run(args...); code != 0 {
		t.Fatalf("exit code %d\n%s", code, out)
	}
	if code, out := v.run("compare", "-q", "-budget", "20s", "-bench", "Next", "HEAD", "HEAD"); code != 0 && code != 4 {
		t.Fatalf("compare: exit code %d\n%s", code, out)
	}
	seen := 0
	for _, root := range []string{filepath.Join(v.dir, ".pawl"), filepath.Join(v.home, "cache", "pawl")} {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.Type()&fs.ModeSymlink != 0 {
				return err
			}
			info, err := d.Info()
			if err == nil && info.Mode().Perm()&0o077 != 0 {
				t.Errorf("%s is %v", path, info.Mode())
			}
			seen++
			return err
		})
		if err != nil {
			t.Error(err)
		}
	}
	if seen < 10 {
		t.Errorf("only %d files and directories were looked at", seen)
	}
}

// A disk that is full, wherever that happens, is an error with a reason. The
// user's things stay as they are, and with room again the run goes on.
func TestFullDisk(t *testing.T) {
	long(t, "runs pawl several times")
	if runtime.GOOS != "linux" || os.Geteuid() != 0 {
		t.Skip("a small disk is a tmpfs, and only root on Linux mounts one")
	}
	for _, small := range []struct{ name, at, size string }{
		{"the directory of runs, at once", ".pawl", "16k"},
		{"the directory of runs, later", ".pawl", "96k"},
		{"the cache", "../home/cache", "4m"},
	} {
		t.Run(small.name, func(t *testing.T) {
			v := newVictim(t)
			at := filepath.Join(v.dir, small.at)
			if err := os.MkdirAll(at, 0o700); err != nil {
				t.Fatal(err)
			}
			if out, err := exec.Command("mount", "-t", "tmpfs", "-o", "mode=700,size="+small.size, "tmpfs", at).CombinedOutput(); err != nil {
				t.Skipf("no tmpfs can be mounted here: %v: %s", err, out)
			}
			t.Cleanup(func() { _ = exec.Command("umount", "-l", at).Run() })
			args := append([]string{"optimize"}, strings.Fields(victimFlags)...)
			code, out := v.run(args...)
			if code != 3 || !strings.Contains(out, "no space left") {
				t.Errorf("exit code %d\n%s", code, out)
			}
			v.check("on a full disk")
			if out, err := exec.Command("mount", "-o", "remount,size=1g", at).CombinedOutput(); err != nil {
				t.Fatalf("%v: %s", err, out)
			}
			v.goOn()
		})
	}
}

// Tests that do not want to end, and that start what is not to be found by its
// group or session, end with pawl: when their time is up and on an interrupt.
func TestStubbornTests(t *testing.T) {
	long(t, "runs pawl several times")
	if _, err := exec.LookPath("setsid"); err != nil {
		t.Skip("no setsid command")
	}
	v := newVictim(t)
	v.write("stubborn_test.go", stubborn)
	v.before = v.state()
	code, out := v.run("optimize", "-bench", "Next", "-per-change", "100ms", "-q", "-test-timeout", "5s")
	if code != 3 {
		t.Errorf("tests that hang: exit code %d\n%s", code, out)
	}
	v.check("tests that hang")
	v.noStrays()

	cmd, _ := v.start("optimize", "-bench", "Next", "-per-change", "100ms")
	started := filepath.Join(v.home, "started")
	_ = os.Remove(started)
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(10 * time.Millisecond) {
		if _, err := os.Stat(started); err == nil || time.Now().After(deadline) {
			break
		}
	}
	_ = cmd.Process.Signal(syscall.SIGTERM)
	_ = cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code != 3 {
		t.Errorf("interrupted: exit code %d", code)
	}
	v.check("interrupted while tests hang")
	v.noStrays()
}

// stubborn starts a hundred processes at most, which end by themselves.
const stubborn = `package m

import (
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

func TestStubborn(t *testing.T) {
	signal.Ignore(syscall.SIGTERM, syscall.SIGINT)
	for range 100 {
		_ = exec.Command("setsid", "sleep", "120").Start()
		time.Sleep(20 * time.Millisecond)
		_ = os.WriteFile(filepath.Join(os.Getenv("HOME"), "started"), nil, 0o600)
	}
	time.Sleep(time.Minute)
}
`
