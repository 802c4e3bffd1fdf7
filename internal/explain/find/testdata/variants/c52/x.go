package c52

// V1 renamed
type tally struct{ c chan int }

func newTally() *tally {
	t := &tally{c: make(chan int, 64)}
	go func() {
		n := 0
		for d := range t.c {
			n += d
		}
	}()
	return t
}
func (t *tally) hit() { t.c <- 1 }

// V2 method
type srv2 struct {
	hits chan struct{}
	n    int
}

func (s *srv2) count() {
	for range s.hits {
		s.n++
	}
}
func (s *srv2) handle() { s.hits <- struct{}{} }
func (s *srv2) start()  { go s.count() }

// V3 closure
func counter() func() {
	ch := make(chan bool)
	total := 0
	go func() {
		for range ch {
			total++
		}
	}()
	return func() { ch <- true }
}

// V4 generic
type ctr[T any] struct{ ch chan int64 }

func (c *ctr[T]) loop() {
	var n int64
	for v := range c.ch {
		n += v
	}
	_ = n
}
func (c *ctr[T]) add(_ T) { c.ch <- 1 }
func run() *ctr[int]      { c := &ctr[int]{make(chan int64, 8)}; go c.loop(); return c }

// V5 two functions
var events = make(chan int, 10)
var seen int

func sumUp() {
	for e := range events {
		seen += e
	}
}
func init()  { go sumUp() }
func Event() { events <- 1 }
