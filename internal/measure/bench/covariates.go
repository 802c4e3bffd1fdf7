package bench

import (
	"io/fs"
	"os"

	"github.com/pawl-dev/pawl/internal/host/cgroup"
)

// What happens to a unit from outside is a covariate of its samples. It is
// known without looking at the result, so that a unit may be left out for it,
// which is for the caller to decide.

// watchThrottling reads for how long this process's control groups have been
// kept from running because their quota was used up, and returns a function
// that says by how many ns that has grown since. Children are in the same
// groups. The time is that of the kernel's account: it is added up over CPUs, so
// that it can exceed the time that passed, and at the end of each stop, so that
// a stop that goes on falls to the next reader.
//
// The groups are looked for each time, as a service manager may move a process
// or mount things while it runs: all of it takes a tenth of a millisecond. Where there are none, as on other systems than Linux, the
// function gives 0.
func watchThrottling(root fs.FS) func() float64 {
	dirs := cgroup.Groups(root, cgroup.Self)
	before := cgroup.Throttling(root, dirs).Time
	return func() float64 {
		return float64(max(0, cgroup.Throttling(root, dirs).Time-before))
	}
}

// machineRoot is where /proc and /sys are read.
func machineRoot() fs.FS { return os.DirFS("/") }
