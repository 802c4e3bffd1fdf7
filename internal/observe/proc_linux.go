package observe

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/internal/gocmd"
	"github.com/pawl-dev/pawl/internal/model"
)

// between is the time between two looks at /proc.
const between = 100 * time.Millisecond

// A watcher looks at a program and what it has started, until it is told to
// stop. One goroutine owns it.
type watcher struct {
	pid     int
	use     model.ProcessUse
	threads map[string]threadUse // by folder: those that have ended count, too
	limits  []*limitGroup
	stop    chan struct{}
	stopped chan struct{}
}

// A threadUse is what the system counts of a thread.
type threadUse struct{ voluntary, involuntary, run, wait float64 }

// A limitGroup is a control group that has a CPU limit.
type limitGroup struct {
	stat   string
	before throttling
	cores  float64
}

type throttling struct{ periods, throttled, ns float64 }

// watchProcess begins to look at the program whose process group is pid.
func watchProcess(pid int) *watcher {
	w := &watcher{pid: pid, threads: make(map[string]threadUse), stop: make(chan struct{}), stopped: make(chan struct{})}
	w.limits = limitsOf(pid)
	go func() {
		defer close(w.stopped)
		tick := time.NewTicker(between)
		defer tick.Stop()
		for {
			w.look()
			select {
			case <-w.stop:
				return
			case <-tick.C:
			}
		}
	}()
	return w
}

// end stops looking and returns what was seen; nil for nothing.
func (w *watcher) end() *model.ProcessUse {
	close(w.stop)
	<-w.stopped
	if w.use.Samples == 0 {
		return nil
	}
	for _, t := range w.threads {
		w.use.Voluntary += t.voluntary
		w.use.Involuntary += t.involuntary
		w.use.RunNs += t.run
		w.use.WaitNs += t.wait
	}
	for _, g := range w.limits {
		now := readThrottling(g.stat)
		if throttled := now.throttled - g.before.throttled; w.use.Periods == 0 || throttled > w.use.Throttled {
			w.use.Periods, w.use.Throttled = now.periods-g.before.periods, throttled
			w.use.ThrottledNs, w.use.Cores = now.ns-g.before.ns, g.cores
		}
	}
	return &w.use
}

func (w *watcher) look() {
	members := gocmd.Members(w.pid)
	rss, threads := 0.0, 0
	for _, pid := range members {
		rss += residentBytes(pid)
		tasks, _ := filepath.Glob("/proc/" + strconv.Itoa(pid) + "/task/*")
		threads += len(tasks)
		for _, dir := range tasks {
			if t, ok := readThread(dir); ok {
				w.threads[dir] = t
			}
		}
	}
	if rss == 0 { // it has not begun, or has ended
		return
	}
	u := &w.use
	u.Samples++
	u.Processes, u.Threads = max(u.Processes, len(members)), max(u.Threads, threads)
	u.LastRSS, u.PeakRSS = rss, max(u.PeakRSS, rss)
}

// residentBytes reads the second figure of /proc/PID/statm, which is pages.
func residentBytes(pid int) float64 {
	data, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/statm")
	f := strings.Fields(string(data))
	if err != nil || len(f) < 2 {
		return 0
	}
	n, _ := strconv.ParseFloat(f[1], 64)
	return n * float64(os.Getpagesize())
}

func readThread(dir string) (threadUse, bool) {
	status, err := os.ReadFile(filepath.Join(dir, "status"))
	if err != nil {
		return threadUse{}, false
	}
	t := threadUse{voluntary: field(status, "voluntary_ctxt_switches:"), involuntary: field(status, "nonvoluntary_ctxt_switches:")}
	if sched, err := os.ReadFile(filepath.Join(dir, "schedstat")); err == nil { // not all kernels have it
		if f := strings.Fields(string(sched)); len(f) >= 2 {
			t.run, _ = strconv.ParseFloat(f[0], 64)
			t.wait, _ = strconv.ParseFloat(f[1], 64)
		}
	}
	return t, true
}

// field returns the figure of the line that begins with name; 0 for none.
func field(text []byte, name string) float64 {
	for line := range bytes.Lines(text) {
		if rest, ok := bytes.CutPrefix(line, []byte(name)); ok {
			x, _ := strconv.ParseFloat(strings.TrimSpace(string(rest)), 64)
			if math.IsNaN(x) || math.IsInf(x, 0) {
				return 0
			}
			return x
		}
	}
	return 0
}

// limitsOf returns the control groups of a process that limit its CPU time:
// its own and those around it, of either version of the hierarchy.
func limitsOf(pid int) []*limitGroup {
	data, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/cgroup")
	if err != nil {
		return nil
	}
	var out []*limitGroup
	for line := range strings.Lines(string(data)) {
		f := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(f) < 3 {
			continue
		}
		var root string
		switch {
		case f[0] == "0" && f[1] == "":
			root = "/sys/fs/cgroup"
		case f[1] == "cpu" || strings.HasPrefix(f[1], "cpu,") || strings.HasSuffix(f[1], ",cpu"):
			root = "/sys/fs/cgroup/" + f[1]
		default:
			continue
		}
		for path := filepath.Clean("/" + f[2]); ; path = filepath.Dir(path) {
			if cores := coresOf(filepath.Join(root, path)); cores > 0 {
				g := &limitGroup{stat: filepath.Join(root, path, "cpu.stat"), cores: cores}
				g.before = readThrottling(g.stat)
				out = append(out, g)
			}
			if path == "/" {
				break
			}
		}
	}
	return out
}

// coresOf returns how many cores a control group allows; 0 for no limit.
func coresOf(dir string) float64 {
	if data, err := os.ReadFile(filepath.Join(dir, "cpu.max")); err == nil {
		f := strings.Fields(string(data))
		if len(f) != 2 {
			return 0
		}
		return ratio(f[0], f[1])
	}
	quota, err := os.ReadFile(filepath.Join(dir, "cpu.cfs_quota_us"))
	if err != nil {
		return 0
	}
	period, err := os.ReadFile(filepath.Join(dir, "cpu.cfs_period_us"))
	if err != nil {
		return 0
	}
	return ratio(strings.TrimSpace(string(quota)), strings.TrimSpace(string(period)))
}

// ratio divides two figures; 0 where one of them is none, or not above zero.
func ratio(a, b string) float64 {
	x, err := strconv.ParseInt(a, 10, 64)
	y, err2 := strconv.ParseInt(b, 10, 64)
	if err != nil || err2 != nil || x <= 0 || y <= 0 {
		return 0
	}
	return float64(x) / float64(y)
}

func readThrottling(name string) throttling {
	data, err := os.ReadFile(name)
	if err != nil {
		return throttling{}
	}
	t := throttling{periods: field(data, "nr_periods "), throttled: field(data, "nr_throttled "), ns: field(data, "throttled_time ")}
	if us := field(data, "throttled_usec "); us > 0 {
		t.ns = us * 1e3
	}
	return t
}
