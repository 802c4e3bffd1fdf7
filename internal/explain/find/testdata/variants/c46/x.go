package c46

import (
	"runtime"
)

// V1 renamed
var sum float64

func crunch(in []float64) float64 {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	s := 0.0
	for _, x := range in {
		s += x * x
	}
	return s
}

// V2 method
type pool struct {
	in  chan int
	out chan int
}

func (p *pool) loop() {
	runtime.LockOSThread()
	for n := range p.in {
		p.out <- n * n
	}
	runtime.UnlockOSThread()
}

// V3 closure
func spawnAll(n int, in <-chan string, out chan<- int) {
	for range n {
		go func() {
			runtime.LockOSThread()
			defer runtime.UnlockOSThread()
			for s := range in {
				out <- len(s)
			}
		}()
	}
}

// V4 generic, missed
func mapP[T, U any](in <-chan T, out chan<- U, f func(T) U) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	for v := range in {
		out <- f(v)
	}
}

// V5 two functions, missed
func pin() func() { runtime.LockOSThread(); return runtime.UnlockOSThread }
func work(xs []int) (t int) {
	defer pin()()
	for _, x := range xs {
		t += x
	}
	return
}
