//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package store

import (
	"os"

	"github.com/pawl-dev/pawl/internal/host/holder"
)

// othersHold reports whether the process that noted itself in a run's lock file
// is another one and lives: what stands in for a lock.
func othersHold(f *os.File) bool {
	h := holder.Read(f.Name())
	if h.PID == 0 || h.PID == os.Getpid() {
		return false
	}
	p, err := os.FindProcess(h.PID) // fails on Windows where there is none
	if err != nil {
		return false
	}
	_ = p.Release()
	return true
}

// noFollow is not to be had here.
const noFollow = 0
