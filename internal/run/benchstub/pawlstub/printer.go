package pawlstub

import (
	"fmt"
	"reflect"
	"sync"
	"unsafe"
)

// The limits of one input.
const (
	dataAt   = 2 << 10  // bytes of a string from which on it is Data
	maxData  = 1 << 20  // bytes of all Data together
	maxText  = 16 << 10 // bytes of all else
	maxDepth = 64
)

// A want says what stands around an expression.
type want int

const (
	bare   want = iota // nothing: the expression itself has to have the type
	typed              // something of that very type, to which constants convert
	elided             // a composite literal of that type, which need not be named
)

// A refusal is why a value has no text.
type refusal struct{ path, why string }

func (r refusal) Error() string { return r.path + " " + r.why }

// A printer writes values as Go expressions for a file of one package.
type printer struct {
	own    string // import path of that package
	vars   []variable
	parts  []Part
	text   int
	data   int
	size   int
	depth  int
	path   string
	within map[visit]bool // pointers that lead to where the printer is
	seen   map[visit]bool
	notes  map[string]bool
	frees  []func()
}

type visit struct {
	p unsafe.Pointer
	t reflect.Type
}

func newPrinter(own string) *printer {
	return &printer{own: own, within: map[visit]bool{}, seen: map[visit]bool{}, notes: map[string]bool{}}
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

func (p *printer) refuse(format string, args ...any) {
	panic(refusal{p.path, fmt.Sprintf(format, args...)})
}

func (p *printer) note(format string, args ...any) { p.notes[fmt.Sprintf(format, args...)] = true }

// capture returns what f writes instead of writing it.
func (p *printer) capture(f func()) []Part {
	outer := p.parts
	p.parts = nil
	f()
	inner := p.parts
	p.parts = outer
	return inner
}

func (p *printer) write(s string) {
	if p.text += len(s); p.text > maxText {
		p.refuse("is larger than %d KiB as source", maxText>>10)
	}
	p.append(Part{Text: s})
}

func (p *printer) append(parts ...Part) {
	for _, x := range parts {
		last := len(p.parts) - 1
		if last >= 0 && x.Name == "" && x.Data == nil && p.parts[last].Name == "" && p.parts[last].Data == nil {
			p.parts[last].Text += x.Text
			continue
		}
		p.parts = append(p.parts, x)
	}
}

// named writes a declared name of a package.
func (p *printer) named(pkg, name string) {
	p.text += len(name)
	p.append(Part{Pkg: pkg, Name: name})
}

// large writes a string or a slice of bytes that goes to a file.
func (p *printer) large(b []byte, str bool) {
	if p.data += len(b); p.data > maxData {
		p.refuse("is larger than %d KiB", maxData>>10)
	}
	p.append(Part{Data: append([]byte(nil), b...), String: str})
}

// at prints a part of the value at hand.
func (p *printer) at(step string, f func()) {
	old := p.path
	p.path += step
	f()
	p.path = old
}

// addressable returns v in memory of its own, unless it lies in memory already.
func addressable(v reflect.Value) reflect.Value {
	if v.CanAddr() {
		return v
	}
	c := reflect.New(v.Type()).Elem()
	c.Set(v)
	return c
}

// fieldOf returns a field as if it were exported; v must be addressable.
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
