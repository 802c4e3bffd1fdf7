package gocmd

import (
	"errors"
	"fmt"
	"math"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// lookEvery is how often a cell looks at what its processes use.
const lookEvery = 250 * time.Millisecond

// An inmate is the inside of a cell.
type inmate struct {
	wire  *wire
	setup setup
	floor int // a descriptor of the directory that Private is in, from before it was hidden

	mu      sync.Mutex
	running int // the number of the process; 0 between two
	why     string
}

// RunCell makes this process a cell: it confines itself, starts what it is
// asked to, and ends the program when its socket is closed. It is to be called
// before anything else, when IsCell says so, and does not return.
func RunCell() {
	// What the children inherit is what the thread has that forks them: its
	// rights, its landlock domain, its cores.
	runtime.LockOSThread()
	// The first process of a PID namespace gets no signal that it does not
	// handle. These are handled by nobody, and so that the children have the
	// defaults: what is ignored stays so over exec.
	signal.Notify(make(chan os.Signal, 1))
	w, err := newWire(os.NewFile(3, "pawl"))
	if err != nil {
		fmt.Fprintln(os.Stderr, "this is the inside of pawl's sandbox, which pawl starts by itself")
		os.Exit(2)
	}
	SealDescriptors() // what pawl's own parent left open is nobody's business
	in := &inmate{wire: w, floor: -1}
	if _, err := w.receive(&in.setup); err != nil {
		os.Exit(2)
	}
	var r reply
	if err := in.confine(); err != nil {
		r.Err = err.Error()
	}
	if w.send(r) != nil || r.Err != "" {
		in.leave()
	}
	in.serve()
}

// SealDescriptors keeps the descriptors that this process was started with,
// beside the first three, from the processes that it starts: an editor, a CI
// runner or a shell may have left the door to a directory open.
func SealDescriptors() {
	if unix.CloseRange(3, math.MaxInt32, unix.CLOSE_RANGE_CLOEXEC) == nil {
		return
	}
	entries, _ := os.ReadDir("/proc/self/fd") // a kernel before 5.11
	for _, e := range entries {
		if fd, err := strconv.Atoi(e.Name()); err == nil && fd > 2 {
			unix.CloseOnExec(fd)
		}
	}
}

// confine makes this thread, and what it will start, what the setup asks for.
func (in *inmate) confine() error {
	for _, dir := range []string{"home", "tmp", "vartmp"} {
		if err := os.Mkdir(filepath.Join(in.setup.Private, dir), 0o700); err != nil {
			return fmt.Errorf("making a private directory: %w", err)
		}
	}
	_ = os.WriteFile("/proc/self/oom_score_adj", []byte("500"), 0) // where memory ends, these go first
	if in.setup.Whole {
		if err := in.mounts(); err != nil {
			return err
		}
		if err := loopback(); err != nil {
			return err
		}
	} else if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("becoming the parent of orphans: %w", err)
	}
	in.limit()
	if err := disarm(); err != nil {
		return err
	}
	if !in.setup.Whole {
		if err := in.landlock(); err != nil {
			return err
		}
	}
	// The keys of the user's session are for the kernel to hand out, whatever
	// the namespaces. Where there are no keyrings there is nothing to leave.
	_, _, _ = unix.Syscall(unix.SYS_KEYCTL, unix.KEYCTL_JOIN_SESSION_KEYRING, 0, 0)
	if in.setup.Foreign {
		return nil // the numbers of system calls are others there
	}
	return filterCalls(in.setup.Whole)
}

func loopback() error {
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return fmt.Errorf("switching on the loopback network: %w", err)
	}
	defer unix.Close(fd)
	lo, err := unix.NewIfreq("lo")
	if err == nil {
		lo.SetUint16(unix.IFF_UP | unix.IFF_RUNNING)
		err = unix.IoctlIfreq(fd, unix.SIOCSIFFLAGS, lo)
	}
	if err != nil {
		return fmt.Errorf("switching on the loopback network: %w", err)
	}
	return nil
}

// limit sets the limits that the kernel keeps. One on address space is none of
// them, as the race detector reserves terabytes; nor is one on CPU time: with
// RLIMIT_CPU the kernel adds up the time of a process in clock ticks, and its CPU
// clock, by which benchmarks are judged, then stands still between them.
func (in *inmate) limit() {
	l := in.setup.Limits
	lower(unix.RLIMIT_FSIZE, uint64(l.File), uint64(l.File))
	lower(unix.RLIMIT_NOFILE, uint64(l.Files), uint64(l.Files))
	lower(unix.RLIMIT_CORE, 0, 0)
	if in.setup.Whole { // counted per user namespace; elsewhere it would count all that the user runs
		lower(unix.RLIMIT_NPROC, uint64(l.Threads), uint64(l.Threads))
	}
}

// lower sets a limit where it is not lower already.
func lower(resource int, soft, hard uint64) {
	var old unix.Rlimit
	if unix.Getrlimit(resource, &old) != nil {
		return
	}
	now := unix.Rlimit{Cur: min(old.Cur, soft), Max: min(old.Max, hard)}
	_ = unix.Setrlimit(resource, &now) // lowering is always allowed
}

// disarm takes all rights from this thread, and from what it starts the
// possibility to get any. The other threads keep theirs, so the process is made
// one that nobody can attach to.
func disarm() error {
	if err := unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0); err != nil {
		return fmt.Errorf("closing the sandbox to debuggers: %w", err)
	}
	_ = unix.Prctl(unix.PR_CAP_AMBIENT, unix.PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0)
	for c := uintptr(0); c < 64; c++ {
		err := unix.Prctl(unix.PR_CAPBSET_DROP, c, 0, 0, 0)
		if errors.Is(err, unix.EINVAL) {
			break // the kernel knows no more of them
		}
		if err != nil && c == 0 && !errors.Is(err, unix.EPERM) {
			return fmt.Errorf("giving up privileges: %w", err)
		}
	}
	head := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var none [2]unix.CapUserData
	if err := unix.Capset(&head, &none[0]); err != nil {
		return fmt.Errorf("giving up privileges: %w", err)
	}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("giving up privileges: %w", err)
	}
	return nil
}

// serve starts one process after the other. Reading goes on while one runs: the
// end of the socket is the end of all.
func (in *inmate) serve() {
	type asked struct {
		req request
		fds []int
	}
	requests := make(chan asked)
	go func() { // ends with the program
		for {
			var a asked
			var err error
			if a.fds, err = in.wire.receive(&a.req); err != nil {
				in.leave()
			}
			requests <- a
		}
	}()
	for a := range requests {
		pid, fd, err := spawn(a.req, a.fds)
		for _, f := range a.fds {
			_ = unix.Close(f)
		}
		if err != nil {
			in.refuse(err)
			continue
		}
		in.note(pid)
		err = in.wire.send(reply{}, fd)
		_ = unix.Close(fd)
		if err != nil {
			in.leave()
		}
		if err := in.wire.send(in.finish(pid)); err != nil {
			in.leave()
		}
	}
}

func (in *inmate) refuse(err error) {
	r := reply{Err: err.Error()}
	var errno syscall.Errno
	if errors.As(err, &errno) {
		r.Err, r.Errno = "fork/exec", int(errno)
	}
	if in.wire.send(r) != nil {
		in.leave()
	}
}

// spawn starts a process: with stdout, stderr and what follows in fds, on the
// cores that it asks for.
func spawn(req request, fds []int) (pid, pidfd int, err error) {
	if len(fds) < 2 {
		return 0, 0, errors.New("no descriptors for its output")
	}
	null, err := unix.Open("/dev/null", unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return 0, 0, err
	}
	defer unix.Close(null)
	files := []uintptr{uintptr(null)}
	for _, fd := range fds {
		files = append(files, uintptr(fd))
	}
	start := func() error {
		pidfd = -1
		pid, err = syscall.ForkExec(req.Path, req.Argv, &syscall.ProcAttr{
			Dir: req.Dir, Env: req.Env, Files: files, Sys: &syscall.SysProcAttr{Setpgid: true, PidFD: &pidfd},
		})
		return err
	}
	return pid, pidfd, onCores(req.Cores, start)
}

func (in *inmate) note(pid int) {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.running, in.why = pid, ""
}

// finish waits for the process, ends what it left, and says how it was.
func (in *inmate) finish(pid int) reply {
	done := make(chan struct{})
	var watching sync.WaitGroup
	watching.Go(func() { in.watch(done) })
	var r reply
	for {
		var status unix.WaitStatus
		var use unix.Rusage
		got, err := unix.Wait4(-1, &status, 0, &use)
		if errors.Is(err, unix.EINTR) {
			continue
		}
		if err != nil {
			r.Err = "waiting: " + err.Error()
			break
		}
		if got == pid {
			r.Status, r.CPU = uint32(status), use.Utime.Nano()+use.Stime.Nano()
			break
		}
	}
	close(done)
	watching.Wait()
	in.endAll()
	in.mu.Lock()
	defer in.mu.Unlock()
	r.Why, in.running = in.why, 0
	return r
}

// endAll kills all that runs in this cell and waits for it. In a PID namespace
// that is certain: nothing is in it that the kernel does not reach with one
// call, and nothing can be started by what has been killed.
func (in *inmate) endAll() {
	for round := range familyRounds {
		if in.setup.Whole {
			_ = unix.Kill(-1, unix.SIGKILL)
		} else {
			for _, k := range descendants(everyone(), []kin{{pid: os.Getpid()}}) {
				if !k.zombie {
					killTree(k)
				}
			}
		}
		for {
			got, err := unix.Wait4(-1, nil, unix.WNOHANG, nil)
			if errors.Is(err, unix.ECHILD) {
				return
			}
			if err != nil || got == 0 {
				break
			}
		}
		time.Sleep(min(time.Duration(round), 10) * 100 * time.Microsecond)
	}
}

// watch ends the process when it and what it started use more than they may.
func (in *inmate) watch(done <-chan struct{}) {
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	for {
		select {
		case <-done:
			return
		case <-tick.C:
			if why := in.excess(); why != "" {
				in.mu.Lock()
				in.why = why
				pid := in.running
				in.mu.Unlock()
				if in.setup.Whole {
					_ = unix.Kill(-1, unix.SIGKILL)
				} else if k, err := readKin(pid); err == nil {
					killTree(k)
				}
			}
		}
	}
}

// excess says which limit is passed.
func (in *inmate) excess() string {
	l := in.setup.Limits
	all := everyone()
	if !in.setup.Whole {
		all = descendants(all, []kin{{pid: os.Getpid()}})
	}
	var longest time.Duration
	var pids []int
	for _, k := range all {
		if k.pid != os.Getpid() {
			pids = append(pids, k.pid)
			longest = max(longest, k.cpu)
		}
	}
	memory := in.memory(pids)
	switch {
	case longest > l.CPU:
		return fmt.Sprintf("%v of CPU time, and the limit is %v", longest, l.CPU)
	case memory > l.Memory:
		return fmt.Sprintf("%d MiB of memory, and the limit is %d MiB", memory>>20, l.Memory>>20)
	case len(all) > l.Processes:
		return fmt.Sprintf("%d processes, and the limit is %d", len(all), l.Processes)
	}
	return ""
}

// leave ends the cell: all that runs in it, and then its directory.
func (in *inmate) leave() {
	for range familyRounds {
		alive := descendants(everyone(), []kin{{pid: os.Getpid()}})
		alive = slices.DeleteFunc(alive, func(k kin) bool { return k.zombie })
		if len(alive) == 0 {
			break
		}
		for _, k := range alive {
			killTree(k)
		}
		time.Sleep(time.Millisecond)
	}
	in.sweep()
	os.Exit(0)
}

// sweep removes the private directory, as far as that can be done from inside: the
// way to it is hidden, so that it goes by a descriptor from before, and what has
// something on top stays, an empty file or directory. Pawl removes the rest, or the
// next pawl does.
func (in *inmate) sweep() {
	if in.setup.Private == "" {
		return
	}
	if in.floor < 0 {
		_ = RemoveAll(in.setup.Private)
		return
	}
	if unix.Fchdir(in.floor) == nil {
		_ = RemoveAll(filepath.Base(in.setup.Private))
	}
}
