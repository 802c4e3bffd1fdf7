package pawldrive

import (
	"os"
	"strconv"
	"strings"
	"syscall"
)

// limitMemory lets the process have some bytes more than it has now. The kernel
// then refuses what a call asks for beyond, and the process ends with the stacks
// of its goroutines: nothing in Go can end a call that makes something too large.
func limitMemory(more int64) {
	var l syscall.Rlimit
	if has := dataBytes(); has > 0 && syscall.Getrlimit(syscall.RLIMIT_DATA, &l) == nil {
		l.Cur = min(l.Cur, uint64(has+more))
		syscall.Setrlimit(syscall.RLIMIT_DATA, &l)
	}
}

// dataBytes returns what counts for the limit: private memory that can be written,
// whether or not anything is in it.
func dataBytes() int64 {
	data, err := os.ReadFile("/proc/self/statm")
	if f := strings.Fields(string(data)); err == nil && len(f) > 5 {
		pages, _ := strconv.ParseInt(f[5], 10, 64)
		return pages * int64(os.Getpagesize())
	}
	return 0
}
