package gocmd

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/pawl-dev/pawl/internal/model"
)

// A Sandbox is where processes run that nobody vouches for. It holds cells, one
// for each process that runs at the same time, and lends them out in turn: a
// cell is expensive to make, and a process in one starts as fast as outside.
type Sandbox struct {
	config  SandboxConfig
	whole   bool
	none    bool // nothing is confined
	warning []model.Warning

	mu     sync.Mutex
	idle   []*cell
	closed bool
	hidden []string
	known  sync.Map // of entries of environments: whether they go in
}

// cellDelay is how long a cell may take to end after its socket was closed.
const cellDelay = 5 * time.Second

// OpenSandbox finds out what the system allows and prepares a first cell. The
// error is a *NoSandboxError where that is not a whole sandbox and the
// configuration does not accept less. The Sandbox is the caller's to close,
// after the last process has ended.
func OpenSandbox(ctx context.Context, c SandboxConfig) (*Sandbox, error) {
	if len(c.Self) == 0 {
		c.Self = []string{os.Args[0], cellArg}
	}
	c.Limits = c.Limits.orDefault(totalMemory())
	s := &Sandbox{config: c, whole: true, hidden: hiding(c)}
	var first *cell
	err := errors.New("no namespaces are wanted")
	if !c.partly {
		first, err = s.open(ctx)
	}
	if err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if errors.Is(err, errPrivate) {
			return nil, err // no sandbox would do without
		}
		none := &NoSandboxError{Why: err.Error(), Try: advice()}
		if !c.Partial {
			return nil, none
		}
		s.whole = false
		if first, err = s.open(ctx); err != nil {
			s.none, s.warning = true, []model.Warning{none.without()}
			return s, nil
		}
		s.warning = []model.Warning{none.partly()}
	}
	s.idle = append(s.idle, first)
	return s, nil
}

// partly is the warning of a run under landlock.
func (e *NoSandboxError) partly() model.Warning {
	return model.Warning{
		Seen:  "the sandbox of tests and benchmarks is partial: only the work copy can be written, your home directory and your tree cannot be read, and memory, processes and time are limited, but modes and times of your files can be changed, the network is open, other processes can be seen, and sockets in the file system can be connected to",
		Cause: e.Why,
		Try:   e.Try,
	}
}

// advice says what forbids user namespaces here, and what would allow them.
func advice() string {
	is := func(name, value string) bool {
		data, err := os.ReadFile("/proc/sys/" + name)
		return err == nil && strings.TrimSpace(string(data)) == value
	}
	switch {
	case is("kernel/apparmor_restrict_unprivileged_userns", "1"):
		return "allow user namespaces: an AppArmor profile for pawl with “userns,”, or sudo sysctl kernel.apparmor_restrict_unprivileged_userns=0"
	case is("kernel/unprivileged_userns_clone", "0"):
		return "allow user namespaces: sudo sysctl kernel.unprivileged_userns_clone=1"
	case is("user/max_user_namespaces", "0"):
		return "allow user namespaces: sudo sysctl user.max_user_namespaces=10000"
	}
	return "in a container, allow user namespaces and mounts (podman run --security-opt unmask=ALL; docker run --security-opt seccomp=unconfined --security-opt systempaths=unconfined), or let the container be the sandbox; Linux 5.12 or newer is needed"
}

// Warnings says what the sandbox does not do; nothing of a whole one.
func (s *Sandbox) Warnings() []model.Warning { return s.warning }

// confines reports whether processes are to be started by the sandbox.
func (s *Sandbox) confines() bool { return s != nil && !s.none }

// Hide is Show's opposite, for what lies in a directory that is shown.
func (s *Sandbox) Hide(names ...string) {
	if !s.confines() {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, name := range names {
		if !slices.Contains(s.hidden, name) {
			s.hidden = append(s.hidden, name)
		}
	}
	sortOut(s.hidden)
}

// Show makes files and directories readable that lie in a hidden place, for the
// processes that are started from now on.
func (s *Sandbox) Show(names ...string) {
	if !s.confines() {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	had := len(s.config.Readable)
	for _, name := range names {
		if !slices.Contains(s.config.Readable, name) {
			s.config.Readable = append(s.config.Readable, name)
		}
	}
	if len(s.config.Readable) == had {
		return
	}
	for _, c := range s.idle { // they do not see it
		_ = c.close()
	}
	s.idle = nil
}

// outputs returns where the outboxes of tests are; "" where it does not matter.
func (m *Meter) outputs() string {
	if !m.sandbox.confines() {
		return ""
	}
	return m.sandbox.config.Output
}

// Close ends all cells and removes their directories.
func (s *Sandbox) Close() error {
	s.mu.Lock()
	cells := s.idle
	s.idle, s.closed = nil, true
	s.mu.Unlock()
	var errs []error
	for _, c := range cells {
		errs = append(errs, c.close())
	}
	return errors.Join(errs...)
}

func (s *Sandbox) take(ctx context.Context) (*cell, error) {
	s.mu.Lock()
	if n := len(s.idle); n > 0 {
		c := s.idle[n-1]
		s.idle = s.idle[:n-1]
		s.mu.Unlock()
		return c, nil
	}
	s.mu.Unlock()
	return s.open(ctx)
}

func (s *Sandbox) give(c *cell) {
	s.mu.Lock()
	closed := s.closed
	if !closed {
		s.idle = append(s.idle, c)
	}
	s.mu.Unlock()
	if closed {
		_ = c.close()
	}
}

// A cell is a copy of this program, inside namespaces or a landlock domain,
// that starts one process after the other on request. It ends when its socket
// does, and so when pawl is killed, and takes all that runs in it with it.
type cell struct {
	cmd     *exec.Cmd
	wire    *wire
	whole   bool
	private *Scratch      // its directory
	ended   chan struct{} // closed when the process has been waited for
	spent   time.Duration // CPU time that was reported so far
	said    *tailBuffer   // to be read when ended is closed
}

func (s *Sandbox) open(ctx context.Context) (*cell, error) {
	temp := tempOf(s.config.Env)
	private, err := NewScratch(temp, "sandbox")
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errPrivate, err)
	}
	c, err := s.launch(private)
	if err != nil {
		_ = private.Remove()
		return nil, err
	}
	stop := context.AfterFunc(ctx, c.kill)
	var r reply
	err = c.wire.send(s.setup(private.Dir, temp))
	if err == nil {
		_, err = c.wire.receive(&r)
	}
	if r.Err != "" {
		err = errors.New(r.Err)
	}
	if !stop() && err == nil {
		err = ctx.Err()
	}
	if err != nil {
		c.kill()
		_ = c.close()
		if said := strings.TrimSpace(string(c.said.bytes())); said != "" && r.Err == "" {
			err = fmt.Errorf("%w: %s", err, said)
		}
		return nil, err
	}
	return c, nil
}

// setup says what the cell is to be.
func (s *Sandbox) setup(private, temp string) setup {
	u := setup{Whole: s.whole, Private: private, Temps: []string{temp, "/tmp"}, Hidden: s.hidden, Limits: s.config.Limits}
	u.Writable = slices.DeleteFunc(append(slices.Clone(s.config.Writable), s.config.Output, s.config.Cache), func(dir string) bool { return dir == "" })
	if home := homeOf(s.config.Env); home != "/" {
		u.Home = home
	}
	u.Readable = append(slices.Clone(s.config.Readable), "/run/current-system") // all programs of NixOS
	for _, key := range []string{"PATH", "GOROOT", "GOMODCACHE"} {
		for _, dir := range filepath.SplitList(Getenv(s.config.Env, key)) {
			if filepath.IsAbs(dir) {
				u.Readable = append(u.Readable, dir)
			}
		}
	}
	arch := Getenv(s.config.Env, "GOARCH")
	u.Foreign = arch != "" && arch != runtime.GOARCH
	return u
}

// homeOf returns the home directory that an environment names, without links; ""
// for none.
func homeOf(env []string) string {
	real, err := filepath.EvalSymlinks(Getenv(env, "HOME"))
	if err != nil || !filepath.IsAbs(real) {
		return ""
	}
	return real
}

// launch starts the process of a cell.
func (s *Sandbox) launch(home *Scratch) (*cell, error) {
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, fmt.Errorf("making a socket: %w", err)
	}
	theirs := os.NewFile(uintptr(pair[1]), "cell")
	defer theirs.Close()
	w, err := newWire(os.NewFile(uintptr(pair[0]), "pawl"))
	if err != nil {
		return nil, err
	}
	// The link is read by the new process, so it is this very program, also
	// when its file has been replaced.
	cmd := exec.Command("/proc/self/exe")
	cmd.Args, cmd.Dir, cmd.Env, cmd.ExtraFiles = s.config.Self, "/", []string{"PATH=/usr/bin:/bin"}, []*os.File{theirs}
	c := &cell{cmd: cmd, wire: w, whole: s.whole, private: home, ended: make(chan struct{}), said: &tailBuffer{limit: 1 << 14}}
	cmd.Stderr = c.said
	// A session of its own has no terminal: nothing in it can type into the
	// user's.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if s.whole {
		namespaces(cmd.SysProcAttr)
	} else if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil {
		return nil, fmt.Errorf("becoming the parent of orphans: %w", err)
	}
	err = ours.born(func() (int, error) {
		if err := cmd.Start(); err != nil {
			return 0, err
		}
		return cmd.Process.Pid, nil
	})
	if err != nil {
		_ = w.conn.Close()
		return nil, err
	}
	go func() { // ends with the process, which ends with the socket
		defer close(c.ended)
		_ = cmd.Wait()
		ours.gone(cmd.Process.Pid)
		if !c.whole { // where somebody in it has ended it, which landlock cannot prevent
			f := family{group: cmd.Process.Pid}
			f.sweep(ours.alive.Load() == 0)
		}
	}()
	return c, nil
}

// namespaces makes the process the first one of a world of its own. Users keep
// their number, as tests ask for it; so the process would lose the rights over
// its namespaces with exec, were they not ambient.
func namespaces(a *syscall.SysProcAttr) {
	a.Cloneflags = unix.CLONE_NEWUSER | unix.CLONE_NEWNS | unix.CLONE_NEWPID | unix.CLONE_NEWNET | unix.CLONE_NEWIPC
	a.UidMappings = []syscall.SysProcIDMap{{ContainerID: os.Geteuid(), HostID: os.Geteuid(), Size: 1}}
	a.GidMappings = []syscall.SysProcIDMap{{ContainerID: os.Getegid(), HostID: os.Getegid(), Size: 1}}
	a.AmbientCaps = []uintptr{unix.CAP_SYS_ADMIN, unix.CAP_NET_ADMIN, unix.CAP_SETPCAP}
}

// kill ends the cell with all that is in it: at once by the kernel, where that
// is a PID namespace; else by its own last deed.
func (c *cell) kill() {
	if c.whole {
		_ = c.cmd.Process.Kill()
		return
	}
	_ = c.wire.conn.Close()
}

func (c *cell) close() error {
	_ = c.wire.conn.Close()
	select {
	case <-c.ended:
	case <-time.After(cellDelay):
		_ = c.cmd.Process.Kill()
		<-c.ended
	}
	insideCPU.Add(-int64(c.spent)) // from now on the kernel counts it
	return c.private.Remove()
}

// errPrivate is wrapped where a directory cannot be made: that is not for want of
// a sandbox.
var errPrivate = errors.New("preparing the sandbox")

// insideCPU is the CPU time, in ns, of processes that have ended in cells that
// have not. The kernel's own count, to which this belongs, is one per program
// too.
var insideCPU atomic.Int64

func cpuInside() time.Duration { return time.Duration(insideCPU.Load()) }

func totalMemory() int64 {
	var info unix.Sysinfo_t
	if err := unix.Sysinfo(&info); err != nil {
		return 8 << 30
	}
	return int64(uint64(info.Totalram) * uint64(info.Unit))
}
