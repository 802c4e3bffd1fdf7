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

// What follows is left alone.

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
