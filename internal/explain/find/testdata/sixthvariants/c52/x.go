package c52

import "sync"

// V1 closure, empty struct
func Run(jobs []func()) int {
	ticks := make(chan struct{}, 64)
	total := 0
	var reader sync.WaitGroup
	reader.Add(1)
	go func() {
		defer reader.Done()
		for range ticks {
			total++
		}
	}()
	var wg sync.WaitGroup
	for _, job := range jobs {
		wg.Add(1)
		go func() {
			defer wg.Done()
			job()
			ticks <- struct{}{}
		}()
	}
	wg.Wait()
	close(ticks)
	reader.Wait()
	return total
}

// V2 method, receive with ok, missed
type meter struct {
	add   chan int
	bytes int
	done  chan struct{}
}

func newMeter() *meter {
	m := &meter{add: make(chan int, 100), done: make(chan struct{})}
	go m.collect()
	return m
}

func (m *meter) collect() {
	defer close(m.done)
	for {
		n, ok := <-m.add
		if !ok {
			return
		}
		m.bytes += n
	}
}

func (m *meter) Note(n int) { m.add <- n }

func (m *meter) Total() int {
	close(m.add)
	<-m.done
	return m.bytes
}

func Bytes(parts [][]byte) int {
	m := newMeter()
	for _, p := range parts {
		m.Note(len(p))
	}
	return m.Total()
}
