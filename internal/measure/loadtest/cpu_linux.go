package loadtest

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"github.com/pawl-dev/pawl/internal/host/gocmd"
)

// supported reports whether the CPU time of another process can be read here.
func supported() error { return nil }

// cores returns the cores that this process may use, ascending.
func cores() ([]int, error) {
	var mask unix.CPUSet
	if err := unix.SchedGetaffinity(0, &mask); err != nil {
		return nil, fmt.Errorf("reading the CPU affinity: %w", err)
	}
	var all []int
	for cpu := range len(mask) * 64 {
		if mask.IsSet(cpu) {
			all = append(all, cpu)
		}
	}
	return all, nil
}

// tick is the unit of times in /proc/PID/stat: USER_HZ is 100 on every
// architecture that Go runs on.
const tick = 10 * time.Millisecond

// A member is a process of a program, as /proc/PID/stat has it.
type member struct {
	pid, parent, group int
	start              uint64        // when it was started, in ticks since boot
	ended              bool          // and nobody has waited for it yet
	own                time.Duration // CPU time of its threads, those that ended included
	waited             time.Duration // CPU time of children that have ended and were waited for
}

// family returns the processes that belong to the program whose process group
// is pid: those of the group, and what they started, in whatever group.
func family(pid int) ([]member, error) {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return nil, fmt.Errorf("listing processes: %w", err)
	}
	children := make(map[int][]member)
	var queue, out []member
	for _, e := range entries {
		n, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		m, err := readMember(n)
		switch {
		case err != nil: // it has ended meanwhile
		case m.group == pid:
			queue = append(queue, m)
		default:
			children[m.parent] = append(children[m.parent], m)
		}
	}
	for len(queue) > 0 {
		m := queue[0]
		out, queue = append(out, m), append(queue[1:], children[m.pid]...)
	}
	return out, nil
}

// readMember reads /proc/PID/stat. The name of the program, which may hold
// blanks and parentheses, ends at the last parenthesis.
func readMember(pid int) (member, error) {
	data, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return member{}, err
	}
	return parseStat(pid, data)
}

func parseStat(pid int, data []byte) (member, error) {
	end := bytes.LastIndexByte(data, ')')
	f := strings.Fields(string(data[end+1:]))
	if end < 0 || len(f) < 20 {
		return member{}, errors.New("/proc/" + strconv.Itoa(pid) + "/stat is not of the form that proc(5) describes")
	}
	var n [20]uint64 // f[0] is the state, the third field of the file
	for _, i := range []int{1, 2, 11, 12, 13, 14, 19} {
		n[i], _ = strconv.ParseUint(f[i], 10, 64)
	}
	return member{
		pid: pid, parent: int(n[1]), group: int(n[2]), start: n[19], ended: f[0] == "Z" || f[0] == "X",
		own: time.Duration(n[11]+n[12]) * tick, waited: time.Duration(n[13]+n[14]) * tick,
	}, nil
}

// A usage is what a program has used since it was started.
type usage struct {
	cpu     time.Duration // user and system time of all its processes, children that ended included
	peak    int64         // bytes: the sum of the peak resident sets of its live processes
	members []member
}

// measure reads the usage of the program whose process group is pid. A process
// that is alive is read from its own CPU clock, which counts nanoseconds, where
// /proc/PID/stat counts hundredths of a second; those that ended, from stat.
func measure(pid int) (usage, error) {
	members, err := family(pid)
	if err != nil {
		return usage{}, err
	}
	if !slices.ContainsFunc(members, func(m member) bool { return !m.ended }) { // one that nobody has waited for yet has no clock any more
		return usage{}, errGone
	}
	u := usage{members: members}
	for _, m := range members {
		own := m.own
		var ts unix.Timespec
		if err := unix.ClockGettime(processClock(m.pid), &ts); err == nil {
			own = time.Duration(ts.Nano())
		}
		u.cpu += own + m.waited
		u.peak += gocmd.PeakRSS(m.pid)
	}
	return u, nil
}

// processClock returns the clock that counts the CPU time of a process, as
// clock_getcpuclockid(3) does: the complement of the number above three bits
// that say “scheduled time, of the whole process”.
func processClock(pid int) int32 { return int32(^pid)<<3 | 2 }

// killStrays ends those of members that are still there and have left the
// process group of the program, which the end of the group does not reach.
func killStrays(group int, members []member) {
	for _, m := range members {
		if m.group == group {
			continue
		}
		if now, err := readMember(m.pid); err == nil && now.start == m.start {
			_ = unix.Kill(m.pid, unix.SIGKILL)
		}
	}
}
