package a

import "encoding/json"

type event struct {
	at    int64
	level string
	text  string
	extra map[string]any
}

type pair struct{ a, b int32 }

func stage(in <-chan []byte, out chan<- *event) {
	for raw := range in {
		e := &event{} // want `a event is allocated for each item that is sent: a sync.Pool, which the last stage gives back to, uses it again`
		json.Unmarshal(raw, e)
		out <- e
	}
}

func direct(in []string, out chan *event) {
	for i, s := range in {
		out <- &event{at: int64(i), text: s} // want `a event is allocated`
	}
}

type source struct {
	out chan *event
	n   int
}

func (s *source) run() {
	for {
		e := new(event) // want `a event is allocated`
		e.at = int64(s.n)
		if e.at > 10 {
			return
		}
		s.out <- e
	}
}

func closure(in []string, out chan *event) {
	go func() {
		for _, s := range in {
			select {
			case out <- &event{text: s}: // want `a event is allocated`
			default:
			}
		}
	}()
}

type box[T any] struct {
	value T
	next  [4]string
}

func generic[T any](in []T, out chan<- *box[T]) {
	for _, v := range in {
		out <- &box[T]{value: v} // want `a box\[T\] is allocated`
	}
}

// What follows is left alone.

func small(out chan *pair) {
	for i := range int32(9) {
		out <- &pair{i, i}
	}
}

func once(out chan *event) { out <- &event{} }

func before(n int, out chan *event) {
	e := &event{}
	for range n {
		out <- e
	}
}

func kept1(n int, out chan *event) (all []*event) {
	for range n {
		e := &event{}
		all = append(all, e)
		out <- e
	}
	return all
}

func stored(n int, out chan *event, last map[int]*event) {
	for i := range n {
		e := &event{}
		last[i] = e
		out <- e
	}
}

func both(n int, a, b chan *event) {
	for range n {
		e := &event{}
		a <- e
		b <- e
	}
}

func value(n int, out chan event) {
	for range n {
		out <- event{}
	}
}

func last(in []string, out chan *event) {
	for _, s := range in {
		if s == "" {
			out <- &event{text: "failed"}
			return
		}
	}
}

func given(in []*event, out chan *event) {
	for _, e := range in {
		out <- e
	}
}
