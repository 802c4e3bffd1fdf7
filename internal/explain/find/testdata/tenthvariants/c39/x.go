package c39

// V1 goroutine of a method, endless loop
type Watcher struct {
	events chan string
	handle func(string)
}

func NewWatcher(handle func(string)) *Watcher {
	w := &Watcher{events: make(chan string, 16), handle: handle}
	go w.loop()
	return w
}

func (w *Watcher) loop() {
	for {
		w.handle(<-w.events)
	}
}

func (w *Watcher) Notify(path string) { w.events <- path }
