package pawldrive

import (
	"os"
	"strconv"
	"strings"
	"time"
)

// heldUp returns how long the threads of the process have been ready to run while
// others ran; 0 where the kernel does not count that.
func heldUp() (sum time.Duration) {
	threads, err := os.ReadDir("/proc/self/task")
	if err != nil {
		return 0
	}
	for _, t := range threads {
		data, _ := os.ReadFile("/proc/self/task/" + t.Name() + "/schedstat")
		if f := strings.Fields(string(data)); len(f) > 1 { // on a processor, ready, slices
			ns, _ := strconv.ParseInt(f[1], 10, 64)
			sum += time.Duration(ns)
		}
	}
	return sum
}
