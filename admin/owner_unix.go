//go:build unix

package admin

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

func owned(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && (stat.Uid == 0 || stat.Uid == uint32(os.Geteuid()))
}

// ownerOnly sets the mode of a socket before it has a path, which Linux keeps when it
// gets one. Other systems refuse; there the mode is set a moment later.
func ownerOnly(_, _ string, c syscall.RawConn) error {
	return c.Control(func(fd uintptr) { _ = syscall.Fchmod(int(fd), 0o600) })
}

// refusedByNobody reports whether a socket could not be opened for want of a listener.
func refusedByNobody(err error) bool { return errors.Is(err, syscall.ECONNREFUSED) }

// processCPU is the CPU time of the process so far, in seconds.
func processCPU() (float64, bool) {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0, false
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9, true
}
