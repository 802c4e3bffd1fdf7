package pawldrive

import (
	"context"
	"reflect"
	"slices"
	"strings"
	"time"
)

// A caller makes calls as tests do not have them: of other methods, of constructors,
// with values made for them.
type caller struct{ *mutator }

func (d *drive) caller() caller { return caller{d.mut} }

// methodCalls returns calls of the receiver's methods that are known to touch
// nothing but the program, with arguments made for them.
func (c caller) methodCalls(recv any, n int) (out []*input) {
	return c.callsOf(recv, c.f.Methods, n)
}

// listeners are the methods by which a receiver gets functions that it may call
// later.
func (c caller) listeners(recv any) (names []string) {
	t := reflect.TypeOf(recv)
	for _, name := range c.f.Methods {
		if method, ok := t.MethodByName(name); ok {
			for i := 1; i < method.Type.NumIn(); i++ {
				if method.Type.In(i).Kind() == reflect.Func && !slices.Contains(names, name) {
					names = append(names, name)
				}
			}
		}
	}
	return names
}

// callsOf returns calls of some methods.
func (c caller) callsOf(recv any, names []string, n int) (out []*input) {
	t := reflect.TypeOf(recv)
	if t == nil || len(names) == 0 {
		return nil
	}
	for tries := 0; tries < 4*n && len(out) < n; tries++ {
		name := names[c.r.n(len(names))]
		method, ok := t.MethodByName(name)
		if !ok {
			continue
		}
		args, ok := c.argsFor(method.Type, 1)
		if !ok {
			continue
		}
		out = append(out, asCall(append([]any{nil}, args...), func(x []any) []any {
			v := reflect.ValueOf(x[0])
			if !v.IsValid() || v.Type() != t {
				return nil
			}
			return callWith(v.Method(method.Index), x[1:])
		}))
		out[len(out)-1].text = name
	}
	return out
}

// writerCalls returns calls of functions that write what this one reads. Their
// argument 0 stands for a receiver, and is not looked at.
func (c caller) writerCalls(n int) (out []*input) {
	for tries := 0; tries < 4*n && len(out) < n && len(c.f.Beside) > 0; tries++ {
		f := reflect.ValueOf(c.f.Beside[c.r.n(len(c.f.Beside))])
		if args, ok := c.argsFor(f.Type(), 0); ok {
			in := asCall(append([]any{nil}, args...), func(x []any) []any { return callWith(f, x[1:]) })
			in.text = "a function that writes what it reads"
			out = append(out, in)
		}
	}
	return out
}

// construction returns a call of one of the constructors, nil where there is none.
func (c caller) construction(recv any) *input {
	want := reflect.TypeOf(recv)
	for tries := 0; tries < 4 && len(c.f.Makers) > 0; tries++ {
		f := reflect.ValueOf(c.f.Makers[c.r.n(len(c.f.Makers))])
		if f.Type().NumOut() == 0 {
			continue
		}
		if out := f.Type().Out(0); out != want && (out.Kind() != reflect.Interface || !want.Implements(out)) {
			continue
		}
		if args, ok := c.argsFor(f.Type(), 0); ok {
			in := asCall(append([]any{nil}, args...), func(x []any) []any { return callWith(f, x[1:]) })
			in.makes, in.text = true, "a constructor"
			return in
		}
	}
	return nil
}

func callWith(f reflect.Value, args []any) []any {
	in := make([]reflect.Value, len(args))
	for i, a := range args {
		t := f.Type().In(i)
		in[i] = reflect.New(t).Elem()
		if v := reflect.ValueOf(a); v.IsValid() && v.Type().AssignableTo(t) {
			in[i].Set(v)
		}
	}
	call := f.Call
	if f.Type().IsVariadic() {
		call = f.CallSlice
	}
	var out []any
	for _, v := range call(in) {
		out = append(out, v.Interface())
	}
	return out
}

func (c caller) argsFor(t reflect.Type, from int) (out []any, ok bool) {
	if t.NumIn()-from > 5 {
		return nil, false
	}
	for i := from; i < t.NumIn(); i++ {
		v, ok := c.valueOf(t.In(i), 0)
		if !ok {
			return nil, false
		}
		out = append(out, v.Interface())
	}
	return out, true
}

// valueOf makes a value that a caller might pass.
func (c caller) valueOf(t reflect.Type, depth int) (v reflect.Value, ok bool) {
	v = reflect.New(t).Elem()
	if c.plain(v) || c.obliging(v) {
		return v, true
	}
	switch {
	case t.Kind() == reflect.Array && depth < 3 && t.Len() <= 64:
		for i := range t.Len() {
			e, ok := c.valueOf(t.Elem(), depth+1)
			if !ok {
				return v, false
			}
			v.Index(i).Set(e)
		}
	case t.Kind() == reflect.Struct && infoOf(t).special == ordinary && depth < 3:
		for i := range t.NumField() {
			e, ok := c.valueOf(t.Field(i).Type, depth+1)
			if !ok || !t.Field(i).IsExported() {
				return v, false
			}
			v.Field(i).Set(e)
		}
	case t.Kind() == reflect.Pointer && depth < 3:
		e, ok := c.valueOf(t.Elem(), depth+1)
		if !ok {
			return v, false
		}
		v.Set(reflect.New(t.Elem()))
		v.Elem().Set(e)
	case t.Kind() == reflect.Slice && depth < 2:
		n := c.r.n(4)
		if k, ok := c.constant(); ok && depth == 0 && k > 3 && k <= 1<<12 { // few elements, again and again
			n = int(k)
		}
		for i := range n {
			if i > 3 {
				v = reflect.Append(v, v.Index(c.r.n(4)))
				continue
			}
			e, ok := c.valueOf(t.Elem(), depth+1)
			if !ok {
				return v, false
			}
			v = reflect.Append(v, e)
		}
	default:
		return v, false
	}
	return v, true
}

// plain sets a value that has no parts: a number, a text, a moment.
func (c caller) plain(v reflect.Value) bool {
	switch t := v.Type(); {
	case t == reflect.TypeFor[time.Duration]():
		v.SetInt(int64(moments[c.r.n(len(moments))]))
	case v.CanInt():
		v.SetInt(c.modest(t.Bits()))
	case v.CanUint() && t.Kind() != reflect.Uintptr:
		v.SetUint(uint64(max(c.modest(t.Bits()), 0)))
	case v.CanFloat():
		v.SetFloat(float64(c.modest(32)) / 4)
		if c.r.one(3) {
			v.SetFloat(c.float(1))
		}
	case t.Kind() == reflect.Bool:
		v.SetBool(c.r.one(2))
	case t.Kind() == reflect.String:
		v.SetString(c.word())
	case isBytes(t) && c.r.one(2):
		v.SetBytes(c.noise(int(max(c.modest(32), 0))))
	case isBytes(t):
		v.SetBytes([]byte(c.word()))
	case t == timeType:
		v.Set(reflect.ValueOf(c.moment(time.Unix(1714980000, 0))))
	default:
		return false
	}
	return true
}

// obliging sets a function or an interface to something that does as asked.
func (c caller) obliging(v reflect.Value) bool {
	switch t := v.Type(); {
	case t.Kind() == reflect.Func:
		v.Set(reflect.MakeFunc(t, func([]reflect.Value) (out []reflect.Value) {
			for i := range t.NumOut() {
				out = append(out, reflect.Zero(t.Out(i)))
			}
			return out
		})) // a recorder takes its place
	case t == contextType:
		v.Set(reflect.ValueOf(context.Background()))
	case t == errorType:
		v.Set(reflect.ValueOf(errPassed))
	case t.Kind() == reflect.Interface && reflect.TypeFor[*standWriter]().Implements(t) && t.NumMethod() > 0:
		v.Set(reflect.ValueOf(&standWriter{}))
	case t.Kind() == reflect.Interface && reflect.TypeFor[*strings.Reader]().Implements(t) && t.NumMethod() == 0:
		v.Set(reflect.ValueOf(int(c.modest(32))))
	case t.Kind() == reflect.Interface && reflect.TypeFor[*strings.Reader]().Implements(t):
		text := c.word()
		if c.r.one(2) { // more than small buffers hold, of all bytes
			text = string(c.noise(16 << c.r.n(9)))
		}
		v.Set(reflect.ValueOf(strings.NewReader(text)))
	default:
		return false
	}
	return true
}

// modest returns a number that something may be made from: a size, a limit.
func (c caller) modest(bits int) int64 {
	n := []int64{0, 1, 2, 3, 4, 5, 8, 10, 16, 64, 100}[c.r.n(11)]
	if k, ok := c.constant(); ok && k >= -1 && k <= 1<<12 {
		n = k
	}
	if bits == 8 {
		return min(n, 127)
	}
	return n
}

func (c caller) word() string {
	if len(c.texts) > 0 && c.r.one(2) {
		return c.texts[c.r.n(len(c.texts))]
	}
	if c.r.one(3) {
		return string(c.digits())
	}
	return []string{"", "a", "key", "Hello, wörld", "12"}[c.r.n(5)]
}

// noise returns n bytes, any.
func (c caller) noise(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(c.r.next())
	}
	return b
}

// fillings are how often one method is called to fill a receiver, in a row of
// scripts: beyond buffers of usual sizes.
var fillings = []int{40, 600, 150, 1100}

// fillingTime is how long filling a receiver once may take for that to be done again.
const fillingTime = 50 * time.Millisecond

// filling returns n calls of one method that takes something: what happens when a
// buffer is full shows in no other way.
func (c caller) filling(recv any, n int) (out []*input) {
	defer func(r *rng) { c.r = r }(c.r)
	c.r = c.alike // what else is generated stays the same
	t := reflect.TypeOf(recv)
	names := slices.DeleteFunc(slices.Clone(c.f.Methods), func(name string) bool {
		method, ok := t.MethodByName(name)
		return !ok || method.Type.NumIn() < 2
	})
	if len(names) == 0 {
		return nil
	}
	name := names[c.r.n(len(names)):][:1]
	for len(out) < n {
		more := c.callsOf(recv, name, 1)
		if len(more) == 0 {
			return nil
		}
		out = append(out, more...)
	}
	return out
}
