package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"
)

// A neighbour is the load while it is on. It ends with this program, whatever
// ends that.
type neighbour struct {
	spec  string
	cmd   *exec.Cmd
	pipe  io.Closer
	ended chan struct{} // closed when it has ended
}

// startLoad starts the load that a spec names: "2x" is two workers, "none" and
// "" none. The caller stops it.
func startLoad(spec string, seed uint64) (*neighbour, error) {
	n := &neighbour{spec: spec}
	workers, err := parseLoad(spec)
	if err != nil || workers == 0 {
		return n, err
	}
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("starting the load: %w", err)
	}
	n.cmd = exec.Command(self, "load", "-with-parent", "-workers", strconv.Itoa(workers), "-seed", strconv.FormatUint(seed, 10))
	if n.pipe, err = n.cmd.StdinPipe(); err != nil {
		return nil, fmt.Errorf("starting the load: %w", err)
	}
	if err := n.cmd.Start(); err != nil {
		return nil, fmt.Errorf("starting the load: %w", err)
	}
	n.ended = make(chan struct{})
	go func() { // ends with the load
		_ = n.cmd.Wait()
		close(n.ended)
	}()
	return n, nil
}

// alive returns an error when the load has ended by itself: what is measured
// then is not under load.
func (n *neighbour) alive() error {
	select {
	case <-n.ended: // never, where there is no load
		return errors.New("the load has ended: somebody killed it")
	default:
		return nil
	}
}

func parseLoad(spec string) (workers int, err error) {
	if spec == "" || spec == "none" {
		return 0, nil
	}
	num, ok := strings.CutSuffix(spec, "x")
	workers, err = strconv.Atoi(num)
	if !ok || err != nil || workers < 1 || workers > 1000 {
		return 0, fmt.Errorf("%q is no load: say none, or 2x for two workers", spec)
	}
	return workers, nil
}

func (n *neighbour) stop() {
	if n.cmd == nil {
		return
	}
	_ = n.pipe.Close()
	_ = n.cmd.Process.Kill()
	<-n.ended
	n.cmd, n.ended = nil, nil
}

// Conditions are what the machine was like while one arm was measured. What
// the system does not tell is zero.
type Conditions struct {
	Load    float64 `json:"loadavg"`  // of the last minute, at the end
	Stalled float64 `json:"psi_some"` // share of the time in which something waited for a CPU
	Taken   float64 `json:"load_cpu"` // CPUs that the generated load used, on average
}

// A watch measures conditions from its start to its end.
type watch struct {
	n       *neighbour
	start   time.Time
	stalled float64
	taken   float64
}

func (n *neighbour) watch() watch {
	return watch{n: n, start: time.Now(), stalled: stalledSeconds(), taken: n.cpuSeconds()}
}

func (w watch) end() Conditions {
	wall := time.Since(w.start).Seconds()
	return Conditions{
		Load:    loadAverage(),
		Stalled: round((stalledSeconds()-w.stalled)/wall, 4),
		Taken:   round((w.n.cpuSeconds()-w.taken)/wall, 4),
	}
}

func loadAverage() float64 {
	data, _ := os.ReadFile("/proc/loadavg")
	first, _, _ := strings.Cut(string(data), " ")
	x, _ := strconv.ParseFloat(first, 64)
	return x
}

// stalledSeconds reads the pressure-stall total of the CPU.
func stalledSeconds() float64 {
	data, _ := os.ReadFile("/proc/pressure/cpu")
	for line := range strings.Lines(string(data)) {
		if _, total, ok := strings.Cut(line, "total="); ok && strings.HasPrefix(line, "some") {
			us, _ := strconv.ParseFloat(strings.TrimSpace(total), 64)
			return us / 1e6
		}
	}
	return 0
}

// ticks is the length of the kernel's clock tick as /proc shows it: a hundred
// per second on all systems that Go runs on.
const ticks = 100

// cpuSeconds returns what the load has used so far, with the processes that it
// started.
func (n *neighbour) cpuSeconds() float64 {
	if n.cmd == nil {
		return 0
	}
	data, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", n.cmd.Process.Pid))
	_, rest, ok := strings.Cut(string(data), ") ") // the name may hold blanks
	f := strings.Fields(rest)
	if !ok || len(f) < 15 {
		return 0
	}
	var sum float64
	for _, s := range f[11:15] { // utime, stime, cutime, cstime
		x, _ := strconv.ParseFloat(s, 64)
		sum += x
	}
	return sum / ticks
}
