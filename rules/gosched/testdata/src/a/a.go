package a

import (
	"math"
	"runtime"
	"sync"
	"sync/atomic"
)

func compute(data []float64) float64 {
	sum := 0.0
	for i, v := range data {
		sum += math.Sqrt(v) * math.Sin(v)
		if i%1000 == 0 {
			runtime.Gosched() // want `runtime.Gosched in a loop that computes: the runtime preempts it when others wait`
		}
	}
	return sum
}

func each(data []int) (total int) {
	for i := 0; i < len(data); i++ {
		total += square(data[i])
		runtime.Gosched() // want `runtime.Gosched in a loop that computes`
	}
	return total
}

func square(n int) int { return n * n }

func keyed(data []int) (total int) {
	for i, v := range data {
		total += i * v
		if i&0xff == 0 {
			runtime.Gosched() // want `runtime.Gosched in a loop`
		}
	}
	return total
}

func count(n int) (total int) {
	for i := range n {
		total += 2
		if i%10 == 0 {
			runtime.Gosched() // want `runtime.Gosched in a loop`
		}
	}
	return total
}

// The counter would be left without use: no fix.
func counter(data []int) (total int) {
	turns := 0
	for _, v := range data {
		total += v
		turns++
		if turns%10 == 0 {
			runtime.Gosched() // want `runtime.Gosched in a loop`
		}
	}
	return total
}

// The if does more than yield.
func more(data []int) (total int) {
	for i, v := range data {
		if i%10 == 0 {
			total++
			runtime.Gosched() // want `runtime.Gosched in a loop`
		}
		total += v
	}
	return total
}

func polite(i int) {
	if i%100 == 0 {
		runtime.Gosched()
	}
}

func squares(data []int) (sum int) {
	for i, x := range data {
		polite(i) // want `polite is runtime.Gosched in a loop that computes`
		sum += x * x
	}
	return sum
}

// What follows is left alone.

func spin(done *atomic.Bool) (n int) {
	for !done.Load() {
		n++
		runtime.Gosched()
	}
	return n
}

func forever(v *int64) {
	for {
		if atomic.CompareAndSwapInt64(v, 0, 1) {
			return
		}
		runtime.Gosched()
	}
}

func try(mu *sync.Mutex) (n int) {
	for i := 0; i < 100; i++ {
		n += i
		if mu.TryLock() {
			break
		}
		runtime.Gosched()
	}
	return n
}

var flag bool

func until() (n int) {
	for i := 0; i < 100; i++ {
		n += i
		if flag {
			return n
		}
		runtime.Gosched()
	}
	return n
}

func yields() { // nothing else
	for range 10 {
		runtime.Gosched()
	}
}

func feed(data []int, c chan<- int) {
	for _, v := range data {
		v *= 2
		c <- v
		runtime.Gosched()
	}
}

func drain(c <-chan int) (total int) {
	for v := range c {
		total += v
		runtime.Gosched()
	}
	return total
}

func unknown(data []int, do func(int) int) (total int) {
	for _, v := range data {
		total += do(v)
		runtime.Gosched()
	}
	return total
}

func once(v int) int {
	runtime.Gosched()
	return v
}
