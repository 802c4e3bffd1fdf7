package c14

import "sync"

// V4 generic
func collectAll[In, Out any](inputs []In, work func(In) Out) []Out {
	out := make([]Out, len(inputs))
	var wg sync.WaitGroup
	for i, in := range inputs {
		wg.Go(func() { out[i] = work(in) })
	}
	wg.Wait()
	return out
}
