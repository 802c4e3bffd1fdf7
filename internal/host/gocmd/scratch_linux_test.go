package gocmd

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// holdUntilKilled makes a temporary directory, says which, and waits to be killed.
func holdUntilKilled() int {
	s, err := NewScratch("", "test")
	if err == nil {
		err = os.WriteFile(filepath.Join(s.Dir, "left"), nil, 0o600)
	}
	if err != nil {
		fmt.Println(err)
		return 1
	}
	fmt.Println(s.Dir)
	time.Sleep(time.Minute) // ends earlier by what is tested
	return 0
}

func startHolder(t *testing.T, temp string) (*exec.Cmd, string) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "GOCMD_ROLE=holder", "TMPDIR="+temp)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	line, err := bufio.NewReader(out).ReadString('\n')
	dir := strings.TrimSpace(line)
	if err != nil || filepath.Dir(dir) != temp {
		t.Fatalf("the process said %q, %v", line, err)
	}
	return cmd, dir
}

func isThere(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// What a process that was killed has left goes with the next directory that is
// made, at once; what a process that lives has made stays.
func TestScratchOfTheKilled(t *testing.T) {
	temp := t.TempDir()
	cmd, dir := startHolder(t, temp)
	own, err := NewScratch(temp, "own")
	if err != nil {
		t.Fatal(err)
	}
	if !isThere(filepath.Join(dir, "left")) {
		t.Error("the directory of a process that lives was removed")
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	if got := LeftScratch(temp); len(got) != 1 || got[0] != dir {
		t.Errorf("LeftScratch = %v, want %s", got, dir)
	}
	next, err := NewScratch(temp, "next")
	if err != nil {
		t.Fatal(err)
	}
	if isThere(dir) {
		t.Error("the directory of a process that was killed stays")
	}
	if !isThere(own.Dir) || !isThere(next.Dir) {
		t.Error("a directory of this process was removed")
	}
	for _, s := range []*Scratch{own, next} {
		if err := s.Remove(); err != nil || isThere(s.Dir) {
			t.Errorf("Remove: %v", err)
		}
	}
}

// A sweep removes no directory that is another user's, or that no pawl has made,
// and nothing through a link.
func TestSweepScratchLeaves(t *testing.T) {
	temp, outside := t.TempDir(), t.TempDir()
	keep := filepath.Join(outside, "keep")
	if err := os.WriteFile(keep, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(temp, "pawl-find-1-1.tmp")
	if err := os.Symlink(outside, link); err != nil {
		t.Fatal(err)
	}
	stay := []string{"pawl-find-mine", "pawl-find-123", "pawl-find-1-2.tmp.old", "xpawl-find-1-3.tmp"}
	if os.Geteuid() == 0 {
		stay = append(stay, "pawl-find-1-4.tmp")
	}
	for _, name := range append(stay, "pawl-find-1-5.tmp") {
		dir := filepath.Join(temp, name)
		if err := os.MkdirAll(filepath.Join(dir, "sub"), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(outside, filepath.Join(dir, "out")); err != nil {
			t.Fatal(err)
		}
	}
	if os.Geteuid() == 0 {
		if err := os.Chown(filepath.Join(temp, "pawl-find-1-4.tmp"), 65534, 65534); err != nil {
			t.Skip(err)
		}
	}
	if err := os.Chmod(filepath.Join(temp, "pawl-find-1-5.tmp", "sub"), 0); err != nil {
		t.Fatal(err)
	}
	SweepScratch(temp)
	if isThere(filepath.Join(temp, "pawl-find-1-5.tmp")) {
		t.Error("an abandoned directory stays")
	}
	for _, name := range stay {
		if !isThere(filepath.Join(temp, name, "sub")) {
			t.Errorf("%s was removed", name)
		}
	}
	if !isThere(link) || !isThere(keep) {
		t.Error("a link, or what it leads to, was removed")
	}
	SweepScratch(filepath.Join(temp, "none")) // is no error
}

// Directories that are made and swept at the same time are each held by who made
// them.
func TestScratchAtOnce(t *testing.T) {
	temp := t.TempDir()
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 20 {
				s, err := NewScratch(temp, "race")
				if err != nil {
					t.Error(err)
					return
				}
				SweepScratch(temp)
				if !isThere(s.Dir) {
					t.Error("a directory that is held was removed")
				}
				if err := s.Remove(); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
}
