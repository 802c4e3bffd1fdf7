package cgroup

import (
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"
)

// tree makes a file system of names and contents.
func tree(pairs ...string) fstest.MapFS {
	root := make(fstest.MapFS)
	for i := 0; i+1 < len(pairs); i += 2 {
		root[pairs[i]] = &fstest.MapFile{Data: []byte(pairs[i+1])}
	}
	return root
}

// Where the groups of a process are, as several systems show it.
const (
	infoUnified = "31 23 0:27 / /sys/fs/cgroup rw,nosuid,nodev shared:9 - cgroup2 cgroup2 rw,nsdelegate\n"
	infoFirst   = "32 31 0:29 / /sys/fs/cgroup/cpu,cpuacct rw,relatime - cgroup cgroup rw,cpu,cpuacct\n" +
		"35 31 0:32 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory\n" +
		"41 31 0:38 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw\n"
	infoDocker = "700 690 0:29 /docker/abc /sys/fs/cgroup/cpu ro,nosuid master:11 - cgroup cgroup rw,cpu\n"
)

func TestGroups(t *testing.T) {
	for _, c := range []struct {
		name, cgroup, info string
		want               []string
	}{
		{"systemd", "0::/user.slice/user-1000.slice/a.scope\n", infoUnified, []string{
			"sys/fs/cgroup/user.slice/user-1000.slice/a.scope", "sys/fs/cgroup/user.slice/user-1000.slice", "sys/fs/cgroup/user.slice", "sys/fs/cgroup"}},
		{"a container's name space", "0::/\n", infoUnified, []string{"sys/fs/cgroup"}},
		{"a group outside of the name space", "0::/../../x\n", infoUnified, []string{"sys/fs/cgroup/x", "sys/fs/cgroup"}},
		{"first version, and an empty second one", "4:memory:/m\n2:cpu,cpuacct:/a/b\n1:name=systemd:/\n0::/\n", infoFirst, []string{
			"sys/fs/cgroup/cpu,cpuacct/a/b", "sys/fs/cgroup/cpu,cpuacct/a", "sys/fs/cgroup/cpu,cpuacct", "sys/fs/cgroup/unified"}},
		{"docker without a name space", "3:cpu:/docker/abc/child\n", infoDocker, []string{"sys/fs/cgroup/cpu/child", "sys/fs/cgroup/cpu"}},
		{"another container's group", "3:cpu:/docker/abcd\n", infoDocker, []string{"sys/fs/cgroup/cpu"}},
		{"a blank in the mount point", "0::/g\n", strings.Replace(infoUnified, "fs/cgroup ", `fs/c\040g `, 1), []string{"sys/fs/c g/g", "sys/fs/c g"}},
		{"nothing mounted", "0::/g\n", "", nil},
		{"no cgroups", "", infoUnified, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			root := tree("proc/self/cgroup", c.cgroup, "proc/self/mountinfo", c.info)
			if d := cmp.Diff(c.want, Groups(root, Self)); d != "" {
				t.Error(d)
			}
		})
	}
	if got := Groups(fstest.MapFS{}, Self); got != nil {
		t.Errorf("groups without /proc: %v", got)
	}
}

// A group's limits are those of the process that is asked for.
func TestOtherProcess(t *testing.T) {
	root := tree("proc/self/cgroup", "0::/a\n", "proc/7/cgroup", "0::/b/c\n", "proc/self/mountinfo", infoUnified)
	want := []string{"sys/fs/cgroup/b/c", "sys/fs/cgroup/b", "sys/fs/cgroup"}
	if d := cmp.Diff(want, Groups(root, "7")); d != "" {
		t.Error(d)
	}
}

func TestQuota(t *testing.T) {
	dirs := []string{"own", "above", "top"}
	for _, c := range []struct {
		name string
		root fstest.MapFS
		want float64
	}{
		{"none", tree("own/cpu.max", "max 100000\n"), 0},
		{"own", tree("own/cpu.max", "50000 100000\n", "above/cpu.max", "max 100000\n"), 0.5},
		{"the least", tree("own/cpu.max", "200000 100000\n", "above/cpu.max", "150000 100000"), 1.5},
		{"first version", tree("own/cpu.cfs_quota_us", "-1", "own/cpu.cfs_period_us", "100000", "above/cpu.cfs_quota_us", "25000\n", "above/cpu.cfs_period_us", "100000\n"), 0.25},
		{"no numbers", tree("own/cpu.max", "a b", "above/cpu.max", "1", "top/cpu.max", "5 0"), 0},
	} {
		if got, _, _ := Quota(c.root, dirs); got != c.want {
			t.Errorf("%s: %v CPUs, want %v", c.name, got, c.want)
		}
	}
}

func FuzzGroups(f *testing.F) {
	f.Add("0::/a/b\n", infoUnified, "throttled_usec 5\nnr_periods 1")
	f.Add("2:cpu,cpuacct:/a\n", infoFirst, "throttled_time 5")
	f.Add("3:cpu:/docker/abc\n", infoDocker, "50000 100000")
	f.Fuzz(func(t *testing.T, cgroup, info, stat string) {
		root := tree("proc/self/cgroup", cgroup, "proc/self/mountinfo", info)
		for _, dir := range Groups(root, Self) {
			if strings.HasPrefix(dir, "/") || strings.HasPrefix(dir, "..") {
				t.Fatalf("group %q", dir)
			}
		}
		if s := parseCPUStat(stat); s.Time < 0 && !strings.Contains(stat, "throttled_usec") || s.Periods < 0 || s.Stopped < 0 {
			t.Fatalf("%+v", s)
		}
		if runs, period, ok := parseCPUMax(stat); ok && (runs <= 0 || period <= 0 || runs > 3000*time.Second) {
			t.Fatalf("%v of %v", runs, period)
		}
	})
}
