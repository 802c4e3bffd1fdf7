//go:build !unix

package watch

import "time"

// OwnCPU is the CPU time that this process has used; 0 where the system does not say.
func OwnCPU() time.Duration { return 0 }
