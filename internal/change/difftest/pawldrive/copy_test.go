package pawldrive

import (
	"bufio"
	"bytes"
	"container/list"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"reflect"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
	"unsafe"
)

func mustCopy(t *testing.T, vs ...any) []any {
	t.Helper()
	out, _, err := copyLive(vs, false, maxBytes)
	if err != nil {
		t.Fatal(err)
	}
	again, err := duplicate(out)
	if err != nil {
		t.Fatal("copying the copy:", err)
	}
	return again
}

type node struct {
	next, prev *node
	val        any
	m          map[*node]string
}

func TestCopyKeepsAliasing(t *testing.T) {
	buf := make([]byte, 10, 20)
	copy(buf, "0123456789")
	type window struct{ whole, head, tail []byte }
	w := &window{buf, buf[:3:5], buf[4:]}
	text := unsafe.String(&buf[2], 3)
	out := mustCopy(t, w, buf[2:4], &buf[3], text)
	v, mid, p, s := out[0].(*window), out[1].([]byte), out[2].(*byte), out[3].(string)
	v.whole[3] = 'x'
	if mid[1] != 'x' || *p != 'x' || s != "2x4" || len(v.head) != 3 || cap(v.head) != 5 || cap(v.tail) != 16 {
		t.Errorf("copies do not share memory: %q %q %q %+v", mid, *p, s, v)
	}
	v.tail[0] = 'y'
	if v.whole[4] != 'y' || buf[3] != '3' || buf[4] != '4' {
		t.Errorf("whole %q, source %q", v.whole, buf)
	}
}

func TestCopyOfWindowsThatNoneCovers(t *testing.T) {
	a := []int{0, 1, 2, 3, 4, 5, 6, 7}
	out := mustCopy(t, a[0:4:5], a[3:8])
	x, y := out[0].([]int), out[1].([]int)
	if x[3] = 99; y[0] != 99 || cap(x) != 5 || y[4] != 7 {
		t.Errorf("%v %v", x, y)
	}
}

func TestCopyOfCycles(t *testing.T) {
	a, b := &node{}, &node{}
	a.next, b.next, a.prev, b.prev = b, a, b, a
	a.val, b.val = a, *b
	a.m = map[*node]string{b: "b"}
	c := mustCopy(t, a)[0].(*node)
	if c == a || c.next.next != c || c.val.(*node) != c || c.m[c.next] != "b" || c.next.val.(node).next != c {
		t.Errorf("not the same shape")
	}
	l := list.New()
	for i := range 5000 {
		l.PushBack(i)
	}
	if m := mustCopy(t, l)[0].(*list.List); m.Len() != 5000 || m.Back().Value != 4999 {
		t.Error("list differs")
	}
}

type everything struct {
	mu    sync.Mutex
	rw    sync.RWMutex
	once  sync.Once
	pool  sync.Pool
	wg    sync.WaitGroup
	cond  *sync.Cond
	sm    sync.Map
	n     atomic.Int64
	p     atomic.Pointer[node]
	v     atomic.Value
	b     strings.Builder
	buf   bytes.Buffer
	w     *bufio.Writer
	re    *regexp.Regexp
	loc   *time.Location
	rv    reflect.Value
	rt    reflect.Type
	ctx   context.Context
	err   error
	ch    chan int
	fn    func() int
	log   io.Writer
	timer *time.Timer
	arr   [2][]string
}

func TestCopyOfTheStandardLibrary(t *testing.T) {
	e := &everything{n: atomic.Int64{}, re: regexp.MustCompile("a"), loc: time.UTC, err: io.EOF, ch: make(chan int, 3),
		fn: func() int { return 7 }, log: os.Stderr, timer: time.NewTimer(time.Hour), arr: [2][]string{{"a"}, nil}}
	e.cond = sync.NewCond(&e.mu)
	e.pool.New = func() any { return 5 }
	e.sm.Store("k", e)
	e.n.Store(9)
	e.p.Store(&node{val: 3})
	e.v.Store([]int{1})
	e.b.WriteString("built")
	e.buf.WriteString("buffered")
	e.w = bufio.NewWriter(&e.buf)
	e.w.WriteString("held back")
	e.rv = reflect.ValueOf(&e.arr).Elem()
	e.rt = reflect.TypeOf(e)
	ctx, cancel := context.WithCancel(context.Background())
	e.ctx = ctx
	e.once.Do(func() {})
	c := mustCopy(t, e)[0].(*everything)
	cancel()
	c.once.Do(func() { t.Error("the copied Once has not happened") })
	c.cond.L.Lock()
	if c.mu.TryLock() || !e.mu.TryLock() {
		t.Error("the condition's lock is not the copy's own")
	}
	c.cond.L.Unlock()
	c.cond.Broadcast()
	if v, _ := c.sm.Load("k"); v != c {
		t.Error("the map's value is not the copy")
	}
	c.b.WriteString("!") // panics when it thinks that it was copied
	c.w.Flush()
	c.rv.Index(0).Set(reflect.ValueOf([]string{"z"}))
	c.timer.Stop()
	if c.n.Load() != 9 || c.p.Load().val != 3 || c.p.Load() == e.p.Load() || c.v.Load().([]int)[0] != 1 || c.b.String() != "built!" ||
		c.buf.String() != "bufferedheld back" || e.buf.String() != "buffered" || c.arr[0][0] != "z" || e.arr[0][0] != "a" ||
		c.re != e.re || c.loc != e.loc || c.rt != e.rt || c.err != io.EOF || cap(c.ch) != 3 || c.fn() != 7 || c.ctx.Err() != nil ||
		c.pool.Get() != 5 || c.log == e.log {
		t.Errorf("%+v", c)
	}
	c.wg.Add(1)
	c.wg.Done()
	if m := newDiffer(newFunction(Func{})).any(mustCopy(t, c)[0], mustCopy(t, c)[0]); m != nil {
		t.Errorf("two copies differ: %+v", m)
	}
}

func TestCopyRefuses(t *testing.T) {
	f, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	held := &everything{}
	held.mu.Lock()
	reading := &everything{}
	reading.rw.RLock()
	for name, v := range map[string]any{
		"holds an open file":              struct{ w io.Writer }{f},
		"a mutex was held at the call":    held,
		"larger than 1024 KiB":            make([]byte, 2<<20),
		"more than 100000 values":         make([]*int, 100_001),
		"holds a live testing.T":          t,
		"holds a method value in a refle": reflect.ValueOf(t).MethodByName("Name"),
	} {
		_, _, err := copyLive([]any{v}, false, maxBytes)
		if err == nil || !strings.HasPrefix(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, _, err := copyLive([]any{reading}, false, maxBytes); err != nil {
		t.Error("a reader's lock:", err)
	}
	out, _, err := copyLive([]any{held}, true, maxBytes)
	if err != nil {
		t.Fatal(err)
	}
	again, err := duplicate(out)
	if err != nil || again[0].(*everything).mu.TryLock() {
		t.Error("a held mutex is not held in the copy", err)
	}
	held.mu.Unlock()
	if !held.mu.TryLock() {
		t.Error("the source is left locked")
	}
}

// hostile is a type whose methods must not be called while it is copied.
type hostile struct{ n int }

func (h *hostile) String() string { panic("called") }
func (h *hostile) Lock()          { select {} }
func (h *hostile) Error() string  { panic("called") }
func (h *hostile) Format(fmt.State, rune) {
	panic("called")
}
func (h *hostile) Unwrap() error { panic("called") }

func TestHostileMethods(t *testing.T) {
	h := &hostile{3}
	c := mustCopy(t, h, map[any]error{"x": h})
	if c[0].(*hostile).n != 3 {
		t.Error("not copied")
	}
	if s := describe(h); !strings.Contains(s, "Error panics") {
		t.Error(s)
	}
	if m := newDiffer(newFunction(Func{})).any(error(&hostile{1}), error(&hostile{2})); m != nil {
		t.Errorf("%+v", m)
	}
}

func TestLayouts(t *testing.T) {
	var p atomic.Pointer[int]
	n := 5
	p.Store(&n)
	if got := *(*unsafe.Pointer)(unsafe.Add(unsafe.Pointer(&p), atomicOffset)); got != unsafe.Pointer(&n) {
		t.Error("an atomic.Pointer keeps its pointer elsewhere")
	}
	if atomicElem(reflect.TypeOf(&p).Elem()) != reflect.TypeFor[int]() {
		t.Error("the element of an atomic.Pointer is not known")
	}
	v := reflect.ValueOf(&n).Elem()
	if h := (*valueHeader)(unsafe.Pointer(&v)); h.ptr != unsafe.Pointer(&n) || h.flag&flagIndirect == 0 {
		t.Errorf("reflect.Value has another layout: %+v", h)
	}
	m := reflect.ValueOf(t).Method(0)
	if h := (*valueHeader)(unsafe.Pointer(&m)); h.flag&flagMethod == 0 {
		t.Errorf("a method value is not marked: %+v", h)
	}
	if unsafe.Sizeof(v) != unsafe.Sizeof(valueHeader{}) {
		t.Error("reflect.Value has another size")
	}
	if onHeap(unsafe.Pointer(&global)) {
		t.Error("a package-level variable is taken for the heap")
	}
	if !onHeap(unsafe.Pointer(new([64]int))) || !onHeap(unsafe.Pointer(&make([]byte, 1<<28)[1<<28-1])) {
		t.Error("an object on the heap is taken for a package-level variable, or foreign memory")
	}
}

var static = []string{"a"}

func TestStaticPointersStay(t *testing.T) {
	type holder struct{ list *[]string }
	if c := mustCopy(t, holder{&static})[0].(holder); c.list != &static {
		t.Error("a pointer to a package-level variable was copied")
	}
	if c := mustCopy(t, &static)[0]; c == &static {
		t.Error("an argument that points to a package-level variable was not copied")
	}
}

func TestCompare(t *testing.T) {
	f := newFunction(Func{NewFields: map[string][]string{"pawldrive.framer": {"scratch"}}})
	type pub struct{ List []int }
	nan := math.NaN()
	for i, c := range []struct {
		a, b any
		same bool
	}{
		{nan, nan, true},
		{0.0, math.Copysign(0, -1), false},
		{[]byte(nil), []byte{}, false},
		{pub{nil}, pub{[]int{}}, false},
		{framer{}, framer{last: []byte{}}, true}, // inside, nobody tells
		{framer{}, framer{scratch: []byte("x")}, true},
		{framer{}, framer{sum: 1}, false},
		{map[string]int{"a": 1}, map[string]int{"a": 1}, true},
		{map[string]int{"a": 1}, map[string]int{"b": 1}, false},
		{map[float64]int{nan: 1, 2: 3}, map[float64]int{2: 3, nan: 1}, true},
		{map[any]int{"a": 1, 3: 1}, map[any]int{"a": 1, 3: 2}, false},
		{&node{val: 1}, &node{val: 1}, true},
		{&node{val: 1}, &node{val: int8(1)}, false},
		{error(nil), io.EOF, false},
		{fmt.Errorf("x: %w", io.EOF), fmt.Errorf("x: %w", io.EOF), true},
		{fmt.Errorf("x: %w", io.EOF), fmt.Errorf("x: EOF"), false},
		{errors.Join(io.EOF, os.ErrExist), errors.Join(io.EOF, os.ErrExist), true},
		{errors.Join(io.EOF, os.ErrExist), errors.Join(io.EOF, errors.New("file already exists")), false},
		{&os.PathError{Op: "open", Path: "a", Err: io.EOF}, &os.PathError{Op: "open", Path: "a", Err: io.EOF}, true},
		{func() {}, func() {}, true},
		{(func())(nil), func() {}, false},
		{bytes.NewBufferString("abc"), bytes.NewBuffer(append(make([]byte, 0, 100), "abc"...)), true},
		{bytes.NewBufferString("abc"), bytes.NewBufferString("abd"), false},
		{time.Unix(1, 0).UTC(), time.Unix(1, 0).UTC(), true},
		{strings.Repeat("a", 300) + "x", strings.Repeat("a", 300) + "y", false},
	} {
		m := newDiffer(f).any(c.a, c.b)
		if (m == nil) != c.same {
			t.Errorf("%d: %v and %v: %+v", i, c.a, c.b, m)
		}
		if m != nil {
			if a, b := m.texts(); len(a) > maxText || len(b) > maxText || a == b {
				t.Errorf("%d: texts %q and %q", i, a, b)
			}
		}
	}
}

// What callers may not mind is told apart, and never hides what they would.
func TestSoftDifferences(t *testing.T) {
	f := newFunction(Func{})
	type two struct {
		List []int
		N    int
	}
	for i, c := range []struct {
		a, b any
		want string
	}{
		{[]int{}, []int(nil), diffNil},
		{[]int{1}, []int(nil), ""},
		{two{List: []int{}}, two{}, diffNil},
		{two{List: []int{}}, two{N: 1}, ""},
		{map[any]two{1: {List: []int{}}}, map[any]two{1: {}}, diffNil},
		{errors.New("a"), errors.New("b"), diffText},
		{fmt.Errorf("a: %w", io.EOF), fmt.Errorf("b: %w", io.EOF), diffText},
		{fmt.Errorf("a: %w", io.EOF), errors.New("b: EOF"), ""},
		{&os.PathError{Op: "open", Err: io.EOF}, errors.New("b"), ""},
		{errors.New("a"), error(nil), ""},
		{map[string]int{}, map[string]int(nil), ""},
	} {
		m := newDiffer(f).any(c.a, c.b)
		if m == nil || m.soft != c.want {
			t.Errorf("%d: %v and %v: %+v; want the kind %q", i, c.a, c.b, m, c.want)
		}
	}
}
