package a

import (
	"bytes"
	"encoding/hex"
	"io"
	"sync"
)

var bufs = sync.Pool{New: func() any { return make([]byte, 0, 64) }}

func sum(w io.Writer, p []byte) error {
	buf := bufs.Get().([]byte)[:0]
	buf = hex.AppendEncode(buf, p)
	_, err := w.Write(buf)
	bufs.Put(buf) // want `Put allocates a copy of the \[\]byte each time: let the pool hold a \*\[\]byte`
	return err
}

func deferred(w io.Writer, all [][]byte) error {
	for _, p := range all {
		err := func() error {
			pooled := 1 // the name is taken
			_ = pooled
			return sum(w, p)
		}()
		if err != nil {
			return err
		}
		buf := bufs.Get().([]byte)
		defer bufs.Put(buf[:0]) // want `Put allocates a copy of the \[\]byte`
	}
	return nil
}

func atTheEnd(w io.Writer, p []byte) error {
	buf := bufs.Get().([]byte)
	defer func() {
		bufs.Put(buf[:0]) // want `Put allocates a copy`
	}()
	buf = append(buf, p...)
	_, err := w.Write(buf)
	return err
}

// A function that keeps what it takes puts nothing back.
func kept() []byte {
	buf := bufs.Get().([]byte)
	return buf
}

type state struct{ a, b int }

var states = sync.Pool{
	New: func() any { return state{b: 1} },
}

func step(n int) int {
	s := states.Get().(state)
	s.a += n
	if n > 0 {
		states.Put(s) // want `Put allocates a copy of the state each time: let the pool hold a \*state`
	}
	return s.a
}

var asked sync.Pool

func ask() {
	s, ok := asked.Get().([]int)
	if !ok {
		s = make([]int, 8)
	}
	asked.Put(s) // want `Put allocates`
}

var blank sync.Pool

func blanks() int {
	s, _ := blank.Get().([]int)
	s = append(s, 1)
	blank.Put(s) // want `Put allocates`
	return len(s)
}

var checked = sync.Pool{}

func check(text string) string {
	var r []rune
	if len(text) > 64 {
		r = make([]rune, 0, len(text))
	} else {
		if x := checked.Get(); x != nil {
			r = x.([]rune)[:0]
		} else {
			r = make([]rune, 0, 64)
		}
	}
	for _, c := range text {
		r = append(r, c+1)
	}
	out := string(r)
	if len(text) <= 64 {
		checked.Put(r) // want `Put allocates`
	}
	return out
}

// What follows is found, and needs a change that takes more than this.

var helped = sync.Pool{New: func() any { return make([]byte, 0, 64) }}

func get() []byte  { return helped.Get().([]byte) }
func put(b []byte) { helped.Put(b) } // want `Put allocates`

var twice = sync.Pool{New: func() any { return make([]int, 8) }}

func loop(n int) {
	s := twice.Get().([]int)
	for range n {
		twice.Put(s) // want `Put allocates`
	}
}

var shown = sync.Pool{New: func() any { return make([]int, 8) }}

func show() *sync.Pool { return &shown }

func usesShown() {
	s := shown.Get().([]int)
	shown.Put(s) // want `Put allocates`
}

var round sync.Pool

func again(n int) {
	for range n {
		s, ok := round.Get().([]int)
		if ok {
			round.Put(s) // want `Put allocates`
		}
	}
}

var first, second = sync.Pool{New: func() any { return make([]byte, 8) }}, 2

func pair() {
	b := first.Get().([]byte)
	first.Put(b[:second]) // want `Put allocates`
}

var both sync.Pool

func check2() (n int) {
	if x := both.Get(); x != nil {
		r := x.([]rune)
		n = len(r) + len(x.([]rune))
	}
	both.Put([]rune{}) // want `Put allocates`
	return n
}

var other = sync.Pool{New: func() any { return [4]int{} }}

func mixed() {
	v := other.Get().([4]int)
	other.Put(v[:]) // want `Put allocates a copy of the \[\]int`
}

type server struct{ pool sync.Pool }

func (s *server) serve() {
	b := s.pool.Get().([]byte)
	s.pool.Put(b) // want `Put allocates`
}

var Public = sync.Pool{New: func() any { return make([]int, 8) }}

func public() {
	s := Public.Get().([]int)
	Public.Put(s) // want `Put allocates`
}

var jumped = sync.Pool{New: func() any { return make([]int, 8) }}

func jump(n int) {
	s := jumped.Get().([]int)
again:
	jumped.Put(s) // want `Put allocates`
	if n--; n > 0 {
		goto again
	}
}

var handed = sync.Pool{New: func() any { return make([]int, 8) }}

func hand(all func(func())) {
	s := handed.Get().([]int)
	defer all(func() {
		handed.Put(s) // want `Put allocates`
	})
}

// elsewhere.go puts to it too, in other builds.
var tagged sync.Pool

func usesTagged(n int) int {
	s, ok := tagged.Get().([]int)
	if !ok {
		s = make([]int, 8)
	}
	tagged.Put(s[:n]) // want `Put allocates`
	return len(s)
}

type ints []int

// It holds values of two types.
var mixedTypes sync.Pool

func putsInts() {
	s, _ := mixedTypes.Get().([]int)
	mixedTypes.Put(s) // want `Put allocates`
}

func putsNamed() {
	s, ok := mixedTypes.Get().(ints)
	if !ok {
		s = make(ints, 8)
	}
	mixedTypes.Put(s) // want `Put allocates`
}

// Put of nil is nothing, and of a pointer to nil is not.
var emptied sync.Pool

func empties(keep bool) int {
	s, ok := emptied.Get().([]int)
	if !ok {
		s = make([]int, 8)
	}
	if keep {
		emptied.Put(s) // want `Put allocates`
	}
	return s[7]
}

func emptiesNone() int {
	s, ok := emptied.Get().([]int)
	if !ok {
		s = make([]int, 8)
	}
	n := s[7]
	emptied.Put(nil)
	return n
}

var renewed = sync.Pool{New: func() any { return make([]int, 8) }}

func renew() int {
	s := renewed.Get().([]int)
	renewed.New()
	return len(s)
}

func renews() {
	s := renewed.Get().([]int)
	renewed.Put(s) // want `Put allocates`
}

// The name of what is put is that of a variable where it is.
var hidden sync.Pool

func hides() int {
	state, ok := hidden.Get().(state)
	if !ok {
		state.a = 1
	}
	state.b++
	hidden.Put(state) // want `Put allocates`
	return state.b
}

// The type is not known where the pointer would be declared.
var within sync.Pool

func declaresWithin(n int) int {
	if n > 0 {
		type pair struct{ a, b int }
		var p pair
		if x := within.Get(); x != nil {
			p = x.(pair)
		}
		p.a += n
		within.Put(p) // want `Put allocates`
		return p.a
	}
	return 0
}

// What follows is left alone.

var fits sync.Pool

type one struct{ p *int }

func fit(m map[string]int, c chan int, f func(), o one, empty struct{}, flag bool, any any) {
	fits.Put(new(bytes.Buffer))
	fits.Put(m)
	fits.Put(c)
	fits.Put(f)
	fits.Put(o)
	fits.Put(empty)
	fits.Put(flag)
	fits.Put(any)
	fits.Put(nil)
	fits.Put("constant")
}

type Pool[T any] struct{ p sync.Pool }

func (p *Pool[T]) put(v T) { p.p.Put(v) }

// Another type has a Put as well.
type cache struct{}

func (cache) Put([]byte) {}

func cached(b []byte) { cache{}.Put(b) }
