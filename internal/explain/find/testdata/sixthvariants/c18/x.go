package c18

import (
	"bufio"
	"io"
	"strings"
	"time"
)

// V1 generic, method
type job[T any] struct {
	value T
	tries int
	when  time.Time
}

type feeder[T any] struct{ out chan *job[T] }

func (f *feeder[T]) Feed(values []T) {
	for _, v := range values {
		f.out <- &job[T]{value: v, when: time.Now()}
	}
	close(f.out)
}

func Ages(values []string) (sum time.Duration) {
	f := &feeder[string]{out: make(chan *job[string], 8)}
	go f.Feed(values)
	for j := range f.out {
		sum += time.Since(j.when)
	}
	return sum
}

// V2 two functions
type entry struct {
	host, path string
	size       int
}

func parse(line string) *entry {
	host, path, _ := strings.Cut(line, " ")
	return &entry{host: host, path: path, size: len(line)}
}

func read(r io.Reader, out chan<- *entry) {
	defer close(out)
	for sc := bufio.NewScanner(r); sc.Scan(); {
		out <- parse(sc.Text())
	}
}

func Size(r io.Reader) (n int) {
	ch := make(chan *entry, 32)
	go read(r, ch)
	for e := range ch {
		n += e.size
	}
	return n
}
