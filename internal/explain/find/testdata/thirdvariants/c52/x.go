package c52

// V3 closure
func counter() (inc func(), read func() int) {
	ch := make(chan struct{}, 64)
	n := 0
	go func() {
		for range ch {
			n++
		}
	}()
	return func() { ch <- struct{}{} }, func() int { return n }
}
