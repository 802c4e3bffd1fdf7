//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package store

import (
	"errors"
	"os"
	"syscall"
)

// noFollow, of os.OpenFile, opens no link.
const noFollow = syscall.O_NOFOLLOW

// tryLock takes an exclusive advisory lock on f, which goes when f is closed
// or the process ends. It reports whether the lock was free.
func tryLock(f *os.File) (bool, error) {
	for {
		err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		switch {
		case err == nil:
			return true, nil
		case errors.Is(err, syscall.EINTR):
		case errors.Is(err, syscall.EWOULDBLOCK):
			return false, nil
		case errors.Is(err, syscall.ENOTSUP), errors.Is(err, syscall.ENOSYS), errors.Is(err, syscall.ENOLCK):
			// Some network file systems have no locks. One write to a file
			// opened for append is what is left, and mostly enough.
			return true, nil
		default:
			return false, err
		}
	}
}

// othersHold has nothing to add where locks tell.
func othersHold(*os.File) bool { return false }
