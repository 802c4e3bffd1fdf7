package bench

import (
	"testing"
	"testing/fstest"
)

// tree makes a file system of names and contents.
func tree(pairs ...string) fstest.MapFS {
	root := make(fstest.MapFS)
	for i := 0; i+1 < len(pairs); i += 2 {
		root[pairs[i]] = &fstest.MapFile{Data: []byte(pairs[i+1])}
	}
	return root
}

// Where the groups of a process are, as two systems show it.
const (
	infoUnified = "31 23 0:27 / /sys/fs/cgroup rw,nosuid,nodev shared:9 - cgroup2 cgroup2 rw,nsdelegate\n"
	infoFirst   = "32 31 0:29 / /sys/fs/cgroup/cpu,cpuacct rw,relatime - cgroup cgroup rw,cpu,cpuacct\n" +
		"41 31 0:38 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw\n"
)

// A process is stopped by its own group's quota and by those above it, and what
// happened before does not count.
func TestWatchThrottling(t *testing.T) {
	t.Parallel()
	root := tree("proc/self/cgroup", "2:cpu,cpuacct:/a\n0::/b\n", "proc/self/mountinfo", infoFirst,
		"sys/fs/cgroup/cpu,cpuacct/a/cpu.stat", "nr_periods 10\nnr_throttled 4\nthrottled_time 1000\n",
		"sys/fs/cgroup/unified/b/cpu.stat", "usage_usec 100\n")
	since := watchThrottling(root)
	if got := since(); got != 0 {
		t.Errorf("%v ns at once", got)
	}
	root["sys/fs/cgroup/cpu,cpuacct/a/cpu.stat"].Data = []byte("nr_periods 11\nnr_throttled 5\nthrottled_time 1500\n")
	root["sys/fs/cgroup/unified/b/cpu.stat"].Data = []byte("usage_usec 100\nnr_throttled 1\nthrottled_usec 7\n")
	if got := since(); got != 7500 {
		t.Errorf("%v ns", got)
	}
	if got := watchThrottling(fstest.MapFS{})(); got != 0 {
		t.Errorf("%v ns without control groups", got)
	}
}

func BenchmarkWatchThrottling(b *testing.B) {
	root := machineRoot()
	for b.Loop() {
		watchThrottling(root)()
	}
}
