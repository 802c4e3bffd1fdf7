package a

import (
	"context"
	"runtime"
	"sync/atomic"
	"time"
)

type job int

func (job) run() {}

func worker(jobs <-chan job) {
	for {
		select {
		case j := <-jobs:
			j.run()
		default: // want `the empty default makes the loop ask the channels without pause`
			// nothing to do yet
		}
	}
}

func between(ctx context.Context, in <-chan int, out chan<- int, n int) {
loop:
	for {
		select {
		case <-ctx.Done():
			return
		default: // want `the empty default`
			continue loop
			// Offered again and again.
		// The total goes out.
		case out <- n:
			n = 0
		case v, ok := <-in:
			if !ok {
				break loop
			}
			n += v
		}
	}
}

type queue struct{ in, done chan job }

func (q *queue) run() {
	for {
		select {
		default: // want `the empty default`
		case j := <-q.in:
			j.run()
		case <-q.done:
			return
		}
	}
}

// A new timer in each turn never fires, one does: the fix is a proposal.
func idle(in <-chan int) {
	for {
		select {
		case <-in:
		case <-time.After(time.Second):
			return
		default: // want `the empty default`
		}
	}
}

// Others write what is sent: the fix is a proposal.
func latest(out chan<- int) {
	n := 0
	go func() { n++ }()
	for {
		select {
		case out <- n:
		default: // want `the empty default`
		}
	}
}

// A condition that others make false: no fix.
func until(stop *atomic.Bool, in <-chan job) {
	for !stop.Load() {
		select {
		case j := <-in:
			j.run()
		default: // want `ask the channels and its condition without pause`
		}
	}
}

func count(in <-chan int) (sum int) {
	for sum < 100 {
		select {
		case n := <-in:
			sum += n
		default: // want `without it the goroutine sleeps until one is ready`
		}
	}
	return sum
}

type poller struct {
	in   chan string
	stop bool
}

func (p *poller) run(use func(string)) {
	for !p.stop {
		select {
		case s := <-p.in:
			use(s)
		default: // want `the loop ask the channels and its condition without pause`
			continue
		}
	}
}

// What follows is left alone.

func sleeps(in <-chan job) {
	for {
		select {
		case j := <-in:
			j.run()
		default:
			time.Sleep(time.Millisecond)
		}
	}
}

func yields(in <-chan job) {
	for {
		select {
		case j := <-in:
			j.run()
		default:
			runtime.Gosched()
		}
	}
}

func leaves(in <-chan job) {
	for {
		select {
		case j := <-in:
			j.run()
		default:
			return
		}
	}
}

func leavesOuter(in <-chan job) {
outer:
	for {
		for {
			select {
			case j := <-in:
				j.run()
			default:
				continue outer
			}
		}
	}
}

func works(stop <-chan struct{}, step func()) {
	for {
		select {
		case <-stop:
			return
		default:
		}
		step()
	}
}

func counts(in <-chan job) {
	for i := 0; i < 10; i++ {
		select {
		case j := <-in:
			j.run()
		default:
		}
	}
	for len(in) > 0 {
		select {
		case j := <-in:
			j.run()
		default:
		}
	}
	for range 3 {
		select {
		case <-in:
		default:
		}
	}
}

func polls(in <-chan job) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	for {
		select {
		case j := <-in:
			j.run()
		default:
		}
	}
}

func spins() {
	for {
		select {
		default:
		}
	}
}

func once(in <-chan job) {
	select {
	case <-in:
	default:
	}
}
