package admin

import (
	"bytes"
	"os"
	"strconv"
)

// ticks is how many parts of a second /proc counts in, on every architecture that Go runs on.
const ticks = 100

// started is when the process began, in seconds since 1970; false where /proc does not say.
func started() (float64, bool) {
	self, err := os.ReadFile("/proc/self/stat")
	if err != nil {
		return 0, false
	}
	system, err := os.ReadFile("/proc/stat")
	if err != nil {
		return 0, false
	}
	return startedBy(self, system)
}

// startedBy reads the 22nd field of a process, and when the system was booted. The second
// field is the program's name in parentheses, which may hold any byte.
func startedBy(self, system []byte) (float64, bool) {
	fields := bytes.Fields(self[bytes.LastIndexByte(self, ')')+1:])
	_, boot, ok := bytes.Cut(system, []byte("\nbtime "))
	if !ok || len(fields) < 20 {
		return 0, false
	}
	boot, _, _ = bytes.Cut(boot, []byte("\n"))
	since, err := strconv.ParseFloat(string(fields[19]), 64)
	if err != nil {
		return 0, false
	}
	at, err := strconv.ParseFloat(string(boot), 64)
	return at + since/ticks, err == nil
}
