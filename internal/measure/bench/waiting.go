package bench

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// waitStep is how often a process without hooks is looked at. What its threads
// waited after the last look is not seen.
const waitStep = 5 * time.Millisecond

// A waiting notes for how long each thread of a process was ready to run and
// kept from running, seen from outside. Hooks read the same figures in the
// process, and only around the timed region; here start and set-up are in it.
type waiting struct {
	stop, done chan struct{}
	delays     map[string]time.Duration // by thread; threads may end
}

// watch begins to look at a process. The goroutine ends with longest, which the
// caller owes.
func watch(pid int) *waiting {
	w := &waiting{stop: make(chan struct{}), done: make(chan struct{}), delays: make(map[string]time.Duration)}
	tasks := filepath.Join("/proc", strconv.Itoa(pid), "task")
	go func() {
		defer close(w.done)
		tick := time.NewTicker(waitStep)
		defer tick.Stop()
		for {
			select {
			case <-w.stop:
				return
			case <-tick.C:
				w.look(tasks)
			}
		}
	}()
	return w
}

// look notes the delay of each thread. Where the system does not tell there is
// none: only Linux does.
func (w *waiting) look(tasks string) {
	threads, err := os.ReadDir(tasks)
	if err != nil {
		return
	}
	for _, t := range threads {
		data, err := os.ReadFile(filepath.Join(tasks, t.Name(), "schedstat"))
		if err != nil {
			continue
		}
		if d, ok := runDelay(string(data)); ok {
			w.delays[t.Name()] = max(d, w.delays[t.Name()])
		}
	}
}

// runDelay reads a thread's schedstat: time on a processor, time ready and
// waiting for one, both in ns, and the number of its time slices.
func runDelay(stat string) (time.Duration, bool) {
	f := strings.Fields(stat)
	if len(f) != 3 {
		return 0, false
	}
	ns, err := strconv.ParseInt(f[1], 10, 64)
	return time.Duration(ns), err == nil && ns >= 0
}

// longest ends the looking and returns the delay of the thread that was kept from
// running for longest: probes have one processor, and so one thread that runs the
// benchmark. The sum of all would hide that a benchmark sleeps, since the runtime's
// other threads wait at the same time. It is 0 of a nil waiting.
func (w *waiting) longest() time.Duration {
	if w == nil {
		return 0
	}
	close(w.stop)
	<-w.done
	var longest time.Duration
	for _, d := range w.delays {
		longest = max(longest, d)
	}
	return longest
}
