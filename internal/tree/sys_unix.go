//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package tree

import (
	"os"
	"os/exec"
	"syscall"

	"github.com/pawl-dev/pawl/internal/host/holder"
)

// canWrite reports whether files can be made in the directory. It asks the
// kernel, which knows of read-only mounts, and writes nothing.
func canWrite(dir string) bool {
	const wOK, xOK = 2, 1
	return syscall.Access(dir, wOK|xOK) == nil
}

// apart starts the command in a process group of its own.
func apart(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// tryLock takes an exclusive lock on the file path, which lasts until the
// process ends or release is called. It reports false when another process
// (or another call) has it.
func tryLock(path string) (release func(), ok bool, err error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, false, err
	}
	free, err := holder.TryLock(f)
	if free && sameAs(f, path) { // else its holder has just removed it
		_ = holder.Note(f)
		return func() {
			holder.Unlock(f)
			f.Close()
		}, true, nil
	}
	f.Close()
	return nil, false, err
}

// sameAs reports whether path still is the file f.
func sameAs(f *os.File, path string) bool {
	have, err1 := f.Stat()
	now, err2 := os.Stat(path)
	return err1 == nil && err2 == nil && os.SameFile(have, now)
}
