package c40

// V1 method, condition in the loop head
type pump struct {
	in   chan []byte
	stop chan struct{}
	n    int
}

func (p *pump) Run() {
	for p.n >= 0 {
		select {
		case b, ok := <-p.in:
			if !ok {
				return
			}
			p.n += len(b)
		case <-p.stop:
			return
		default:
			continue
		}
	}
}
