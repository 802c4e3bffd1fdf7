package observe

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/internal/host/gocmd"
	"github.com/pawl-dev/pawl/internal/model"
)

const (
	// grace is how long a program may take to end once it was asked to.
	grace = 5 * time.Second
	// look is how often it is looked whether a run is over.
	look = 50 * time.Millisecond
)

// A child is a program that has been started. One goroutine owns it: it holds
// the thread that started it, to which its life is tied, until it has ended.
type child struct {
	running *gocmd.Running
	kill    context.CancelFunc
	done    chan struct{} // closed when it has ended, and all that it started

	// Set when done is closed.
	exit gocmd.Exit
	err  error
}

// startChild starts p. It lives on when ctx ends: the caller calls end.
func startChild(ctx context.Context, m *gocmd.Meter, p gocmd.Proc) (*child, error) {
	ctx, kill := context.WithCancel(context.WithoutCancel(ctx))
	p.CPU, p.Kind, p.Tied, p.Limit = gocmd.NoCPU, gocmd.Measure, true, 1<<20
	c := &child{kill: kill, done: make(chan struct{})}
	started := make(chan error)
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		r, err := m.Start(ctx, p)
		c.running = r
		started <- err
		if err == nil {
			c.exit, c.err = r.Wait()
			close(c.done)
		}
	}()
	if err := <-started; err != nil {
		kill()
		return nil, err
	}
	return c, nil
}

// wait returns when the child has ended, ctx has, the time is over, or over
// reports true; which of them is for the caller to see.
func (c *child) wait(ctx context.Context, limit time.Duration, over func() bool) {
	deadline := time.NewTimer(limit)
	defer deadline.Stop()
	tick := time.NewTicker(look)
	defer tick.Stop()
	for {
		select {
		case <-c.done:
			return
		case <-ctx.Done():
			return
		case <-deadline.C:
			return
		case <-tick.C:
			if over() {
				return
			}
		}
	}
}

func (c *child) ended() bool {
	select {
	case <-c.done:
		return true
	default:
		return false
	}
}

// end asks the child to end, and makes it after a while. It returns when none
// of its processes is left. byItself says that there was nothing to ask.
func (c *child) end() (byItself bool) {
	byItself = c.ended()
	if !byItself {
		c.running.Terminate()
		select {
		case <-c.done:
		case <-time.After(grace):
		}
	}
	c.kill()
	<-c.done
	return byItself
}

// into writes how the child ended. It has.
func (c *child) into(o *model.Observed, byItself bool, ctx context.Context) {
	o.Seconds, o.CPUNs, o.Code = c.exit.Wall.Seconds(), float64(c.exit.CPU), c.exit.Code
	o.Interrupted = ctx.Err() != nil
	switch {
	case o.Interrupted:
		o.Ended = fmt.Sprintf("interrupted after %.1f s", o.Seconds)
	case !byItself:
		o.Ended = fmt.Sprintf("ended by pawl after %.1f s", o.Seconds)
	case c.exit.Code < 0:
		o.Ended = fmt.Sprintf("ended by a signal after %.1f s", o.Seconds)
	default:
		o.Ended = fmt.Sprintf("exit code %d after %.1f s", c.exit.Code, o.Seconds)
	}
}

// commandLine is a command as a user would write it.
func commandLine(path string, args []string) string {
	return strings.Join(append([]string{path}, args...), " ")
}
