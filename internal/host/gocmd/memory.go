package gocmd

import (
	"bytes"
	"os"
	"strconv"
	"strings"
)

// PeakRSS returns the most memory that a process has had in its pages so far, in
// bytes; 0 for one that has none any more, and where the system does not tell.
// The kernel's rusage would do no good: it begins with what pawl has.
func PeakRSS(pid int) int64 {
	data, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/status")
	if err != nil {
		return 0
	}
	_, rest, _ := bytes.Cut(data, []byte("VmHWM:"))
	f := strings.Fields(string(rest[:min(len(rest), 64)]))
	if len(f) < 2 || f[1] != "kB" {
		return 0
	}
	kb, _ := strconv.ParseInt(f[0], 10, 64)
	return kb << 10
}
