package c52

// V1 methods, the count behind a second channel
type Meter struct {
	hits  chan struct{}
	total chan int
}

func NewMeter() *Meter {
	m := &Meter{hits: make(chan struct{}, 1024), total: make(chan int)}
	go m.count()
	return m
}

func (m *Meter) count() {
	n := 0
	for range m.hits {
		n++
	}
	m.total <- n
}

func (m *Meter) Hit() { m.hits <- struct{}{} }

func (m *Meter) Close() int {
	close(m.hits)
	return <-m.total
}
