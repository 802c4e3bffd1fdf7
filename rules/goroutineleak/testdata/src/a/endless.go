package a

type inbox struct {
	events chan string
	handle func(string)
	stop   chan struct{}
}

func newInbox(handle func(string)) *inbox {
	in := &inbox{events: make(chan string, 16), handle: handle}
	go in.loop()
	return in
}

func (in *inbox) loop() {
	for { // want `nothing ends this goroutine, which keeps in for as long as the process lives`
		in.handle(<-in.events)
	}
}

func (in *inbox) notify(s string) { in.events <- s }

// What follows is left alone.

func endable(handle func(string)) *inbox {
	in := &inbox{events: make(chan string), handle: handle, stop: make(chan struct{})}
	go in.run()
	return in
}

func (in *inbox) run() {
	for {
		select {
		case s := <-in.events:
			in.handle(s)
		case <-in.stop:
			return
		}
	}
}

func ranged(in *inbox) {
	go func() {
		for s := range in.events {
			in.handle(s)
		}
	}()
}

var central inbox // lives as long as the process

func start() { go central.loop() }

func Start() { start() }
