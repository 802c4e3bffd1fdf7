//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package tree

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/pawl-dev/pawl/internal/host/holder"
)

// apart has nothing to do: a kill hits one process here, never a group.
func apart(*exec.Cmd) {}

// canWrite reports whether files can be made in the directory, as far as its
// mode says.
func canWrite(dir string) bool {
	info, err := os.Stat(dir)
	return err == nil && info.IsDir() && info.Mode().Perm()&0o200 != 0
}

// tryLock takes an exclusive lock by making the file path. One that is left
// by a killed process is removed first: on Windows that fails while its owner
// lives, since the file is open. On the few other systems that have neither,
// the lock keeps nobody out, and two runs on one module would share a directory.
func tryLock(path string) (release func(), ok bool, err error) {
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, false, nil
	}
	if _, err := os.Stat(filepath.Dir(path)); err != nil {
		return nil, false, err
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return nil, false, nil
	} else if err != nil {
		return nil, false, err
	}
	_ = holder.Note(f)
	return func() { f.Close(); os.Remove(path) }, true, nil
}
