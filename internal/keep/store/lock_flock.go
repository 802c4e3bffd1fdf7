//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package store

import (
	"os"
	"syscall"
)

// noFollow, of os.OpenFile, opens no link.
const noFollow = syscall.O_NOFOLLOW

// othersHold has nothing to add where locks tell.
func othersHold(*os.File) bool { return false }
