package c18

// V1 renamed
type rec struct {
	a, b string
	n    int
}

func read(lines []string, out chan *rec) {
	for i, l := range lines {
		out <- &rec{a: l, n: i}
	}
	close(out)
}

// V2 method
type pipe struct{ next chan<- *rec }

func (p *pipe) run(in <-chan string) {
	for s := range in {
		r := new(rec)
		r.a = s
		p.next <- r
	}
}

// V3 closure
func start(src <-chan int) <-chan *rec {
	ch := make(chan *rec)
	go func() {
		defer close(ch)
		for n := range src {
			r := &rec{n: n}
			ch <- r
		}
	}()
	return ch
}

// V4 generic
type env[T any] struct {
	v  T
	at int64
}

func wrap[T any](in <-chan T, out chan<- *env[T]) {
	for v := range in {
		out <- &env[T]{v: v}
	}
}

// V5 two functions
func mkrec(s string) *rec { return &rec{a: s} }
func feed(in []string, out chan<- *rec) {
	for _, s := range in {
		out <- mkrec(s)
	}
}
