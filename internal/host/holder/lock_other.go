//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package holder

import (
	"errors"
	"os"
)

// TryLock has no locks to take here.
func TryLock(*os.File) (bool, error) { return false, errors.ErrUnsupported }
