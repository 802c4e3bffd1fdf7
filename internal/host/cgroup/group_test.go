package cgroup

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// machine is a root with files, as control groups have them.
func machine(t *testing.T, pairs ...string) string {
	t.Helper()
	root := t.TempDir()
	for i := 0; i+1 < len(pairs); i += 2 {
		name := filepath.Join(root, pairs[i])
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(pairs[i+1]), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func read(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Error(err)
	}
	return string(data)
}

func TestMake(t *testing.T) {
	limits := Limits{CPUs: 1.5, Memory: 1 << 26}
	t.Run("first version", func(t *testing.T) {
		const own = "sys/fs/cgroup/cpu,cpuacct/a/"
		root := machine(t, "proc/self/cgroup", "4:memory:/m\n2:cpu,cpuacct:/a\n0::/\n", "proc/self/mountinfo", infoFirst,
			own+"cgroup.procs", "", "sys/fs/cgroup/memory/m/cgroup.procs", "")
		g, err := Make(root, "pawl-1", limits)
		if err != nil {
			t.Fatal(err)
		}
		want := []string{filepath.Join(root, own, "pawl-1"), filepath.Join(root, "sys/fs/cgroup/memory/m/pawl-1")}
		if d := cmp.Diff(want, g.Dirs()); d != "" {
			t.Error(d)
		}
		got := read(t, want[0]+"/cpu.cfs_quota_us") + " of " + read(t, want[0]+"/cpu.cfs_period_us") + ", " + read(t, want[1]+"/memory.limit_in_bytes")
		if got != "150000 of 100000, 67108864" {
			t.Error(got)
		}
	})
	t.Run("second version, in a group above that hands down", func(t *testing.T) {
		const slice = "sys/fs/cgroup/user.slice/"
		root := machine(t, "proc/self/cgroup", "0::/user.slice/a.scope\n", "proc/self/mountinfo", infoUnified,
			slice+"a.scope/cgroup.subtree_control", "", slice+"cgroup.subtree_control", "cpu memory\n")
		g, err := Make(root, "pawl-1", limits)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff([]string{filepath.Join(root, slice, "pawl-1")}, g.Dirs()); d != "" {
			t.Error(d)
		}
	})
	t.Run("second version, where its own group has the controllers, and processes", func(t *testing.T) {
		const slice = "sys/fs/cgroup/user.slice/"
		root := machine(t, "proc/self/cgroup", "0::/user.slice/a.scope\n", "proc/self/mountinfo", infoUnified,
			slice+"a.scope/cgroup.controllers", "cpu memory\n", slice+"a.scope/cgroup.type", "domain\n", slice+"a.scope/cgroup.procs", "17\n",
			slice+"a.scope/cgroup.subtree_control", "", slice+"cgroup.type", "domain\n", slice+"cgroup.procs", "",
			slice+"cgroup.controllers", "cpu memory\n", slice+"cgroup.subtree_control", "")
		g, err := Make(root, "pawl-1", limits)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff([]string{filepath.Join(root, slice, "pawl-1")}, g.Dirs()); d != "" {
			t.Error(d)
		}
	})
	for name, root := range map[string]string{
		"nothing hands down": machine(t, "proc/self/cgroup", "0::/\n", "proc/self/mountinfo", infoUnified, "sys/fs/cgroup/cgroup.controllers", "pids\n"),
		"no groups":          machine(t),
	} {
		if _, err := Make(root, "pawl-1", limits); err == nil || !strings.Contains(err.Error(), "hands down the controller cpu") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// On a machine that allows it, a group is made, counts, and goes.
func TestMakeHere(t *testing.T) {
	g, err := Make("/", "pawl-test", Limits{CPUs: 0.5, Memory: 1 << 26})
	if err != nil {
		t.Skip(err)
	}
	if n := g.Killed(); n != 0 {
		t.Errorf("%d killed", n)
	}
	if err := g.Remove(); err != nil {
		t.Error(err)
	}
	for _, dir := range g.Dirs() {
		if _, err := os.Stat(dir); err == nil {
			t.Error(dir, "is left")
		}
	}
}
