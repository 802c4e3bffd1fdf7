package c46

import (
	"math"
	"runtime"
)

// V1 renamed
func crunch(in []float64) (t float64) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	for _, v := range in {
		t += math.Sqrt(v)
	}
	return t
}

// V2 method
type pool struct {
	work chan int
	sum  int
}

func (p *pool) loop() {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	for w := range p.work {
		p.sum += w
	}
}

// V3 closure
func worker(jobs <-chan int, out chan<- int) {
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		for j := range jobs {
			out <- j * j
		}
	}()
}

// V4 generic
type num interface{ ~int | ~float64 }

func SumPinned[N num](ns []N) (t N) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	for _, n := range ns {
		t += n
	}
	return t
}

// V5 two functions
func square(n int) int { return n * n }
func squares(in <-chan int, out chan<- int) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	for n := range in {
		out <- square(n)
	}
}
