package a

import (
	"context"
	"os"
	"time"
)

func watch(ch <-chan string) {
	go func() {
		msg := <-ch // want `a goroutine waits here for a value, and nothing ends it if none comes`
		_ = msg
	}()
}

type watcher struct {
	events <-chan string
	jobs   chan int
	last   string
}

func (w *watcher) start() {
	go w.run()
}

func (w *watcher) run() {
	for {
		w.last = <-w.events // want `a goroutine waits here`
	}
}

func generic[T any](ch <-chan T, use func(T)) {
	go wait(ch, use)
}

func wait[T any](ch <-chan T, use func(T)) {
	use(<-ch) // want `a goroutine waits here`
}

func closure(ch <-chan string, use func(string)) func() {
	return func() {
		go func() { use(<-ch) }() // want `a goroutine waits here`
	}
}

type poller struct {
	every time.Duration
	seen  int
}

func (p *poller) start() {
	go func() {
		for { // want `nothing ends this goroutine, which keeps p`
			time.Sleep(p.every)
			p.poll()
		}
	}()
}

func (p *poller) poll() { p.seen++ }

func (p *poller) ticks() { go p.tick(time.NewTicker(p.every)) }

func (p *poller) tick(t *time.Ticker) {
	for { // want `nothing ends this goroutine, which keeps t`
		<-t.C
		p.poll()
	}
}

func (p *poller) every10() {
	tick := time.NewTicker(10 * time.Second)
	go func() {
		for range tick.C { // want `nothing ends this goroutine, which keeps p`
			p.poll()
		}
	}()
}

// What follows is left alone.

func (p *poller) driven(times <-chan time.Time) { // who sends them may close it
	go func() {
		for range times {
			p.poll()
		}
	}()
}

func (p *poller) until(n int) {
	go func() {
		for {
			time.Sleep(p.every)
			if p.seen > n {
				return
			}
		}
	}()
}

func (p *poller) stoppable(ctx context.Context) {
	go func() {
		for {
			select {
			case <-ctx.Done():
				return
			case <-time.After(p.every):
				p.poll()
			}
		}
	}()
}

var all poller

func daemon() { // its object lives as long as the process
	go func() {
		for {
			time.Sleep(time.Second)
			all.poll()
		}
	}()
}

func init() { background(&all) }

func background(p *poller) { // only at the start
	go func() {
		for {
			time.Sleep(time.Second)
			p.poll()
		}
	}()
}

func stoppable(ctx context.Context, ch <-chan string, use func(string)) {
	go func() {
		select {
		case msg := <-ch:
			use(msg)
		case <-ctx.Done():
		}
	}()
}

func ranges(ch <-chan string, use func(string)) {
	go func() {
		for msg := range ch { // ends when it is closed
			use(msg)
		}
	}()
}

func signalled(done <-chan struct{}, timer <-chan time.Time, sig <-chan os.Signal, stop func()) {
	go func() {
		<-done
		stop()
	}()
	go func() {
		<-timer
		stop()
	}()
	go func() {
		<-sig
		stop()
	}()
}

func own(use func(int)) chan<- int {
	ch := make(chan int) // the function's own
	go func() { use(<-ch) }()
	return ch
}

func (w *watcher) work(use func(int)) {
	go func() { use(<-w.jobs) }()
}

func (w *watcher) stop() { close(w.jobs) }

func waits(ctx context.Context, stop func()) {
	go func() {
		<-ctx.Done()
		stop()
	}()
}
