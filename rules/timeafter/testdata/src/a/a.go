package a

import (
	"context"
	"time"
)

func serve(in <-chan int, handle func(int)) {
	for {
		select {
		case n := <-in:
			handle(n)
		case <-time.After(5 * time.Second): // want `time.After makes a timer and a channel in each iteration`
			return // idle
		}
	}
}

type worker struct {
	in    chan int
	pause time.Duration
}

func (w *worker) run(ctx context.Context, handle func(int)) {
	timeout := 0
loop:
	for n := range 100 {
		handle(n)
		select {
		case n := <-w.in:
			handle(n)
		case <-ctx.Done():
			break loop
		case at := <-time.After(w.pause): // want `time.After makes a timer`
			timeout += at.Second()
		}
	}
}

func two(in <-chan int, short, long time.Duration) {
	for {
		select {
		case <-in:
		case <-time.After(long): // want `time.After makes a timer`
			return
		}
	}
}

func backoff(in <-chan int) {
	for d := time.Second; ; d *= 2 {
		select {
		case <-in:
			return
		case <-time.After(d): // want `time.After makes a timer`
		}
	}
}

// Without a fix.

func slow(next func() <-chan int) {
	for {
		select {
		case <-next(): // may take its time, which counts for the timeout below
		case <-time.After(time.Second): // want `time.After makes a timer`
			return
		}
	}
}

func labelled(in <-chan int) {
	for {
	wait:
		select {
		case n := <-in:
			if n > 0 {
				break wait
			}
		case <-time.After(time.Second): // want `time.After makes a timer`
			return
		}
	}
}

func again(in <-chan int, ready bool) {
	if ready {
		goto wait
	}
	<-in
wait:
	for {
		select {
		case <-in:
		case <-time.After(time.Second): // want `time.After makes a timer`
			return
		}
	}
}

func constantInside(in <-chan int) {
	for {
		const wait = time.Second
		select {
		case <-in:
		case <-time.After(wait): // want `time.After makes a timer`
			return
		}
	}
}

// What follows is left alone.

func once(in <-chan int) {
	select {
	case <-in:
	case <-time.After(time.Second):
	}
}

func each(in []<-chan int) {
	for _, c := range in {
		go func() {
			select {
			case <-c:
			case <-time.After(time.Second):
			}
		}()
	}
}

func sleeps() {
	for {
		<-time.After(time.Second)
	}
}

func deadline(in <-chan int) {
	end := time.After(time.Minute)
	for {
		select {
		case <-in:
		case <-end:
			return
		}
	}
}
