package loadtest

import (
	"cmp"
	"context"
	"fmt"
	"net"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/internal/host/gocmd"
)

// A process is a program or a load command that has been started.
type process struct {
	command
	port    int
	running *gocmd.Running
	kill    context.CancelFunc
	done    chan struct{} // closed when it has ended and all of its group with it
	members []member      // of a program, when it was last measured

	// Set when done is closed.
	exit gocmd.Exit
	err  error
}

// keep is how much output of a process is kept, its last bytes.
const keep = 4 << 20

// A starter starts processes.
type starter struct {
	meter *gocmd.Meter
	dir   string
	env   []string
}

// start starts c on the given cores; on none of them, anywhere. The process
// ends with ctx. One goroutine owns it: it holds the thread that started it,
// to which its life is tied, until it has ended.
func (s *starter) start(ctx context.Context, c command, port int, on []int) (*process, error) {
	ctx, kill := context.WithCancel(ctx)
	p := &process{command: c, port: port, kill: kill, done: make(chan struct{})}
	started := make(chan error)
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		r, err := s.meter.Start(ctx, gocmd.Proc{
			Path: c.path, Args: c.argsFor(port), Dir: s.dir, Env: s.envFor(port),
			CPU: gocmd.NoCPU, Among: on, Kind: gocmd.Measure, Limit: keep, Tied: true,
		})
		p.running = r
		started <- err
		if err == nil {
			p.exit, p.err = r.Wait()
			close(p.done)
		}
	}()
	if err := <-started; err != nil {
		kill()
		return nil, fmt.Errorf("%s: %w", c.role, err)
	}
	return p, nil
}

// envFor returns the environment of a process that is to use port.
func (s *starter) envFor(port int) []string {
	env := make([]string, 0, len(s.env)+3)
	for _, kv := range s.env {
		if k, _, _ := strings.Cut(kv, "="); k != "PORT" && k != "PAWL_ADDR" && k != "PAWL_PORT" {
			env = append(env, kv)
		}
	}
	n := strconv.Itoa(port)
	return append(env, "PAWL_ADDR="+address(port), "PAWL_PORT="+n, "PORT="+n)
}

// ended reports whether the process has ended.
func (p *process) ended() bool {
	select {
	case <-p.done:
		return true
	default:
		return false
	}
}

// stopDelay is how long a program may take to end after it was asked to.
const stopDelay = 2 * time.Second

// stop asks the program to end, and makes it after a while. It returns when
// none of its processes is left.
func (p *process) stop() {
	if !p.ended() {
		p.running.Terminate()
		select {
		case <-p.done:
		case <-time.After(stopDelay):
		}
	}
	p.kill()
	<-p.done
	killStrays(p.running.Pid(), p.members)
}

// measure reads what the program has used so far.
func (p *process) measure() (usage, error) {
	u, err := measure(p.running.Pid())
	if err != nil {
		return u, fmt.Errorf("%s: %w", p.role, err)
	}
	p.members = u.members
	return u, nil
}

// words returns the command as it was run.
func (p *process) words() string {
	return strings.Join(append([]string{p.path}, p.argsFor(p.port)...), " ")
}

// lastWords returns, as an indented block, what an ended process said last.
func (p *process) lastWords() string {
	out := cmp.Or(lastLines(p.exit.Stderr, 8), lastLines(p.exit.Stdout, 8))
	if out == "" {
		return "\tit printed nothing"
	}
	return indent(out)
}

// code says in words how an ended process ended.
func (p *process) code() string {
	if p.exit.Code < 0 {
		return "was killed by a signal"
	}
	return fmt.Sprintf("exited with code %d", p.exit.Code)
}

// ready waits until the program accepts a connection.
func (p *process) ready(ctx context.Context, limit time.Duration) error {
	deadline := time.NewTimer(limit)
	defer deadline.Stop()
	poll := time.NewTicker(5 * time.Millisecond)
	defer poll.Stop()
	for {
		if c, err := net.DialTimeout("tcp", address(p.port), time.Second); err == nil {
			_ = c.Close()
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-p.done:
			return p.diedEarly(ctx)
		case <-deadline.C:
			p.stop()
			return fmt.Errorf("%s did not listen on %s within %v: %s\n%s\nit has to listen on {addr}, which stands for that address in its command, or on $PORT; if it only needs longer, allow more time",
				p.role, address(p.port), limit, p.words(), p.lastWords())
		case <-poll.C:
		}
	}
}

// diedEarly explains a program that ended before it listened.
func (p *process) diedEarly(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return fmt.Errorf("%s %s before it listened on %s: %s\n%s\nrun it by hand; it has to stay up and listen on {addr} or on $PORT",
		p.role, p.code(), address(p.port), p.words(), p.lastWords())
}

// freePorts returns two ports that nothing listens on.
func freePorts() ([2]int, error) {
	var ports [2]int
	for i := range ports {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return ports, fmt.Errorf("looking for a free port: %w", err)
		}
		defer func() { _ = l.Close() }() // both are held until both are found
		ports[i] = l.Addr().(*net.TCPAddr).Port
	}
	return ports, nil
}
