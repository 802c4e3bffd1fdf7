package pawldrive

import (
	"fmt"
	"hash/fnv"
	"reflect"
	"runtime"
	"strings"
	"unsafe"
)

// maxCalls is how often a function under test may call what it was given.
const maxCalls = 10_000

// A calls logs the calls of the function parameters of one call.
type calls struct {
	log   []funcCall
	total int
	// relaxed parameters are comparisons: how often they are asked is the
	// algorithm's own business.
	relaxed map[int]bool
	mood    *mood
}

// givenBefore is the number of the first parameter of what set up the receiver,
// in the place of that of the call itself.
const givenBefore = 100

// heldFunc is the number of functions that the receiver, or an argument, holds in
// its fields.
const heldFunc = givenBefore - 2

type funcCall struct {
	param int
	args  []any // copies, as they were at the call
}

// tooOften ends a function that would call its parameter forever. It is how often it may.
type tooOften int

func (most tooOften) Error() string {
	return fmt.Sprintf("a function parameter was called more than %d times", int(most))
}

// moreComparisons is how many times as often a comparison may be asked: another way to sort asks it
// more often, and it answers at once.
const moreComparisons = 100

// replaceFuncs puts recorders in the place of function arguments: what they
// would call belongs to a test that is over.
func replaceFuncs(args []any, receiver bool) {
	(&calls{relaxed: map[int]bool{}}).replace(args, receiver, 0)
}

// replace does it for one call; its parameters are numbered from first.
func (c *calls) replace(args []any, receiver bool, first int) {
	for i, a := range args {
		v := reflect.ValueOf(a)
		if !v.IsValid() || v.Kind() != reflect.Func || v.IsNil() || i == 0 && receiver {
			continue
		}
		args[i] = c.recorder(first+i, v.Type())
	}
}

func (c *calls) recorder(param int, t reflect.Type) any {
	compares, most := isComparison(t), maxCalls
	if compares {
		c.relaxed[param] = true
		most *= moreComparisons
	}
	return reflect.MakeFunc(t, func(in []reflect.Value) []reflect.Value {
		if c.total++; c.total > most {
			panic(tooOften(most))
		}
		if compares {
			return []reflect.Value{answer(t.Out(0), in[0], in[1])}
		}
		list := make([]any, len(in))
		for i := range in {
			list[i] = in[i].Interface()
		}
		h := hashAll(list)
		if len(in) == 0 {
			h = mix(uint64(c.total))
		}
		if len(c.log) < 1024 {
			if kept, err := duplicate(list); err == nil {
				c.log = append(c.log, funcCall{param, kept})
			} else {
				c.log = append(c.log, funcCall{param, nil})
			}
		}
		fails := c.mood.strikes(c.total)
		out := make([]reflect.Value, t.NumOut())
		for i := range out {
			out[i] = made(t.Out(i), in, mix(h+uint64(i)), c.total)
			if fails && t.Out(i) == errorType {
				out[i] = reflect.ValueOf(&errPassed).Elem()
			}
		}
		return out
	}).Interface()
}

// withHeld copies the input of a call. What a test passed in and fields hold does
// what it did, and is seen, and has a mood.
func withHeld(list []any, log **calls) ([]any, error) {
	c := newCopier(false)
	c.limit = 64 * maxBytes
	c.stand = func(f reflect.Value) reflect.Value { return heldRecorder(f, log) }
	return c.copy(list)
}

// isPassed reports whether a function value is one of a test's.
func isPassed(p unsafe.Pointer) bool {
	if p == nil {
		return false
	}
	pc := *(*uintptr)(p)
	f := runtime.FuncForPC(pc)
	if f == nil {
		return false
	}
	file, _ := f.FileLine(pc)
	return strings.HasSuffix(file, "_test.go")
}

// heldRecorder stands for a function in a field. Of one that tells something, and
// returns an error at most, the calls are logged: how often another one is asked is the
// algorithm's own business.
func heldRecorder(f reflect.Value, log **calls) reflect.Value {
	t := f.Type()
	if t.NumOut() > 1 || t.NumOut() == 1 && t.Out(0) != errorType {
		return f
	}
	return reflect.MakeFunc(t, func(in []reflect.Value) []reflect.Value {
		c := *log
		list := make([]any, len(in))
		for i := range in {
			list[i] = in[i].Interface()
		}
		if len(c.log) < 1024 {
			kept, _ := duplicate(list)
			c.log = append(c.log, funcCall{heldFunc, kept})
		}
		c.total++
		if c.mood.strikes(c.total) && t.NumOut() == 1 {
			return []reflect.Value{reflect.ValueOf(&errPassed).Elem()}
		}
		return forward(f, in)
	})
}

// forward calls a test's function. That its test is over is not what is compared.
func forward(f reflect.Value, in []reflect.Value) (out []reflect.Value) {
	defer func() {
		if recover() != nil {
			for i := range f.Type().NumOut() {
				out = append(out, reflect.Zero(f.Type().Out(i)))
			}
		}
	}()
	if f.Type().IsVariadic() {
		return f.CallSlice(in)
	}
	return f.Call(in)
}

// isComparison reports whether t has the shape of less(a, b T) bool or
// cmp(a, b T) int.
func isComparison(t reflect.Type) bool {
	return t.NumIn() == 2 && t.NumOut() == 1 && !t.IsVariadic() && t.In(0) == t.In(1) &&
		(t.Out(0).Kind() == reflect.Bool || t.Out(0).Kind() == reflect.Int)
}

// answer orders two values, consistently: numbers and strings as they are, all
// others by a hash of what they hold.
func answer(t reflect.Type, a, b reflect.Value) reflect.Value {
	out := reflect.New(t).Elem()
	sign := order(a, b)
	if t.Kind() == reflect.Bool {
		out.SetBool(sign < 0)
	} else {
		out.SetInt(int64(sign))
	}
	return out
}

func order(a, b reflect.Value) int {
	less := func(x, y reflect.Value) bool { return hashAll([]any{x.Interface()}) < hashAll([]any{y.Interface()}) }
	switch {
	case a.CanInt():
		less = func(x, y reflect.Value) bool { return x.Int() < y.Int() }
	case a.CanUint():
		less = func(x, y reflect.Value) bool { return x.Uint() < y.Uint() }
	case a.CanFloat():
		less = func(x, y reflect.Value) bool { return x.Float() < y.Float() }
	case a.Kind() == reflect.String:
		less = func(x, y reflect.Value) bool { return x.String() < y.String() }
	}
	switch {
	case less(a, b):
		return -1
	case less(b, a):
		return 1
	}
	return 0
}

// made returns what a recorder answers: the same for the same arguments.
func made(t reflect.Type, in []reflect.Value, h uint64, call int) reflect.Value {
	out := reflect.New(t).Elem()
	switch t.Kind() {
	case reflect.Bool:
		out.SetBool(h%4 != 0 && call < 64)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		out.SetInt(int64(h % 100))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		out.SetUint(h % 100)
	case reflect.Float32, reflect.Float64:
		out.SetFloat(float64(h%1000) / 8)
	case reflect.String:
		out.SetString(fmt.Sprintf("s%d", h%1000))
	case reflect.Interface:
		if t == errorType {
			break
		}
		fallthrough
	default:
		for _, v := range in {
			if v.Type() != t {
				continue
			}
			// Not the argument itself, which the caller may write again.
			if list, err := duplicate([]any{v.Interface()}); err == nil && list[0] != nil {
				out.Set(reflect.ValueOf(list[0]))
			}
			break
		}
	}
	return out
}

// hashAll hashes what values hold, and not where they lie.
func hashAll(list []any) uint64 {
	f := fnv.New64a()
	for _, v := range list {
		d := &describer{limit: 4 * maxText}
		d.value(anyType, unsafe.Pointer(&v))
		f.Write([]byte(d.b.String()))
		f.Write([]byte{0})
	}
	return mix(f.Sum64())
}

// mix is the finalizer of splitmix64.
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
