package bench

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/pawl-dev/pawl/internal/model"
)

// Each condition gives its warning and no other.
func TestSystemWarnings(t *testing.T) {
	t.Parallel()
	const cpu = "sys/devices/system/cpu/"
	group := []string{"proc/self/cgroup", "0::/g\n", "proc/self/mountinfo", infoUnified}
	env := func(cpus int, load float64, settings ...string) model.Environment {
		e := model.Environment{CPUs: cpus, Load: load, Settings: map[string]string{}}
		for i := 0; i+1 < len(settings); i += 2 {
			e.Settings[settings[i]] = settings[i+1]
		}
		return e
	}
	quiet := env(4, 0.3)
	for _, c := range []struct {
		name string
		env  model.Environment
		root fstest.MapFS
		want []string // one for each warning, in what was seen or the try
	}{
		{"a usual virtual machine", quiet, tree("proc/self/status", "Cpus_allowed_list:\t0-3\n", cpu+"online", "0-3\n",
			"proc/pressure/cpu", "some avg10=0.19 avg60=0.09 avg300=0.41 total=2234662449\nfull avg10=0.00\n",
			"proc/stat", "cpu  683035 311 80866 1754981 2431 0 4529 3823 0 0\n",
			cpu+"cpu0/topology/thread_siblings_list", "0-1\n", cpu+"cpu1/topology/thread_siblings_list", "0-1\n",
			cpu+"cpu2/topology/thread_siblings_list", "2-3\n", cpu+"cpu3/topology/thread_siblings_list", "2-3\n",
			cpu+"cpu0/thermal_throttle/core_throttle_count", "0\n"), nil},
		{"another system", quiet, tree(), nil},
		{"quota", quiet, tree(append(group, "sys/fs/cgroup/g/cpu.max", "50000 100000\n")...), []string{"0.5 CPUs: 50ms in each 100ms"}},
		{"quota that was used up", quiet, tree(append(group, "sys/fs/cgroup/g/cpu.max", "200000 100000\n", "sys/fs/cgroup/g/cpu.stat", "nr_periods 93\nnr_throttled 31\nthrottled_usec 900\n")...), []string{"2 CPUs: 200ms in each 100ms; that was used up in 31 of 93 periods"}},
		{"quota that was not met", quiet, tree(append(group, "sys/fs/cgroup/g/cpu.max", "200000 100000\n", "sys/fs/cgroup/g/cpu.stat", "nr_periods 9300\nnr_throttled 3\n")...), nil},
		{"one CPU", env(1, 0), tree(), []string{"one CPU"}},
		{"CPU set", env(1, 0), tree(cpu+"online", "0-7\n"), []string{"one CPU of 8"}},
		{"GOMAXPROCS", env(4, 0, "GOMAXPROCS", "8"), tree(), []string{"GOMAXPROCS is 8, and there are 4 CPUs"}},
		{"few GOMAXPROCS", env(4, 0, "GOMAXPROCS", "2"), tree(), nil},
		{"load", env(4, 3), tree(), []string{"the machine is overloaded: load average 3.0 on 4 CPUs"}},
		{"load and pressure are one warning", env(4, 3), tree("proc/pressure/cpu", "some avg10=41.20 avg60=0 avg300=0 total=0\n"), []string{"the machine is overloaded: load average 3.0 on 4 CPUs, CPU pressure 41 %"}},
		{"pressure", quiet, tree("proc/pressure/cpu", "some avg10=12.00 avg60=0 avg300=0 total=0\n"), []string{"CPU pressure 12 %"}},
		{"steal", quiet, tree("proc/stat", "cpu  900 0 0 5000 0 0 0 100 0 0\ncpu0 1 1\n"), []string{"gave 10 %"}},
		{"threads of one core", env(2, 0), tree("proc/self/status", "Cpus_allowed_list:\t0-1\n", cpu+"online", "0-1",
			cpu+"cpu0/topology/thread_siblings_list", "0,1\n", cpu+"cpu1/topology/thread_siblings_list", "0,1\n"), []string{"all 2 CPUs are threads of one core"}},
		{"half a core", env(1, 0), tree("proc/self/status", "Cpus_allowed_list:\t1\n", cpu+"online", "0-7",
			cpu+"cpu1/topology/thread_siblings_list", "1,5\n"), []string{"one CPU of 8", "CPU 1 shares its core with CPU 5"}},
		{"threads in a busy machine", env(4, 3), tree("proc/self/status", "Cpus_allowed_list:\t0-3\n", cpu+"online", "0-3",
			cpu+"cpu0/topology/thread_siblings_list", "0,2", cpu+"cpu1/topology/thread_siblings_list", "1,3",
			cpu+"cpu2/topology/thread_siblings_list", "0,2", cpu+"cpu3/topology/thread_siblings_list", "1,3"), []string{"load", "threads of 2 cores"}},
		{"a thread that is turned off", quiet, tree("proc/self/status", "Cpus_allowed_list:\t0-1\n", cpu+"online", "0-1",
			cpu+"cpu0/topology/thread_siblings_list", "0,2", cpu+"cpu1/topology/thread_siblings_list", "1,3"), nil},
		{"governor", quiet, tree(cpu+"cpu0/cpufreq/scaling_governor", "performance\n", cpu+"cpu1/cpufreq/scaling_governor", "powersave\n"), []string{"governor powersave"}},
		{"turbo", quiet, tree(cpu+"cpu0/cpufreq/scaling_governor", "performance\n", cpu+"intel_pstate/no_turbo", "0\n"), []string{"turbo on"}},
		{"all of the frequency is one warning", quiet, tree(cpu+"cpu0/cpufreq/scaling_governor", "schedutil\n", cpu+"cpufreq/boost", "1\n"), []string{"governor schedutil, boost on"}},
		{"steady frequency", quiet, tree(cpu+"cpu0/cpufreq/scaling_governor", "performance\n", cpu+"intel_pstate/no_turbo", "1\n", cpu+"cpufreq/boost", "0\n"), nil},
		{"heat", quiet, tree(cpu+"cpu0/thermal_throttle/core_throttle_count", "3\n", cpu+"cpu1/thermal_throttle/package_throttle_count", "17\n"), []string{"17 times"}},
		{"battery", quiet, tree("sys/class/power_supply/BAT0/status", "Discharging\n", "sys/class/power_supply/BAT0/type", "Battery\n"), []string{"runs on battery"}},
		{"a mouse's battery", quiet, tree("sys/class/power_supply/hid/status", "Discharging\n", "sys/class/power_supply/hid/type", "Battery\n", "sys/class/power_supply/hid/scope", "Device\n"), nil},
		{"a full battery", quiet, tree("sys/class/power_supply/BAT0/status", "Full\n", "sys/class/power_supply/BAT0/type", "Battery\n"), nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := systemWarnings(c.root, c.env)
			for i, w := range got {
				if w.Seen == "" || w.Cause == "" || w.Try == "" {
					t.Errorf("not all is said: %+v", w)
				}
				if i < len(c.want) && !strings.Contains(w.Seen, c.want[i]) {
					t.Errorf("%q, want %q", w.Seen, c.want[i])
				}
			}
			if len(got) != len(c.want) {
				t.Errorf("%d warnings, want %d: %+v", len(got), len(c.want), got)
			}
		})
	}
}

// What this machine says is read without harm.
func TestSystemWarningsHere(t *testing.T) {
	t.Parallel()
	for _, w := range SystemWarnings(model.Environment{CPUs: 2}) {
		t.Logf("%s; %s; %s", w.Seen, w.Cause, w.Try)
	}
}

func TestParseCPUList(t *testing.T) {
	t.Parallel()
	for list, want := range map[string][]int{"0-3,8": {0, 1, 2, 3, 8}, "5": {5}, "": nil, "a": nil, "3-1": nil, "0-99999999999": nil, "0-999999": nil} {
		if got := parseCPUList(list); !slices.Equal(got, want) {
			t.Errorf("%q: %v", list, got)
		}
	}
}

func FuzzSystemWarnings(f *testing.F) {
	f.Add("Cpus_allowed_list: 0-1", "0-1", "0,1", "some avg10=1.0", "cpu 1 2 3 4 5 6 7 8")
	f.Fuzz(func(t *testing.T, status, online, threads, pressure, stat string) {
		root := tree("proc/self/status", status, "sys/devices/system/cpu/online", online, "proc/pressure/cpu", pressure, "proc/stat", stat,
			"sys/devices/system/cpu/cpu0/topology/thread_siblings_list", threads, "sys/devices/system/cpu/cpu1/topology/thread_siblings_list", threads)
		if n := len(systemWarnings(root, model.Environment{CPUs: 1, Load: 1})); n > 9 {
			t.Fatalf("%d warnings", n)
		}
	})
}
