package gocmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/pawl-dev/pawl/internal/host/scrub"
)

// letIn is the variable in which users name further variables, with commas
// between, that processes in a sandbox get.
const letIn = "PAWL_SANDBOX_ENV"

// A stay is a process in a cell.
type stay struct {
	box    *Sandbox
	cell   *cell
	number int // as seen from outside
	copies sync.WaitGroup
	stop   func() bool
}

// start starts p in a cell.
func (s *Sandbox) start(ctx context.Context, p Proc, r *Running) error {
	found := exec.Command(p.Path, p.Args...) // looks the name up, and makes one of variables that are set twice
	found.Dir, found.Env = p.Dir, p.Env
	if found.Err != nil {
		return found.Err
	}
	c, err := s.take(ctx)
	if err != nil {
		return fmt.Errorf("making a sandbox: %w", err)
	}
	in := &stay{box: s, cell: c}
	in.stop = context.AfterFunc(ctx, c.kill)
	req := request{
		Path: found.Path, Argv: found.Args, Dir: p.Dir, Env: s.inside(found.Environ(), c), Cores: p.cores(),
	}
	refused, err := in.ask(req, p.Extra, r)
	if err == nil {
		r.in = in
		return nil
	}
	if !in.stop() || !refused {
		c.kill()
		_ = c.close()
		return errors.Join(ctx.Err(), err)
	}
	s.give(c)
	return err
}

// inside returns the environment of a process in a cell: what scrub lets in, and
// private directories.
func (s *Sandbox) inside(env []string, c *cell) []string {
	let := strings.Split(Getenv(s.config.Env, letIn), ",")
	if s.config.Cache != "" {
		let = append(let, "GOFLAGS") // the go command needs them, whatever is in them
	}
	out := slices.DeleteFunc(env, func(kv string) bool {
		in, known := s.known.Load(kv) // to look for secrets takes longer than to start a process
		if !known {
			in = scrub.Inside(kv, let)
			s.known.Store(kv, in)
		}
		return in == false
	})
	temp := tempOf(s.config.Env)
	if !s.whole {
		temp = filepath.Join(c.private.Dir, "tmp")
		out = setenv(out, "HOME", filepath.Join(c.private.Dir, "home"))
	}
	cache := s.config.Cache
	if cache == "" {
		cache = filepath.Join(temp, "go-build")
	} else {
		// All that there is to be downloaded is there, and settings are in the environment.
		out = setenv(setenv(out, "GOPROXY", "off"), "GOENV", "off")
	}
	return setenv(setenv(out, "TMPDIR", temp), "GOCACHE", cache)
}

// ask sends the request and takes the answer. refused says that the cell is
// well, and the process could not be started.
func (in *stay) ask(req request, extra []*os.File, r *Running) (refused bool, err error) {
	out, outW, err := os.Pipe()
	if err != nil {
		return true, err
	}
	defer outW.Close()
	errs, errsW, err := os.Pipe()
	if err != nil {
		_ = out.Close()
		return true, err
	}
	defer errsW.Close()
	in.copy(r.out, out)
	in.copy(r.err, errs)
	fds := []int{int(outW.Fd()), int(errsW.Fd())}
	for _, f := range extra {
		fds = append(fds, int(f.Fd()))
	}
	if err := in.cell.wire.send(req, fds...); err != nil {
		return false, err
	}
	var rep reply
	got, err := in.cell.wire.receive(&rep)
	for _, fd := range got {
		in.number = numberOf(fd)
		_ = unix.Close(fd)
	}
	switch {
	case err != nil:
		return false, err
	case rep.Errno != 0:
		return true, &os.PathError{Op: rep.Err, Path: req.Path, Err: syscall.Errno(rep.Errno)}
	case rep.Err != "":
		return true, errors.New(rep.Err)
	}
	return false, nil
}

// copy reads what the process writes. The goroutine ends with the last process
// that has the other end.
func (in *stay) copy(to io.Writer, from *os.File) {
	in.copies.Go(func() {
		_, _ = io.Copy(to, from)
		_ = from.Close()
	})
}

// numberOf returns the number of the process that a pidfd stands for, in this
// process's namespace.
func numberOf(fd int) int {
	data, err := os.ReadFile("/proc/self/fdinfo/" + strconv.Itoa(fd))
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(data)) {
		if v, ok := strings.CutPrefix(line, "Pid:"); ok {
			n, _ := strconv.Atoi(strings.TrimSpace(v))
			return n
		}
	}
	return 0
}

func (in *stay) pid() int { return in.number }

func (in *stay) terminate() {
	if in.number > 0 {
		_ = unix.Kill(-in.number, unix.SIGTERM)
	}
}

// wait waits until the process and all that it started have ended.
func (in *stay) wait(r *Running) (Exit, error) {
	var rep reply
	_, err := in.cell.wire.receive(&rep)
	now := time.Now()
	r.meter.add(r.kind, r.start, now)
	e := Exit{Wall: now.Sub(r.start), Code: -1}
	if in.stop() && err == nil {
		in.cell.spent += time.Duration(rep.CPU)
		insideCPU.Add(rep.CPU)
		in.copies.Wait() // the last writer has ended
		in.box.give(in.cell)
	} else {
		in.cell.kill()
		_ = in.cell.close()
		in.copies.Wait()
	}
	e.Stdout, e.Stderr = r.out.bytes(), r.err.bytes()
	if rep.Why != "" {
		e.Stderr = fmt.Appendf(e.Stderr, "\npawl: the sandbox ended the process: %s\n", rep.Why)
	}
	if cerr := r.ctx.Err(); cerr != nil {
		return e, cerr
	}
	if err != nil {
		said := strings.TrimSpace(string(in.cell.said.bytes()))
		return e, fmt.Errorf("running %s: the sandbox around it ended: %w %s", r.path, err, said)
	}
	status := syscall.WaitStatus(rep.Status)
	e.Code, e.CPU = status.ExitStatus(), time.Duration(rep.CPU)
	return e, nil
}
