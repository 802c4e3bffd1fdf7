package bench

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/pawl-dev/pawl/internal/host/cgroup"
	"github.com/pawl-dev/pawl/internal/model"
)

// What counts as worth a warning.
const (
	busyLoad     = 0.5  // load average per CPU
	busyPressure = 10   // % of the last 10 s in which something waited for a CPU
	stolenShare  = 0.02 // of the CPU time that the machine asked for
	stoppedShare = 0.01 // of the periods of a quota
)

// SystemWarnings says what about the machine costs precision: limits on CPU
// time, other work, other machines on the same host, and clocks that change.
// Each warning has what was seen, the likely cause and what to try, and none
// invalidates a verdict: it makes one take longer. Verdicts on wall time suffer
// more than those on CPU time of duets, whose arms meet the same conditions.
//
// Load and pressure are of the last minute and the last ten seconds, so the
// place to call this is before pawl itself builds or runs anything. The counts
// of stolen time, heat and quotas are since the start of the machine or of the
// group. On other systems than Linux only env is looked at.
func SystemWarnings(env model.Environment) []model.Warning {
	return systemWarnings(machineRoot(), env)
}

func systemWarnings(root fs.FS, env model.Environment) []model.Warning {
	m := machine{root: root, env: env, allowed: parseCPUList(statusLine(root, "Cpus_allowed_list"))}
	m.pressure = pressure(root)
	for _, look := range []func(*machine){
		(*machine).quota, (*machine).oneCPU, (*machine).procs, (*machine).load,
		(*machine).steal, (*machine).siblings, (*machine).frequency, (*machine).heat, (*machine).battery,
	} {
		look(&m)
	}
	return m.warnings
}

// A machine is what is looked at for warnings, and those found so far.
type machine struct {
	root     fs.FS // /
	env      model.Environment
	allowed  []int // CPUs that this process may run on; empty where that is not known
	warnings []model.Warning
	pressure float64 // % of the last 10 s
}

func (m *machine) warn(seen, cause, try string) {
	m.warnings = append(m.warnings, model.Warning{Seen: seen, Cause: cause, Try: try})
}

// quota warns of limits below one CPU, and of others that were met.
func (m *machine) quota() {
	dirs := cgroup.Groups(m.root, cgroup.Self)
	cpus, runs, period := cgroup.Quota(m.root, dirs)
	if cpus == 0 {
		return
	}
	t := cgroup.Throttling(m.root, dirs)
	stopped := t.Periods > 0 && float64(t.Stopped) > stoppedShare*float64(t.Periods)
	if cpus >= 1 && !stopped {
		return
	}
	seen := fmt.Sprintf("the control group may use %.2g CPUs: %v in each %v", cpus, runs, period)
	if stopped {
		seen += fmt.Sprintf("; that was used up in %d of %d periods", t.Stopped, t.Periods)
	}
	m.warn(seen, "a limit on CPU time, such as docker run --cpus, a Kubernetes limit or CPUQuota= of systemd",
		"raise it to two CPUs or more; until then a comparison takes longer, and wall times are those of the limit")
}

func (m *machine) oneCPU() {
	if m.env.CPUs != 1 {
		return
	}
	online := len(parseCPUList(cgroup.Text(m.root, "sys/devices/system/cpu/online")))
	if online > 1 {
		m.warn(fmt.Sprintf("one CPU of %d", online), "a CPU set or an affinity, such as taskset or docker run --cpuset-cpus, leaves no other",
			"allow a second one: what is measured and what measures share it now")
		return
	}
	m.warn("one CPU", "what is measured and what measures share it", "give the machine or the container a second CPU")
}

// procs warns of more processors for Go than there are.
func (m *machine) procs() {
	procs, err := strconv.Atoi(m.env.Settings["GOMAXPROCS"])
	if err != nil || m.env.CPUs == 0 || procs <= m.env.CPUs {
		return
	}
	m.warn(fmt.Sprintf("GOMAXPROCS is %d, and there are %d CPUs", procs, m.env.CPUs), "the variable is set in the environment",
		"unset it, or set it to the number of CPUs, for figures of parallel benchmarks that mean something")
}

// pressure returns for how many per cent of the last 10 s some process waited
// for a CPU.
func pressure(root fs.FS) float64 {
	line, _, _ := strings.Cut(cgroup.Text(root, "proc/pressure/cpu"), "\n")
	for _, kv := range strings.Fields(line) {
		if v, ok := strings.CutPrefix(kv, "avg10="); ok && strings.HasPrefix(line, "some ") {
			return number(v)
		}
	}
	return 0
}

func (m *machine) loaded() bool {
	return m.env.CPUs > 0 && m.env.Load > busyLoad*float64(m.env.CPUs)
}

func (m *machine) load() {
	var seen []string
	if m.loaded() {
		seen = append(seen, fmt.Sprintf("load average %.1f on %d CPUs", m.env.Load, m.env.CPUs))
	}
	if m.pressure > busyPressure {
		seen = append(seen, fmt.Sprintf("CPU pressure %.0f %%", m.pressure))
	}
	if len(seen) > 0 {
		m.warn("the machine is overloaded: "+strings.Join(seen, ", "), "other programs are running",
			"expect wall times to vary and verdicts to take longer; close what you can")
	}
}

// steal warns of a hypervisor that gave the CPU to others.
func (m *machine) steal() {
	line, _, _ := strings.Cut(cgroup.Text(m.root, "proc/stat"), "\n")
	f := strings.Fields(line)
	if len(f) < 9 || f[0] != "cpu" {
		return
	}
	// user nice system idle iowait irq softirq steal, in ticks
	stolen := number(f[8])
	asked := stolen
	for _, i := range []int{1, 2, 3, 6, 7} {
		asked += number(f[i])
	}
	if stolen > stolenShare*asked {
		m.warn(fmt.Sprintf("the host gave %.0f %% of the CPU time that this machine asked for to others, since it was started", 100*stolen/asked),
			"this is a virtual machine, and its host has more work than CPUs",
			"expect verdicts to take longer; a machine with CPUs of its own has none of this")
	}
}

// siblings warns where what is measured shares a core with something else, by
// all that can be seen. Two threads of a core in a machine that is otherwise
// idle are no cause for one.
func (m *machine) siblings() {
	online := parseCPUList(cgroup.Text(m.root, "sys/devices/system/cpu/online"))
	var cores []string // of the CPUs that are allowed, as lists of their threads
	pairs := false
	for _, cpu := range m.allowed {
		list := cgroup.Text(m.root, fmt.Sprintf("sys/devices/system/cpu/cpu%d/topology/thread_siblings_list", cpu))
		if list == "" {
			return
		}
		if !slices.Contains(cores, list) {
			cores = append(cores, list)
		}
		for _, other := range parseCPUList(list) {
			if other == cpu || !slices.Contains(online, other) {
				continue
			}
			pairs = true
			if !slices.Contains(m.allowed, other) {
				m.warn(fmt.Sprintf("CPU %d shares its core with CPU %d, which is not ours", cpu, other),
					"a CPU set that divides cores: what others run there slows down what is measured here",
					"assign whole cores")
				return
			}
		}
	}
	switch {
	case !pairs:
	case len(cores) == 1:
		m.warn(fmt.Sprintf("all %d CPUs are threads of one core", len(m.allowed)), "what runs on one of them slows down the others, pawl itself included",
			"use a machine with two cores or more; until then verdicts take longer")
	case m.loaded() || m.pressure > busyPressure:
		m.warn(fmt.Sprintf("the %d CPUs are threads of %d cores, and other programs are running", len(m.allowed), len(cores)),
			"what runs on the other thread of a core slows down what is measured",
			"close what you can, or turn the threads off: echo off | sudo tee /sys/devices/system/cpu/smt/control")
	}
}

// frequency warns where the clock of the CPUs depends on what they did before.
func (m *machine) frequency() {
	const dir = "sys/devices/system/cpu/"
	var seen, try []string
	var governors []string
	names, _ := fs.Glob(m.root, dir+"cpu[0-9]*/cpufreq/scaling_governor") // the pattern is well formed
	for _, name := range names {
		if g := cgroup.Text(m.root, name); g != "" && g != "performance" && !slices.Contains(governors, g) {
			governors = append(governors, g)
		}
	}
	if len(governors) > 0 {
		seen = append(seen, "governor "+strings.Join(governors, " and "))
		try = append(try, "sudo cpupower frequency-set -g performance")
	}
	switch {
	case cgroup.Text(m.root, dir+"intel_pstate/no_turbo") == "0":
		seen = append(seen, "turbo on")
		try = append(try, "echo 1 | sudo tee /"+dir+"intel_pstate/no_turbo")
	case cgroup.Text(m.root, dir+"cpufreq/boost") == "1":
		seen = append(seen, "boost on")
		try = append(try, "echo 0 | sudo tee /"+dir+"cpufreq/boost")
	}
	if len(seen) > 0 {
		m.warn("the CPU frequency changes with load and heat: "+strings.Join(seen, ", "), "the system saves power, or takes what heat allows",
			"for steadier times while you measure: "+strings.Join(try, "; "))
	}
}

// heat warns where CPUs were slowed down for their temperature.
func (m *machine) heat() {
	var most float64
	for _, kind := range []string{"core", "package"} {
		names, _ := fs.Glob(m.root, "sys/devices/system/cpu/cpu[0-9]*/thermal_throttle/"+kind+"_throttle_count")
		for _, name := range names {
			most = max(most, number(cgroup.Text(m.root, name)))
		}
	}
	if most > 0 {
		m.warn(fmt.Sprintf("CPUs were slowed down for their heat %.0f times since the start of the system", most), "cooling does not keep up with load",
			"let the machine cool down, and free its vents; prefer one that does not do this")
	}
}

// battery warns of a laptop that runs on it. A mouse has a battery too.
func (m *machine) battery() {
	names, _ := fs.Glob(m.root, "sys/class/power_supply/*/status")
	for _, name := range names {
		dir := path.Dir(name)
		if cgroup.Text(m.root, path.Join(dir, "type")) != "Battery" || cgroup.Text(m.root, path.Join(dir, "scope")) == "Device" {
			continue
		}
		if cgroup.Text(m.root, name) == "Discharging" {
			m.warn("the machine runs on battery", "CPUs are slower then, and change their frequency more", "plug it in")
			return
		}
	}
}

// statusLine returns a value of /proc/self/status.
func statusLine(root fs.FS, key string) string {
	for line := range strings.Lines(cgroup.Text(root, "proc/self/status")) {
		if v, ok := strings.CutPrefix(line, key+":"); ok {
			return strings.TrimSpace(v)
		}
	}
	return ""
}

// maxCPU bounds what a list of CPUs may name: far above what Linux has.
const maxCPU = 1 << 14

// parseCPUList reads a list as the kernel writes it: "0-3,8". What is not one
// gives nothing.
func parseCPUList(list string) []int {
	var cpus []int
	if list == "" {
		return nil
	}
	for part := range strings.SplitSeq(list, ",") {
		low, high, isRange := strings.Cut(part, "-")
		if !isRange {
			high = low
		}
		a, err1 := strconv.Atoi(low)
		b, err2 := strconv.Atoi(high)
		if err1 != nil || err2 != nil || a < 0 || b < a || b > maxCPU || len(cpus) > maxCPU {
			return nil
		}
		for ; a <= b; a++ {
			cpus = append(cpus, a)
		}
	}
	return cpus
}

// number returns a number that the kernel wrote, or 0.
func number(s string) float64 {
	v, err := strconv.ParseFloat(s, 64)
	if err != nil || !(v >= 0) {
		return 0
	}
	return v
}
