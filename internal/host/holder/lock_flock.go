//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package holder

import (
	"errors"
	"fmt"
	"os"
	"syscall"
)

// TryLock takes an exclusive advisory lock on f, which goes when f is closed or the process
// ends. It reports false where another open file has it. The error is errors.ErrUnsupported
// where the system, or the file system, has no such locks.
func TryLock(f *os.File) (bool, error) {
	for {
		err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		switch {
		case err == nil:
			return true, nil
		case errors.Is(err, syscall.EINTR):
		case errors.Is(err, syscall.EWOULDBLOCK):
			return false, nil
		case errors.Is(err, syscall.ENOLCK):
			return false, fmt.Errorf("%w: %w", errors.ErrUnsupported, err)
		default:
			return false, err
		}
	}
}

// Unlock gives the lock back before f is closed: a process that is being started may have
// the file open for a moment more.
func Unlock(f *os.File) { _ = syscall.Flock(int(f.Fd()), syscall.LOCK_UN) }
