package cgroup

import (
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A Throttle is what cpu.stat says about a quota, since the group was made.
type Throttle struct {
	Periods, Stopped int64         // periods that had something to run, and those in which the quota was used up
	Time             time.Duration // for how long, over all CPUs
}

// Throttling adds up what the groups say: a process is stopped by any of them.
func Throttling(root fs.FS, dirs []string) Throttle {
	var sum Throttle
	for _, dir := range dirs {
		t := parseCPUStat(Text(root, path.Join(dir, "cpu.stat")))
		sum.Stopped += t.Stopped
		sum.Periods = max(sum.Periods, t.Periods)
		sum.Time += t.Time
	}
	return sum
}

// parseCPUStat reads a cpu.stat file of either version of control groups: in
// the second, throttled_usec is in µs, in the first, throttled_time in ns.
func parseCPUStat(stat string) Throttle {
	var t Throttle
	for line := range strings.Lines(stat) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), " ")
		n, err := strconv.ParseInt(value, 10, 64)
		if err != nil || n < 0 {
			continue
		}
		switch key {
		case "nr_periods":
			t.Periods = n
		case "nr_throttled":
			t.Stopped = n
		case "throttled_usec":
			t.Time = time.Duration(n) * time.Microsecond
		case "throttled_time":
			t.Time = time.Duration(n)
		}
	}
	return t
}

// Quota returns how many CPUs the groups may use, the least of them, and for
// how long in each period; 0 without a limit.
func Quota(root fs.FS, dirs []string) (cpus float64, runs, period time.Duration) {
	for _, dir := range dirs {
		max := Text(root, path.Join(dir, "cpu.max"))
		if max == "" {
			max = Text(root, path.Join(dir, "cpu.cfs_quota_us")) + " " + Text(root, path.Join(dir, "cpu.cfs_period_us"))
		}
		r, p, ok := parseCPUMax(max)
		if limit := float64(r) / float64(p); ok && (cpus == 0 || limit < cpus) {
			cpus, runs, period = limit, r, p
		}
	}
	return cpus, runs, period
}

// parseCPUMax reads a cpu.max file: the quota and its period in µs. Without a
// limit the quota is "max", or -1 in the first version.
func parseCPUMax(max string) (runs, period time.Duration, ok bool) {
	f := strings.Fields(max)
	if len(f) != 2 {
		return 0, 0, false
	}
	r, err1 := strconv.ParseInt(f[0], 10, 32)
	p, err2 := strconv.ParseInt(f[1], 10, 32)
	if err1 != nil || err2 != nil || r <= 0 || p <= 0 {
		return 0, 0, false
	}
	return time.Duration(r) * time.Microsecond, time.Duration(p) * time.Microsecond, true
}

// Self stands for this process, where its id is asked for.
const Self = "self"

// Groups returns the directories of the groups that limit the CPU time of a process
// (its id, or Self): its own and those above it, as far as they can be seen from
// here, of both versions. They are relative to root, which is the machine's.
func Groups(root fs.FS, pid string) []string {
	return append(groups(root, pid, "cpu", false), groups(root, pid, "cpu", true)...)
}

// groups returns the directories of the groups of one version that a process is in,
// of the hierarchy that may limit what the controller is about.
func groups(root fs.FS, pid, controller string, unified bool) []string {
	mounts := parseMounts(Text(root, "proc/self/mountinfo"), controller)
	var dirs []string
	for line := range strings.Lines(Text(root, path.Join("proc", pid, "cgroup"))) {
		m, ok := parseMembership(line, controller)
		if !ok || m.unified != unified {
			continue
		}
		for _, mount := range mounts {
			if mount.holds(m) {
				for _, dir := range mount.above(m.path) {
					if fs.ValidPath(dir) { // a mount point of / has no name below the root
						dirs = append(dirs, dir)
					}
				}
				break
			}
		}
	}
	return dirs
}

// A membership is a line of /proc/self/cgroup that is of use here: of a controller
// of the first version, or of the second version.
type membership struct {
	unified bool
	path    string // from the root of the hierarchy, or of the namespace
}

func parseMembership(line, controller string) (membership, bool) {
	f := strings.SplitN(strings.TrimRight(line, "\n"), ":", 3)
	if len(f) != 3 || !strings.HasPrefix(f[2], "/") {
		return membership{}, false
	}
	unified := f[0] == "0" && f[1] == ""
	return membership{unified, f[2]}, unified || slices.Contains(strings.Split(f[1], ","), controller)
}

// A cgroupMount is a mounted hierarchy of groups.
type cgroupMount struct {
	unified     bool
	root, point string // what of the hierarchy is mounted, and where
}

// parseMounts finds the hierarchies in /proc/self/mountinfo whose groups may
// limit what a controller is about. A line has the root and the mount point as its
// fourth and fifth field, and the type and the options of the file system after a lone dash.
func parseMounts(info, controller string) []cgroupMount {
	var mounts []cgroupMount
	for line := range strings.Lines(info) {
		f := strings.Fields(line)
		dash := slices.Index(f, "-")
		if dash < 5 || len(f) < dash+4 {
			continue
		}
		m := cgroupMount{unified: f[dash+1] == "cgroup2", root: unescape(f[3]), point: unescape(f[4])}
		first := f[dash+1] == "cgroup" && slices.Contains(strings.Split(f[dash+3], ","), controller)
		if (m.unified || first) && strings.HasPrefix(m.point, "/") {
			mounts = append(mounts, m)
		}
	}
	return mounts
}

// unescape undoes what the kernel does to blanks in paths: \040.
func unescape(s string) string {
	for i := 0; i+3 < len(s); i++ {
		if s[i] != '\\' {
			continue
		}
		if n, err := strconv.ParseUint(s[i+1:i+4], 8, 8); err == nil {
			s = s[:i] + string([]byte{byte(n)}) + s[i+4:]
		}
	}
	return s
}

func (m cgroupMount) holds(of membership) bool { return m.unified == of.unified }

// above returns the directories of a group and of all above it up to the mount
// point, relative to the root of the file system. In a container the mount
// often begins at the container's own group, whose path then is not below it,
// or is the same.
func (m cgroupMount) above(group string) []string {
	rest := group
	if root := strings.TrimSuffix(m.root, "/"); root != "" {
		below, ok := strings.CutPrefix(group, root)
		if !ok || below != "" && below[0] != '/' {
			below = "/"
		}
		rest = below
	}
	point := strings.TrimPrefix(path.Clean(m.point), "/")
	var dirs []string
	for rest = path.Clean("/" + rest); ; rest = path.Dir(rest) {
		dirs = append(dirs, path.Join(point, rest))
		if rest == "/" {
			return dirs
		}
	}
}

// Text returns a small file's content without the blanks around it, or "".
func Text(root fs.FS, name string) string {
	data, err := fs.ReadFile(root, name)
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(data))
}
