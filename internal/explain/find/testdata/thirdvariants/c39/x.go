package c39

import "time"

// V2 method
type poller struct{ every time.Duration }

func (p *poller) start() {
	go func() {
		for {
			time.Sleep(p.every)
			p.poll()
		}
	}()
}

func (p *poller) poll() {}
