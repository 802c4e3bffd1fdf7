package gocmd

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"time"
)

// A Proc is a process to be run.
type Proc struct {
	Path  string
	Args  []string // without the name of the program
	Dir   string
	Env   []string   // the whole environment
	Extra []*os.File // descriptors 3, 4, …; they stay the caller's to close
	CPU   int        // the core to run on; NoCPU leaves the choice to the system
	Among []int      // where CPU is NoCPU, the cores to run on; none leaves the choice to the system
	Last  bool       // the processor is for others first, where the system can tell (Unix)
	// Tied ends the process, where the system can (Linux), when the thread that
	// starts it ends, and so when pawl is killed. The caller keeps that thread:
	// it calls Start and Wait in one goroutine that is locked to its thread.
	Tied  bool
	Kind  Kind
	Limit int // bytes of stdout and of stderr that are kept; 0 means 64 MiB
	// Stdin is what the process reads; nil is nothing. Where Stdout and Stderr are
	// set, what it writes goes there instead of being kept. A sandbox has neither.
	Stdin          *os.File
	Stdout, Stderr io.Writer

	trusted bool // it runs no code of the module: the go command
	online  bool // and compiles none, and may have to download some: it runs outside
}

// cores returns the cores that the process may run on; none for all.
func (p Proc) cores() []int {
	if p.CPU != NoCPU {
		return []int{p.CPU}
	}
	return p.Among
}

// NoCPU, as Proc.CPU, leaves a process unpinned.
const NoCPU = -1

// killDelay is how long Wait goes on reading output after the process group
// has been killed.
const killDelay = 2 * time.Second

// An Exit is how a process ended.
type Exit struct {
	Code           int // -1 when a signal ended it
	Stdout, Stderr []byte
	CPU            time.Duration // user and system time, of children that were waited for too
	Wall           time.Duration
}

// A Running is a process that has been started.
type Running struct {
	cmd      *exec.Cmd // nil in a sandbox
	in       *stay     // nil outside
	path     string
	family   family
	ctx      context.Context
	out, err *tailBuffer
	kind     Kind
	meter    *Meter
	start    time.Time
}

// Start starts p, in the sandbox that is for it where there is one.
// When ctx ends, the process and all that it started are killed.
func (m *Meter) Start(ctx context.Context, p Proc) (*Running, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	limit := cmp.Or(p.Limit, 64<<20)
	r := &Running{ctx: ctx, path: p.Path, kind: p.Kind, meter: m, start: time.Now()}
	r.out, r.err = &tailBuffer{limit: limit}, &tailBuffer{limit: limit}
	if box := m.box(p); box != nil {
		if err := box.start(ctx, p, r); err != nil {
			return nil, fmt.Errorf("starting %s: %w", p.Path, err)
		}
		p.rank(r)
		return r, nil
	}
	cmd := exec.CommandContext(ctx, p.Path, p.Args...)
	cmd.Dir, cmd.Env, cmd.ExtraFiles = p.Dir, p.Env, p.Extra
	cmd.WaitDelay = killDelay
	cmd.Stdout, cmd.Stderr = r.out, r.err
	p.connect(cmd)
	r.cmd = cmd
	ownGroup(cmd)
	if p.Tied {
		tie(cmd)
	}
	var err error
	r.family, err = startFamily(func() (int, error) {
		if err := startOn(cmd, p.cores()); err != nil {
			return 0, err
		}
		return cmd.Process.Pid, nil
	})
	if err != nil {
		return nil, fmt.Errorf("starting %s: %w", p.Path, err)
	}
	p.rank(r)
	return r, nil
}

// rank lets others go first, where p is for last and its group is known.
func (p Proc) rank(r *Running) {
	if group := r.Pid(); p.Last && group > 0 {
		putLast(group)
	}
}

// connect gives a process the caller's own streams, where there are any.
func (p Proc) connect(cmd *exec.Cmd) {
	if p.Stdin != nil { // a nil *os.File is not a nil io.Reader
		cmd.Stdin = p.Stdin
	}
	if p.Stdout != nil {
		cmd.Stdout = p.Stdout
	}
	if p.Stderr != nil {
		cmd.Stderr = p.Stderr
	}
}

// Pid returns the number of the process, which is that of its group too.
func (r *Running) Pid() int {
	if r.in != nil {
		return r.in.pid()
	}
	return r.cmd.Process.Pid
}

// Terminate asks the process and all of its group to end, where the system has
// a way to ask; elsewhere it ends the process. It must not be called once Wait
// has returned.
func (r *Running) Terminate() {
	if r.in != nil {
		r.in.terminate()
		return
	}
	terminateGroup(r.cmd)
}

// Wait waits for the end of the process, and ends what it started and left
// behind. A process that ended by itself with any code is no error; one that
// was cancelled gives the context's error.
func (r *Running) Wait() (Exit, error) {
	if r.in != nil {
		return r.in.wait(r)
	}
	err := r.cmd.Wait()
	now := time.Now()
	r.meter.add(r.kind, r.start, now)
	killGroup(r.cmd) // children that outlive the process they belong to
	r.family.end()   // and those that left its group
	e := Exit{Stdout: r.out.bytes(), Stderr: r.err.bytes(), Wall: now.Sub(r.start), Code: -1}
	if st := r.cmd.ProcessState; st != nil {
		e.Code = st.ExitCode()
		e.CPU = st.UserTime() + st.SystemTime()
	}
	if cerr := r.ctx.Err(); cerr != nil {
		return e, cerr
	}
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) && !errors.Is(err, exec.ErrWaitDelay) {
		return e, fmt.Errorf("running %s: %w", r.cmd.Path, err)
	}
	return e, nil
}

func (m *Meter) Run(ctx context.Context, p Proc) (Exit, error) {
	r, err := m.Start(ctx, p)
	if err != nil {
		return Exit{Code: -1}, err
	}
	return r.Wait()
}

// A tailBuffer keeps the last limit bytes that are written to it: what a
// process says last is what explains how it ended.
type tailBuffer struct {
	limit int
	buf   bytes.Buffer
	cut   bool
}

func (t *tailBuffer) Write(p []byte) (int, error) {
	n := len(p)
	if t.buf.Len()+len(p) > 2*t.limit {
		keep := t.buf.Bytes()
		keep = bytes.Clone(keep[max(0, len(keep)-t.limit):])
		t.buf.Reset()
		t.buf.Write(keep)
		t.cut = true
		p = p[max(0, len(p)-t.limit):]
	}
	t.buf.Write(p)
	return n, nil
}

func (t *tailBuffer) bytes() []byte {
	b := t.buf.Bytes()
	if t.cut && len(b) > t.limit {
		b = b[len(b)-t.limit:]
	}
	return b
}
