//go:build unix

package watch

import (
	"syscall"
	"time"
)

// OwnCPU is the CPU time that this process has used; 0 where the system does not say.
func OwnCPU() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
