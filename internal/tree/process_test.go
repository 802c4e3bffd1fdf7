//go:build unix

package tree

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/internal/lab/sample"
)

// These tests need another process: one that may not write, or that is
// killed. It is the test binary itself, told by childVar what to do.
const childVar = "PAWL_TREE_TEST_CHILD"

func TestMain(m *testing.M) {
	if what := os.Getenv(childVar); what != "" {
		if err := child(what, os.Args[len(os.Args)-2], os.Args[len(os.Args)-1]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	code, err := runApart(m)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
	os.Exit(code)
}

// child takes the tree at root into a work directory of cache, keeps one change
// of a.go, and prints what became of it.
func child(what, root, cache string) error {
	ctx := context.Background()
	p, err := Locate(ctx, root)
	if err != nil {
		return err
	}
	state, why, err := StateDir(p, cache)
	if err != nil {
		return err
	}
	work, release, err := WorkDir(p, cache)
	if err != nil {
		return err
	}
	defer release()
	fmt.Println("work", filepath.Base(work))
	if what == "hold" {
		_, err := io.ReadAll(os.Stdin)
		return err
	}
	if what == "switch" {
		return switchVersions(ctx, p, work)
	}
	s, err := Take(ctx, p, work, Options{})
	if err != nil {
		return err
	}
	edits, err := s.ReadPatch([]byte("--- a/a.go\n+++ b/a.go\n@@ -4 +4 @@\n-\treturn 1\n+\treturn 2\n"))
	if err != nil {
		return err
	}
	diff, err := s.Diff(edits)
	if err != nil {
		return err
	}
	files, err := after(s, edits)
	if err != nil {
		return err
	}
	if _, err := s.Apply(edits); err != nil {
		return err
	}
	r, err := NewRecorder(ctx, s, filepath.Join(state, "runs", "1"), "pawl/1")
	if err != nil {
		return err
	}
	commit, patch, err := r.Keep(ctx, "Return two", files, diff)
	fmt.Printf("writable %v git %v %v why %q state %v\ncommit %q patch %v because %q\nleft %v\n",
		p.Writable, p.Git, p.GitWritable, why, within(root, state), commit, patch != "", r.Why(), s.Left)
	return err
}

// switchVersions takes two commits and the working tree in turns.
func switchVersions(ctx context.Context, p *Place, work string) error {
	for range 2 {
		for _, ref := range []string{"HEAD~1", "HEAD"} {
			s, err := TakeRef(ctx, p, work, ref, Options{})
			if err != nil {
				return err
			}
			if err := s.ApplyPatch(ctx, []byte("--- a/go.mod\n+++ /dev/null\n@@ -1,3 +0,0 @@\n-module example.com/proj\n-\n-go 1.25\n")); err != nil {
				return err
			}
		}
		if _, err := Take(ctx, p, work, Options{}); err != nil {
			return err
		}
	}
	return nil
}

// command returns the command that runs child.
func (w *world) command(exe, what string) *exec.Cmd {
	cmd := exec.Command(exe, w.root, w.cache)
	cmd.Env = append(os.Environ(), childVar+"="+what)
	cmd.Dir = w.dir
	return cmd
}

func TestReadOnlyTree(t *testing.T) {
	t.Parallel()
	w := newRepo(t)
	w.write("secret.go", "package proj\n")
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := w.command(exe, "keep")
	if os.Geteuid() == 0 {
		// Root may write anywhere: be somebody else.
		cmd = w.command(copyOfTest(t, exe), "keep")
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
		own(t, w.dir, 65534)
	}
	if err := os.Chmod(filepath.Join(w.root, "secret.go"), 0); err != nil {
		t.Fatal(err)
	}
	readOnly(t, w.root)
	w.unchangedAsRoot()
	out, err := cmd.CombinedOutput()
	if cmd.Process == nil && errors.Is(err, fs.ErrPermission) {
		t.Skipf("others than root cannot get to a program in %s: %v", os.TempDir(), err)
	}
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	mustContain(t, "output", string(out), "writable false git true false", "read-only", "state false", "patch true", "git directory cannot be written", "{secret.go cannot be read 0}")
}

// unchangedAsRoot is unchanged, where the tester can read all files.
func (w *world) unchangedAsRoot() {
	if os.Geteuid() == 0 {
		w.unchanged()
	}
}

// copyOfTest copies the test binary to where others may run it.
func copyOfTest(t *testing.T, exe string) string {
	t.Helper()
	dir, err := os.MkdirTemp("/tmp", "pawl-tree-")
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	info, err := os.Stat(exe)
	if err != nil {
		t.Fatal(err)
	}
	to := filepath.Join(dir, "tree.test")
	in, err := openBelow(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(os.Chmod(dir, 0o755), in.copyFile(to, exe, info), os.Chmod(to, 0o755)); err != nil {
		t.Fatal(err)
	}
	return to
}

// own gives all of the world to a user, and opens the way to it.
func own(t *testing.T, dir string, uid int) {
	t.Helper()
	err := filepath.WalkDir(dir, func(p string, _ fs.DirEntry, err error) error {
		return errors.Join(err, os.Lchown(p, uid, uid))
	})
	if err != nil {
		t.Fatal(err)
	}
	for up := filepath.Dir(dir); up != "/" && up != "/tmp"; up = filepath.Dir(up) {
		if err := os.Chmod(up, 0o755); err != nil {
			t.Skip("cannot open the way to the tree: ", err)
		}
	}
}

// readOnly takes the right to write from all directories and files of root, until
// the test ends.
func readOnly(t *testing.T, root string) {
	t.Helper()
	each := func(change func(fs.FileMode) fs.FileMode) {
		_ = filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
			if info, err := os.Lstat(p); err == nil {
				_ = os.Chmod(p, change(info.Mode().Perm()))
			}
			return err
		})
	}
	each(func(m fs.FileMode) fs.FileMode { return m &^ 0o222 })
	t.Cleanup(func() { each(func(m fs.FileMode) fs.FileMode { return m | 0o200 }) })
}

func TestWorkDirOfProcesses(t *testing.T) {
	t.Parallel()
	w := newRepo(t)
	p := w.locate()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := w.command(exe, "hold")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	buf := make([]byte, 100)
	n, _ := out.Read(buf) // it has the lock once it prints
	held := strings.TrimSpace(strings.TrimPrefix(string(buf[:n]), "work "))
	mine, release, err := WorkDir(p, w.cache)
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "mine", filepath.Base(mine), held+"-2")
	release()
	_ = cmd.Process.Kill()
	_ = in.Close()
	_ = cmd.Wait()
	mine, release, err = WorkDir(p, w.cache)
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "after a kill", filepath.Base(mine), held)
	release()
}

// Whatever a kill leaves, the user's files are the same, and the next run
// works.
func TestKill(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("starts and kills many processes")
	}
	w := newRepo(t)
	for i := range 200 {
		w.write(fmt.Sprintf("sub/f%d.go", i), "package sub\n")
	}
	w.write("sub/b.go", "package sub // dirty\n")
	w.write("staged.go", "package proj\n")
	w.git(w.root, "add", "staged.go")
	w.unchanged()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	if out, err := w.command(exe, "keep").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	whole := time.Since(start)
	kills := 4
	if sample.All() {
		kills = 16
	}
	for i := range kills {
		if i%2 == 0 {
			if err := os.RemoveAll(filepath.Join(w.cache, "pawl")); err != nil {
				t.Fatal(err)
			}
		}
		cmd := w.command(exe, "keep")
		cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // its git too
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(whole * time.Duration(i) / time.Duration(kills))
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		_ = cmd.Wait()
	}
	out, err := w.command(exe, "keep").CombinedOutput()
	if err != nil {
		t.Fatalf("after the kills: %v\n%s", err, out)
	}
	mustContain(t, "after the kills", string(out), `because ""`)
	equal(t, "HEAD", w.git(w.root, "log", "--format=%s", "HEAD"), "first\n")
	s := w.take(Options{})
	if diff, err := s.Diff(editsOf(t, s, "a.go", "1", "2")); err != nil || diff == "" {
		t.Errorf("diff %q, %v", diff, err)
	}
}

// Whatever a kill leaves while versions are taken, the user's directories are the
// same to the last byte, and the next one is right.
func TestKillTakeRef(t *testing.T) {
	t.Parallel()
	sample.One(t, 3)
	if testing.Short() {
		t.Skip("starts and kills many processes")
	}
	w := newRepo(t)
	for i := range 100 {
		w.write(fmt.Sprintf("sub/f%d.go", i), "package sub\n")
	}
	ids := []string{w.commit("one")}
	for i := range 50 {
		w.write(fmt.Sprintf("sub/f%d.go", 2*i), "package SUB\n")
		w.write(fmt.Sprintf("sub/g%d.go", i), "package sub\n")
	}
	ids = append(ids, w.commit("two"))
	w.write("sub/b.go", "package sub // dirty\n")
	w.write("staged.go", "package proj\n")
	w.git(w.root, "add", "staged.go")
	wants := []map[string]string{w.checkout(ids[0]), w.checkout(ids[1])}
	if err := os.Mkdir(filepath.Join(w.root, ".pawl"), 0o700); err != nil { // child makes it
		t.Fatal(err)
	}
	w.write(".pawl/.gitignore", "*\n")
	w.untouched()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	if out, err := w.command(exe, "switch").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	whole := time.Since(start)
	p := w.locate()
	kills := 3
	if sample.All() {
		kills = 9
	}
	for i := range kills {
		if i%4 == 0 {
			if err := os.RemoveAll(filepath.Join(w.cache, "pawl")); err != nil {
				t.Fatal(err)
			}
		}
		cmd := w.command(exe, "switch")
		cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // its git too
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(whole * time.Duration(i) / time.Duration(kills))
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		_ = cmd.Wait()
		work, release, err := WorkDir(p, w.cache)
		if err != nil {
			t.Fatal(err)
		}
		s, err := TakeRef(t.Context(), p, work, ids[i%2], Options{})
		release()
		if err != nil {
			t.Fatalf("after kill %d: %v", i, err)
		}
		equal(t, fmt.Sprint("after kill ", i), contents(t, s.Dir), wants[i%2])
	}
}

// A kill of pawl's process group does not hit the git that moves a branch.
func TestUpdateRefApart(t *testing.T) {
	if _, err := os.Stat("/proc/self/stat"); err != nil {
		t.Skip("a process does not learn its group from /proc here")
	}
	dir := t.TempDir()
	script := "#!/bin/sh\ncut -d ' ' -f 5 /proc/$$/stat >" + dir + "/group\n"
	if err := os.WriteFile(filepath.Join(dir, "git"), []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+":"+os.Getenv("PATH"))
	group := func(run func(g git) error) string {
		t.Helper()
		if err := run(newGit(dir)); err != nil {
			t.Fatal(err)
		}
		out, err := os.ReadFile(filepath.Join(dir, "group"))
		if err != nil {
			t.Fatal(err)
		}
		return strings.TrimSpace(string(out))
	}
	ours := fmt.Sprint(syscall.Getpgrp())
	equal(t, "git status", group(func(g git) error { _, err := g.line(t.Context(), "status"); return err }), ours)
	if got := group(func(g git) error { return g.updateRef(t.Context(), "-d", "x") }); got == ours {
		t.Errorf("git update-ref is of pawl's process group %s", got)
	}
}
