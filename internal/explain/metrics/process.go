package metrics

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"net"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/internal/host/cgroup"
	"github.com/pawl-dev/pawl/internal/host/fetch"
	"github.com/pawl-dev/pawl/internal/model"
)

// A process is the program's, on this machine.
type process struct {
	root fs.FS
	pid  string
}

// ticks are what the kernel counts CPU time and starts in: hundredths of a
// second, for programs, whatever it uses inside.
const ticks = 100

// process looks for the program on this machine, and reads what the system
// knows of it.
func (w *watch) process(targets []Target) error {
	p, err := w.find(targets)
	var wrong *fetch.Misuse
	if errors.As(err, &wrong) {
		return err
	}
	if err != nil {
		w.unknown = append(w.unknown, model.MetricGap{What: "CPU quota and throttling", Why: err.Error(), Try: "-pid, on the machine that it runs on; else nr_throttled in its cpu.stat"})
		return nil
	}
	w.proc = p
	w.all = append(w.all, &series{name: "process " + p.pid, readings: []*Reading{p.read(time.Now())}})
	return nil
}

// processAgain reads the process once more, where it is known and still there.
func (w *watch) processAgain() {
	if w.proc == nil {
		return
	}
	s := w.all[len(w.all)-1]
	if r := w.proc.read(time.Now()); len(r.Values) > 0 {
		s.readings = append(s.readings, r)
	}
}

// find returns the program's process: the one that is named, or the one that
// listens where it was asked.
func (w *watch) find(targets []Target) (*process, error) {
	root := w.o.Machine
	if w.o.PID != 0 {
		pid := strconv.Itoa(w.o.PID)
		if root == nil || cgroup.Text(root, path.Join("proc", pid, "stat")) == "" {
			return nil, fetch.Misused("-pid %s: there is no such process in /proc", pid)
		}
		return &process{root, pid}, nil
	}
	if root == nil {
		return nil, errors.New("not known from outside")
	}
	port, ok := loopback(targets[0].u)
	if !ok {
		return nil, errors.New("not known from outside: the program is not asked at a loopback address")
	}
	pid, err := listener(root, port)
	if err != nil {
		return nil, err
	}
	p := &process{root, pid}
	if why := p.other(w.all); why != "" {
		return nil, fmt.Errorf("process %s listens at port %d, but %s: it passes on to another", pid, port, why)
	}
	return p, nil
}

// loopback returns the port of a URL of this machine.
func loopback(u *url.URL) (port uint16, ok bool) {
	host := u.Hostname()
	if ip := net.ParseIP(host); host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return 0, false
	}
	text := cmp.Or(u.Port(), map[string]string{"http": "80", "https": "443"}[u.Scheme])
	n, err := strconv.ParseUint(text, 10, 16)
	return uint16(n), err == nil
}

// listener returns the one process that listens at a port of a loopback
// address.
func listener(root fs.FS, port uint16) (pid string, err error) {
	sockets := map[string]bool{}
	for _, name := range []string{"proc/net/tcp", "proc/net/tcp6"} {
		for line := range strings.Lines(cgroup.Text(root, name)) {
			if f := strings.Fields(line); len(f) > 9 && f[3] == "0A" && answers(f[1], port) {
				sockets["socket:["+f[9]+"]"] = true
			}
		}
	}
	if len(sockets) == 0 {
		return "", errors.New("not known from outside: nobody is seen to listen at that port here")
	}
	var found []string
	pids, _ := fs.Glob(root, "proc/[0-9]*")
	for _, dir := range pids {
		fds, _ := fs.ReadDir(root, path.Join(dir, "fd"))
		for _, fd := range fds {
			if to, err := fs.ReadLink(root, path.Join(dir, "fd", fd.Name())); err == nil && sockets[to] {
				found = append(found, path.Base(dir))
				break
			}
		}
	}
	switch len(found) {
	case 0:
		return "", errors.New("not known from outside: the process that listens is another user's")
	case 1:
		return found[0], nil
	}
	return "", fmt.Errorf("not known: the processes %s listen at that port", strings.Join(found, ", "))
}

// answers reports whether a socket of /proc/net/tcp is at a port that a
// loopback address reaches. Addresses are in hexadecimal, of four bytes or four
// times four, each in the machine's order.
func answers(local string, port uint16) bool {
	addr, hex, ok := strings.Cut(local, ":")
	if n, err := strconv.ParseUint(hex, 16, 16); !ok || err != nil || uint16(n) != port {
		return false
	}
	own := addr[max(0, len(addr)-8):]
	rest := strings.TrimSuffix(addr, own)
	switch {
	case strings.Trim(addr, "0") == "":
		return true // any address
	case strings.Trim(rest, "0") != "" && !strings.Contains(strings.ToUpper(rest), "FFFF"):
		return false
	case len(addr) > 8 && (own == "01000000" || own == "00000001"):
		return true // ::1
	}
	return strings.HasPrefix(own, "7F") || strings.HasSuffix(own, "7F")
}

// other says why a process is not the program that answered, or "".
func (p *process) other(all []*series) string {
	for _, s := range all {
		r := s.readings[0]
		if r.Command != "" {
			if own := strings.Trim(cgroup.Text(p.root, path.Join("proc", p.pid, "cmdline")), "\x00"); own != "" && own != strings.Trim(r.Command, "\x00") {
				return "the program says that its command is another"
			}
		}
		if at, ok := r.Values[started]; ok {
			if own, ok := p.started(); ok && math.Abs(own-at) > 2 {
				return "the program says that it was started at another time"
			}
		}
	}
	return ""
}

// started is when the process was, in seconds since 1970.
func (p *process) started() (float64, bool) {
	f := p.stat()
	if len(f) < 20 {
		return 0, false
	}
	after, err := strconv.ParseFloat(f[19], 64)
	if err != nil {
		return 0, false
	}
	for line := range strings.Lines(cgroup.Text(p.root, "proc/stat")) {
		if at, ok := strings.CutPrefix(line, "btime "); ok {
			boot, err := strconv.ParseFloat(strings.TrimSpace(at), 64)
			return boot + after/ticks, err == nil
		}
	}
	return 0, false
}

// stat returns the fields of /proc/PID/stat behind the name, which may hold
// blanks: the state is the first.
func (p *process) stat() []string {
	s := cgroup.Text(p.root, path.Join("proc", p.pid, "stat"))
	return strings.Fields(s[strings.LastIndexByte(s, ')')+1:])
}

// read returns what the system says about the process now.
func (p *process) read(at time.Time) *Reading {
	r := newReading("process")
	r.At = at
	for line := range strings.Lines(cgroup.Text(p.root, path.Join("proc", p.pid, "status"))) {
		f := strings.Fields(line)
		if len(f) < 2 {
			continue
		}
		n, err := strconv.ParseFloat(f[1], 64)
		switch {
		case err != nil:
		case f[0] == "VmRSS:":
			r.put(residentSet, n*1024)
		case f[0] == "Threads:":
			r.put(threads, n)
		}
	}
	if f := p.stat(); len(f) > 12 {
		user, err1 := strconv.ParseFloat(f[11], 64)
		system, err2 := strconv.ParseFloat(f[12], 64)
		if err1 == nil && err2 == nil {
			r.put(processCPU, (user+system)/ticks)
		}
	}
	if dirs := cgroup.Groups(p.root, p.pid); len(dirs) > 0 && slices.ContainsFunc(dirs, func(d string) bool { return cgroup.Text(p.root, path.Join(d, "cpu.stat")) != "" }) {
		cpus, _, _ := cgroup.Quota(p.root, dirs)
		t := cgroup.Throttling(p.root, dirs)
		r.put(quotaCPUs, cpus)
		r.put(periods, float64(t.Periods))
		r.put(stopped, float64(t.Stopped))
	}
	return r
}
