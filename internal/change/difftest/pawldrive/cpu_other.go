//go:build !unix

package pawldrive

import "time"

var began = time.Now()

// cpuTime is the time since the start, where the system does not say what the
// process used.
func cpuTime() time.Duration { return time.Since(began) }
