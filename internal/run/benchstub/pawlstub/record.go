package pawlstub

import (
	"bytes"
	"encoding/json"
	"hash/maphash"
	"os"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// What is recorded.
const (
	firstCalls  = 4096             // looked at in any case
	maxInputs   = 2048             // written, but for those that are larger than any before
	maxRecorded = 64 << 20         // bytes
	maxSpent    = 10 * time.Second // in Enter and Leave
	maxRefusals = 64               // with reasons of their own
)

// A recorder is what a process knows. There is one, since the hook has nothing
// to hand to the library but its call.
type recorder struct {
	on    atomic.Bool
	calls atomic.Int64
	spent atomic.Int64 // nanoseconds

	vars    []variable // complete when the first call comes
	mu      sync.Mutex
	file    *os.File
	seed    maphash.Seed
	seen    map[uint64]bool
	inside  map[string]bool // goroutines that are in a recorded call
	largest int
	inputs  int
	bytes   int
}

var rec = open(os.Getenv("PAWL_STUB_OUT"))

func open(name string) *recorder {
	r := &recorder{seed: maphash.MakeSeed(), seen: map[uint64]bool{}, inside: map[string]bool{}}
	if name == "" {
		return r
	}
	var err error
	if r.file, err = os.OpenFile(name, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600); err == nil {
		r.on.Store(true)
	}
	return r
}

// On reports whether calls are being recorded. It costs one load.
func On() bool { return rec.on.Load() }

// A Call is one call that is looked at.
type Call struct {
	r         *recorder
	goroutine string
	own       string
	args      []reflect.Value // as they were handed in, with what they lead to now
	in        Input
}

// Enter looks at a call: own is the import path of the function's package,
// names those of the receiver and the parameters with commas between, and args
// are pointers to them. It returns nil for a call that is passed over.
func Enter(own, names string, args ...any) *Call { return rec.enter(own, names, args) }

func (r *recorder) enter(own, names string, args []any) *Call {
	n := r.calls.Add(1)
	if r.spent.Load() > int64(maxSpent) {
		return nil
	}
	start := time.Now()
	defer func() { r.spent.Add(int64(time.Since(start))) }()
	size := 0
	for _, a := range args {
		size += roughly(reflect.ValueOf(a).Elem())
	}
	g := goroutine()
	if !r.take(g, n, size) {
		return nil
	}
	c := &Call{r: r, goroutine: g, own: own}
	for _, a := range args {
		v := reflect.ValueOf(a).Elem()
		kept := reflect.New(v.Type()).Elem()
		kept.Set(v)
		c.args = append(c.args, kept)
	}
	c.look(strings.Split(names, ","))
	return c
}

// take reports whether a call is to be looked at.
func (r *recorder) take(g string, n int64, size int) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.inside[g] || n > firstCalls && n&(n-1) != 0 && size <= r.largest {
		return false
	}
	r.inside[g] = true
	r.largest = max(r.largest, size)
	return true
}

// look takes the texts of the arguments.
func (c *Call) look(names []string) {
	p := newPrinter(c.own)
	p.vars = c.r.vars
	for i, v := range c.args {
		parts, size, err := p.print(names[i], v, wantOf(v))
		if err != nil {
			c.in = Input{Refused: err.Error()}
			return
		}
		t := v.Type()
		x := Param{Name: names[i], Type: typeParts(c.own, t), Expr: parts, Size: size, Kind: t.Kind().String(), Zero: v.IsZero()}
		x.Bytes = t.Kind() == reflect.String || t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Uint8
		x.Flat = t.Kind() == reflect.Slice && flat(t.Elem())
		if t.Kind() == reflect.Slice && v.Len() == 0 && v.Cap() > 0 && len(x.Type) > 0 {
			x.Expr = p.capture(func() { p.room(v) })
		}
		c.in.Params = append(c.in.Params, x)
		c.in.Size += size
	}
	for note := range p.notes {
		c.in.Notes = append(c.in.Notes, note)
	}
	slices.Sort(c.in.Notes)
}

// room writes an empty slice with its capacity, which is what functions that
// append are given.
func (p *printer) room(v reflect.Value) {
	p.write("make(")
	p.typ(v.Type())
	p.write(", 0, ")
	p.value(addressable(reflect.ValueOf(v.Cap())), bare)
	p.write(")")
}

// wantOf is bare unless the variable gets its type from its declaration.
func wantOf(v reflect.Value) want {
	if v.Kind() == reflect.Interface || v.IsZero() {
		return typed
	}
	return bare
}

// flat reports whether copying a value of the type copies all of it.
func flat(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Array:
		return flat(t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			if !flat(t.Field(i).Type) {
				return false
			}
		}
		return true
	case reflect.Pointer, reflect.Map, reflect.Slice, reflect.Interface, reflect.Chan, reflect.Func, reflect.UnsafePointer:
		return false
	}
	return true
}

// Leave takes what the function panicked with, or nil, and pointers to its
// results. It panics with the former again.
func (c *Call) Leave(panicked any, results ...any) {
	if c != nil {
		c.leave(panicked != nil, results)
	}
	if panicked != nil {
		panic(panicked)
	}
}

func (c *Call) leave(panicked bool, results []any) {
	start := time.Now()
	defer func() { c.r.spent.Add(int64(time.Since(start))) }()
	if c.in.Refused == "" {
		c.compare()
		for _, x := range results {
			c.in.Results = append(c.in.Results, typeParts(c.own, reflect.TypeOf(x).Elem()))
		}
		c.in.Failed = failed(panicked, results)
	}
	c.r.put(c)
}

// failed says how a call did not succeed, or "".
func failed(panicked bool, results []any) string {
	if panicked {
		return "panic"
	}
	if len(results) == 0 {
		return ""
	}
	last := reflect.ValueOf(results[len(results)-1]).Elem()
	if last.Type() == reflect.TypeFor[error]() && !last.IsNil() {
		return "error"
	}
	return ""
}

func (c *Call) compare() {
	p := newPrinter(c.own)
	p.vars = c.r.vars
	for i, v := range c.args {
		if strings.HasPrefix(c.in.Params[i].Expr[0].Text, "make(") {
			continue // what is behind its length does not count
		}
		parts, _, err := p.print("", v, wantOf(v))
		c.in.Params[i].Written = err != nil || key(parts) != key(c.in.Params[i].Expr)
	}
}

// put writes an input that was not there before.
func (r *recorder) put(c *Call) {
	var all strings.Builder
	all.WriteString(c.in.Refused)
	for _, x := range c.in.Params {
		all.WriteString(key(x.Type) + key(x.Expr))
	}
	h := maphash.String(r.seed, all.String())
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.inside, c.goroutine)
	if r.seen[h] || r.bytes > maxRecorded || c.in.Refused != "" && r.inputs > maxRefusals || r.inputs > maxInputs && c.in.Size < r.largest {
		return
	}
	line, err := json.Marshal(c.in)
	if err != nil {
		return
	}
	r.seen[h] = true
	r.inputs++
	r.bytes += len(line)
	_, _ = r.file.Write(append(line, '\n')) // a line that is missing is an input that is missing
}

// roughly says how large a value is, at a glance.
func roughly(v reflect.Value) int {
	switch v.Kind() {
	case reflect.String, reflect.Slice, reflect.Map:
		return v.Len()
	case reflect.Interface:
		if !v.IsNil() {
			return roughly(v.Elem())
		}
	case reflect.Pointer:
		if !v.IsNil() && v.Elem().Kind() == reflect.Struct {
			return roughly(v.Elem())
		}
	case reflect.Struct:
		n := 0
		for i := range v.NumField() {
			switch f := v.Field(i); f.Kind() {
			case reflect.String, reflect.Slice:
				n += f.Len()
			}
		}
		return n
	}
	return 0
}

// goroutine returns what tells this goroutine from others.
func goroutine() string {
	var b [64]byte
	text := b[:runtime.Stack(b[:], false)]
	if i := bytes.IndexByte(text, '['); i > 0 {
		text = text[:i]
	}
	return string(text)
}
