package pawlstub

import (
	"fmt"
	"reflect"
	"sync"
	"unsafe"
)

// A want says what stands around an expression.
type want int

const (
	bare   want = iota // nothing: the expression itself has to have the type
	typed              // something of that very type, to which constants convert
	elided             // a composite literal of that type, which need not be named
)

// A printer writes values as Go expressions for a file of one package.
type printer struct {
	writer
	vars   []variable
	size   int
	depth  int
	within map[visit]bool // pointers that lead to where the printer is
	seen   map[visit]bool
	frees  []func()
}

type visit struct {
	p unsafe.Pointer
	t reflect.Type
}

func newPrinter(own string) *printer {
	return &printer{writer: writer{own: own, notes: map[string]bool{}}, within: map[visit]bool{}, seen: map[visit]bool{}}
}

// print returns the text of a value that path names, and what it holds in
// bytes. The error is a refusal.
func (p *printer) print(path string, v reflect.Value, w want) (parts []Part, size int, err error) {
	defer func() {
		for _, free := range p.frees {
			free()
		}
		p.frees = nil
		if r := recover(); r != nil {
			why, ok := r.(refusal)
			if !ok {
				why = refusal{p.path, fmt.Sprintf("cannot be read: %v", r)}
			}
			err = why
		}
	}()
	p.path, p.depth, p.size = path, 0, 0
	p.within = map[visit]bool{}
	parts = p.capture(func() { p.value(addressable(v), w) })
	return parts, p.size, nil
}

func addressable(v reflect.Value) reflect.Value {
	if v.CanAddr() {
		return v
	}
	c := reflect.New(v.Type()).Elem()
	c.Set(v)
	return c
}

func fieldOf(v reflect.Value, i int) reflect.Value {
	f := v.Field(i)
	return reflect.NewAt(f.Type(), unsafe.Pointer(f.UnsafeAddr())).Elem()
}

// lock holds a mutex until the text is done, so that nobody writes what it
// guards meanwhile.
func (p *printer) lock(v reflect.Value) {
	switch m := v.Addr().Interface().(type) {
	case *sync.Mutex:
		if !m.TryLock() {
			p.refuse("is a mutex that was held at the call")
		}
		p.frees = append(p.frees, m.Unlock)
	case *sync.RWMutex:
		if !m.TryRLock() {
			p.refuse("is a mutex that was held at the call")
		}
		p.frees = append(p.frees, m.RUnlock)
	}
}
