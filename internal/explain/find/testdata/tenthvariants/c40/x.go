package c40

// V1 method of a generic type, loop with a condition
type Dispatcher[J any] struct {
	jobs chan J
	quit chan struct{}
	run  func(J)
}

func (d *Dispatcher[J]) Loop() {
	for open := true; open; {
		select {
		case j, ok := <-d.jobs:
			if open = ok; ok {
				d.run(j)
			}
		case <-d.quit:
			open = false
		default:
			continue
		}
	}
}
