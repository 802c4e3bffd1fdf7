//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package gocmd

import (
	"errors"
	"os"
	"syscall"

	"github.com/pawl-dev/pawl/internal/host/holder"
)

// holdScratch locks a directory that was just made. It reports false where a sweep
// was faster. On a file system without locks the directory is not held, and a
// sweep, which cannot lock it either, leaves it.
func holdScratch(dir string) (*os.File, bool) {
	f, err := lockDir(dir)
	switch {
	case err == nil:
		return f, true
	case errors.Is(err, syscall.EWOULDBLOCK), errors.Is(err, syscall.ENOENT):
		return nil, false
	}
	return nil, true
}

// abandoned reports whether dir is a directory of this user that no process holds,
// and holds it until release is called.
func abandoned(dir string) (release func(), ok bool) {
	f, err := lockDir(dir)
	if err != nil {
		return nil, false
	}
	return func() { _ = f.Close() }, true
}

// lockDir locks a directory of this user. It does not follow a link. The error is
// EWOULDBLOCK where the directory is locked, and ENOENT where it is not there any
// more.
func lockDir(dir string) (*os.File, error) {
	f, err := os.OpenFile(dir, os.O_RDONLY|syscall.O_DIRECTORY|syscall.O_NOFOLLOW, 0)
	if err != nil {
		return nil, err
	}
	free, err := holder.TryLock(f)
	switch {
	case free:
		err = ownAt(f, dir)
	case err == nil:
		err = syscall.EWOULDBLOCK
	}
	if err != nil {
		_ = f.Close()
		return nil, err
	}
	return f, nil
}

// ownAt returns an error unless the open directory f is this user's and still is
// what dir names.
func ownAt(f *os.File, dir string) error {
	have, err := f.Stat()
	if err != nil {
		return err
	}
	now, err := os.Lstat(dir)
	if err != nil {
		return err
	}
	if !os.SameFile(have, now) {
		return syscall.ENOENT
	}
	if st, ok := have.Sys().(*syscall.Stat_t); !ok || int(st.Uid) != os.Geteuid() {
		return syscall.EPERM
	}
	return nil
}
