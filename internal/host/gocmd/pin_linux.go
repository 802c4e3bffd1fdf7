package gocmd

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// startOn starts cmd so that all its threads are born on the given cores: the
// mask is that of the thread that forks, and the runtime never sees another.
func startOn(cmd *exec.Cmd, cpus []int) error { return onCores(cpus, cmd.Start) }

// onCores calls start on a thread that may run on the given cores only; on none
// of them, as it is.
func onCores(cpus []int, start func() error) error {
	if len(cpus) == 0 {
		return start()
	}
	runtime.LockOSThread()
	var old, mask unix.CPUSet
	if err := unix.SchedGetaffinity(0, &old); err != nil {
		runtime.UnlockOSThread()
		return fmt.Errorf("reading the CPU affinity: %w", err)
	}
	for _, cpu := range cpus {
		mask.Set(cpu)
	}
	if err := unix.SchedSetaffinity(0, &mask); err != nil {
		runtime.UnlockOSThread()
		return fmt.Errorf("pinning to core %v: %w", cpus, err)
	}
	err := start()
	if unix.SchedSetaffinity(0, &old) == nil {
		runtime.UnlockOSThread()
	} // else the thread stays locked, and ends with its goroutine: a pinned thread is never handed back
	return err
}

// tie ends cmd's process when the thread that starts it ends.
func tie(cmd *exec.Cmd) { cmd.SysProcAttr.Pdeathsig = syscall.SIGKILL }

// CanPin reports whether processes can be pinned to a core here.
func CanPin() bool { return true }

// QuietCPU returns the core, of those this process may use, that has been
// least busy over a short while. On a tie it takes the highest: interrupts
// are served by the lowest.
func QuietCPU() (int, error) {
	var mask unix.CPUSet
	if err := unix.SchedGetaffinity(0, &mask); err != nil {
		return 0, fmt.Errorf("reading the CPU affinity: %w", err)
	}
	before := busyTicks()
	time.Sleep(100 * time.Millisecond)
	after := busyTicks()
	best, least := -1, int64(0)
	for cpu := range len(mask) * 64 {
		if !mask.IsSet(cpu) {
			continue
		}
		busy := after[cpu] - before[cpu]
		if best < 0 || busy <= least {
			best, least = cpu, busy
		}
	}
	if best < 0 {
		return 0, fmt.Errorf("the CPU affinity names no core")
	}
	return best, nil
}

// Aside returns the cores for what runs beside a measurement: all that this
// process may use but the highest, which QuietCPU then finds the quietest. None
// where there is one core only.
func Aside() []int {
	var mask unix.CPUSet
	if unix.SchedGetaffinity(0, &mask) != nil {
		return nil
	}
	var all []int
	for cpu := range len(mask) * 64 {
		if mask.IsSet(cpu) {
			all = append(all, cpu)
		}
	}
	return all[:max(0, len(all)-1)]
}

// busyTicks reads how many clock ticks each core has spent on anything but
// idling and waiting for I/O.
func busyTicks() map[int]int64 {
	ticks := make(map[int]int64)
	data, err := os.ReadFile("/proc/stat")
	if err != nil {
		return ticks // every core counts as equally busy
	}
	for line := range strings.Lines(string(data)) {
		f := strings.Fields(line)
		if len(f) < 9 || !strings.HasPrefix(f[0], "cpu") || f[0] == "cpu" {
			continue
		}
		cpu, err := strconv.Atoi(f[0][3:])
		if err != nil {
			continue
		}
		for _, i := range []int{1, 2, 3, 6, 7, 8} { // user nice system irq softirq steal
			n, _ := strconv.ParseInt(f[i], 10, 64)
			ticks[cpu] += n
		}
	}
	return ticks
}
