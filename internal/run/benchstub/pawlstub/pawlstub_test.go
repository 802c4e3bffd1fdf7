package pawlstub

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"sync"
	"testing"
	"unsafe"
)

type ctxKey struct{}

// own is the package that the tests write for.
var own = reflect.TypeFor[node]().PkgPath()

type node struct {
	Name string
	next *node
	mu   sync.Mutex
}

// source joins parts as they would stand in the package.
func source(parts []Part) string {
	var b strings.Builder
	for _, p := range parts {
		switch {
		case p.Name != "" && p.Pkg == own:
			b.WriteString(p.Name)
		case p.Name != "":
			b.WriteString(p.Pkg[strings.LastIndexByte(p.Pkg, '/')+1:] + "." + p.Name)
		case p.Data != nil:
			b.WriteString("DATA")
		default:
			b.WriteString(p.Text)
		}
	}
	return b.String()
}

func TestRefused(t *testing.T) {
	loop := &node{Name: "a"}
	loop.next = &node{Name: "b", next: loop}
	held := &node{}
	held.mu.Lock()
	type mapped map[string]any
	n := 1
	cases := map[string]struct {
		v    any
		want string
	}{
		"cycle":          {loop, "x.next.next leads back to itself"},
		"closure":        {func() int { return n }, "x is a function without a name"},
		"channel":        {make(chan int), "x is a chan int"},
		"unsafe pointer": {unsafe.Pointer(&n), "x is a unsafe.Pointer"},
		"held mutex":     {held, "x.mu is a mutex that was held"},
		"a test":         {t, "x is a live *testing.T"},
		"func in a map":  {mapped{"f": func() {}}, "x[…] is a function without a name"},
		"values":         {context.WithValue(context.Background(), ctxKey{}, 1), "x is a context with values"},
		"wrapped error":  {errors.Join(errors.New("a")), "x.errs is an unexported field of errors.joinError"},
		"large":          {make([]int, 50_000), "is larger than 16 KiB as source"},
		"field":          {reflect.ValueOf(1), "x.typ_ is an unexported field of reflect.Value"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			parts, _, err := newPrinter(own).print("x", reflect.ValueOf(c.v), bare)
			if err == nil {
				t.Fatalf("written: %s", source(parts))
			}
			if !strings.Contains(err.Error(), c.want) {
				t.Errorf("refused: %s", err)
			}
		})
	}
	held.mu.Unlock()
}

func TestMutexesAreGivenBack(t *testing.T) {
	x := &node{Name: "a"}
	if _, _, err := newPrinter(own).print("x", reflect.ValueOf(x), bare); err != nil {
		t.Fatal(err)
	}
	if !x.mu.TryLock() {
		t.Error("the mutex is held still")
	}
}

func TestWritten(t *testing.T) {
	look := func(args ...any) *Call {
		c := &Call{own: own, r: &recorder{}}
		for _, a := range args {
			v := reflect.ValueOf(a).Elem()
			kept := reflect.New(v.Type()).Elem()
			kept.Set(v)
			c.args = append(c.args, kept)
		}
		c.look([]string{"a", "b", "c"})
		return c
	}
	list, n, room := []string{"b", "a"}, 1, make([]byte, 0, 8)
	c := look(&list, &n, &room)
	list[0], n = "x", 2
	room = append(room, 1)
	c.compare()
	if p := c.in.Params; !p[0].Written || p[1].Written || p[2].Written || !p[0].Flat {
		t.Errorf("%+v", p)
	}
	if got := source(c.in.Params[2].Expr); got != "make([]byte, 0, 8)" {
		t.Errorf("a slice with room is %s", got)
	}
}

var (
	errShared = errors.New("shared")
	sharedMap = map[string]int{"a": 1}
	sharedPtr = &node{Name: "p"}
	sharedVal = node{Name: "v"}
	sharedNil *node
)

func newAny() any { return nil }

func TestVariables(t *testing.T) {
	r := &recorder{}
	r.on.Store(true)
	r.known("errShared", &errShared)
	r.known("sharedMap", &sharedMap)
	r.known("sharedPtr", &sharedPtr)
	r.known("sharedVal", &sharedVal)
	r.known("sharedNil", &sharedNil)
	for want, v := range map[string]any{
		"errShared": errShared, "sharedMap": sharedMap, "sharedPtr": sharedPtr, "&sharedVal": &sharedVal,
		`errors.New("shared")`: errors.New("shared"), `&node{Name: "p"}`: &node{Name: "p"}, "(*node)(nil)": (*node)(nil),
		"func() *sync.Pool { var v sync.Pool = sync.Pool{New: newAny}; return &v }()": &sync.Pool{New: newAny},
	} {
		p := newPrinter(own)
		p.vars = r.vars
		parts, _, err := p.print("x", reflect.ValueOf(v), bare)
		if err != nil || source(parts) != want {
			t.Errorf("%v is written as %s, want %s (%v)", v, source(parts), want, err)
		}
	}
}
