package c40

// V2 method
type worker struct {
	in   chan int
	quit chan struct{}
	sum  int
}

func (w *worker) loop() {
	for {
		select {
		case v := <-w.in:
			w.sum += v
		case <-w.quit:
			return
		default:
			continue
		}
	}
}
