package a

import (
	"sync"
	"time"
)

type Job struct{ id int }

var jobs = make(chan Job)

func produce() {
	go func() {
		for {
			jobs <- Job{} // want `this sends without end, and neither stops nor says so when the queue is full`
		}
	}()
}

type source[T any] struct{ out chan T }

func (s *source[T]) repeat(v T) {
	for true {
		s.out <- v // want `this sends without end`
	}
}

func ids(out chan<- int) {
	for i := 0; ; i++ {
		out <- next(i) // want `this sends without end`
	}
}

func next(i int) int { return i + 1 }

type mailbox struct {
	mu    sync.Mutex
	cond  *sync.Cond
	queue []Job
}

func (m *mailbox) put(j Job) {
	m.mu.Lock()
	m.queue = append(m.queue, j) // want `the queue queue grows without a limit when more comes in than is taken out`
	m.mu.Unlock()
	m.cond.Signal()
}

func (m *mailbox) get() Job {
	m.mu.Lock()
	defer m.mu.Unlock()
	for len(m.queue) == 0 {
		m.cond.Wait()
	}
	j := m.queue[0]
	m.queue = m.queue[1:]
	return j
}

// What follows is left alone.

func selects(stop <-chan bool) {
	for {
		select {
		case jobs <- Job{}:
		case <-stop:
			return
		}
	}
}

func ticks(t *time.Ticker) {
	for {
		<-t.C
		jobs <- Job{}
	}
}

func sleeps() {
	for {
		time.Sleep(time.Second)
		jobs <- Job{}
	}
}

func reads(read func() Job) {
	for {
		jobs <- read() // as fast as something comes in
	}
}

func some(all []Job) {
	for i := 0; i < len(all); i++ {
		jobs <- all[i]
	}
}

type limited struct {
	mu    sync.Mutex
	queue []Job
}

func (l *limited) put(j Job) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.queue) >= 1000 {
		return false
	}
	l.queue = append(l.queue, j)
	return true
}

func (l *limited) get() Job {
	j := l.queue[0]
	l.queue = l.queue[1:]
	return j
}

type walk struct{ todo []Job }

func (w *walk) run(next func(Job) []Job) { // of one goroutine
	for len(w.todo) > 0 {
		j := w.todo[0]
		w.todo = w.todo[1:]
		w.todo = append(w.todo, next(j)...)
	}
}

type list struct {
	mu  sync.Mutex
	all []Job
}

func (l *list) add(j Job) { // no queue
	l.mu.Lock()
	l.all = append(l.all, j)
	l.mu.Unlock()
}
