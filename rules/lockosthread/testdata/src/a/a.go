package a

import (
	"errors"
	"math"
	"os"
	"runtime"
	"sync"
	"syscall"
)

type job struct{ v float64 }

var (
	jobs    chan job
	results = make(chan float64)
)

func worker() {
	runtime.LockOSThread() // want `nothing that is called here cares for the thread`
	defer runtime.UnlockOSThread()
	for j := range jobs {
		process(j)
	}
}

func process(j job) { results <- j.root() }

func (j job) root() float64 { return math.Sqrt(j.v) }

func start(n int) {
	var wg sync.WaitGroup
	for range n {
		wg.Add(1)
		go func() {
			defer wg.Done()
			runtime.LockOSThread() // want `runtime.LockOSThread, but nothing`
			for j := range jobs {
				process(j)
			}
			runtime.UnlockOSThread()
		}()
	}
	wg.Wait()
}

// What follows is left alone.

func init() { // the main thread
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	process(job{})
}

func forever() { // the thread ends with the goroutine
	runtime.LockOSThread()
	for j := range jobs {
		process(j)
	}
}

func namespace(fd uintptr) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if _, _, errno := syscall.RawSyscall(syscall.SYS_GETTID, fd, 0, 0); errno != 0 {
		return errno
	}
	return nil
}

func deeper() {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	become()
}

func become() { _ = syscall.Setuid(0) }

func files() {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	_ = os.Chdir("/")
}

type runner interface{ run() }

func dynamic(r runner) { // may be anything
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	r.run()
}

func value(do func()) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	do()
}

func passed(do func(), once *sync.Once) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	once.Do(do)
}

func sequence(seq func(func(int) bool)) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	for range seq {
		process(job{})
	}
}

func ticks() int64 // in assembly

func assembly() int64 {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	return ticks()
}

var pool = sync.Pool{New: func() any { become(); return 1 }}

func pooled() any { // New is called
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	return pool.Get()
}

type failure struct{}

func (failure) Error() string   { become(); return "" }
func (failure) Is(t error) bool { become(); return true }

func methods() bool { // errors.Is calls the method
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	return errors.Is(failure{}, os.ErrNotExist)
}

func handed() func() { // unlocked by someone else
	runtime.LockOSThread()
	return func() { runtime.UnlockOSThread() }
}
