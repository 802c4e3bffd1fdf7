package one

import "runtime"

func init() { runtime.GOMAXPROCS(1) }

// sum lets the others run, which share the one thread.
func sum(data []int) (total int) {
	for _, v := range data {
		total += v
		runtime.Gosched()
	}
	return total
}
