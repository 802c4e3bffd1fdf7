package observe

import (
	"bytes"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/internal/host/cgroup"
	"github.com/pawl-dev/pawl/internal/host/gocmd"
	"github.com/pawl-dev/pawl/internal/model"
)

// between is the time between two looks at /proc.
const between = 100 * time.Millisecond

// A watcher looks at a program and what it has started, until it is told to
// stop. One goroutine owns it.
type watcher struct {
	pid     int
	use     model.ProcessUse
	threads map[string]threadUse // by directory: those that have ended count, too
	groups  []string             // the control groups that may limit its CPU time
	before  cgroup.Throttle
	stop    chan struct{}
	stopped chan struct{}
}

// A threadUse is what the system counts of a thread.
type threadUse struct{ voluntary, involuntary, run, wait float64 }

// machine is the root of the file system, which package cgroup reads.
func machine() fs.FS { return os.DirFS("/") }

// watchProcess begins to look at the program whose process group is pid.
func watchProcess(pid int) *watcher {
	w := &watcher{pid: pid, threads: make(map[string]threadUse), stop: make(chan struct{}), stopped: make(chan struct{})}
	w.groups = cgroup.Groups(machine(), strconv.Itoa(pid))
	w.before = cgroup.Throttling(machine(), w.groups)
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
	if cores, _, _ := cgroup.Quota(machine(), w.groups); cores > 0 {
		now := cgroup.Throttling(machine(), w.groups)
		w.use.Cores, w.use.Periods = cores, float64(now.Periods-w.before.Periods)
		w.use.Throttled, w.use.ThrottledNs = float64(now.Stopped-w.before.Stopped), float64(now.Time-w.before.Time)
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
