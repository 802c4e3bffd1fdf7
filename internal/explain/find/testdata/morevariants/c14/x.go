package c14

import (
	"sync"
)

type task struct{ n int }

func perform(t task) { println(t.n) }

// V1 renamed
func launch(tasks []task) {
	for _, t := range tasks {
		go perform(t)
	}
}

// V2 method
type hub struct{ wg sync.WaitGroup }

func (h *hub) all(ts []task) {
	for i := range ts {
		h.wg.Add(1)
		go func() {
			defer h.wg.Done()
			perform(ts[i])
		}()
	}
	h.wg.Wait()
}

// V3 closure
func spawner() func(ts []task) {
	return func(ts []task) {
		for _, t := range ts {
			go func(t task) { perform(t) }(t)
		}
	}
}

// V4 generic
func ParallelMap[A, B any](in []A, f func(A) B) []B {
	out := make([]B, len(in))
	var wg sync.WaitGroup
	for i, a := range in {
		wg.Add(1)
		go func() {
			defer wg.Done()
			out[i] = f(a)
		}()
	}
	wg.Wait()
	return out
}

// V5 two functions
func start(t task) { go perform(t) }
func startAll(ts []task) {
	for _, t := range ts {
		start(t)
	}
}
