package pawlstub

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"go/token"
	"io"
	"math/big"
	"net/netip"
	"reflect"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"time"
)

// wellKnown are variables that stand for themselves: it matters which one it is.
var wellKnown = []struct {
	v         any
	pkg, name string
}{
	{io.EOF, "io", "EOF"}, {io.ErrUnexpectedEOF, "io", "ErrUnexpectedEOF"}, {io.ErrShortBuffer, "io", "ErrShortBuffer"},
	{context.Canceled, "context", "Canceled"}, {context.DeadlineExceeded, "context", "DeadlineExceeded"},
	{io.Discard, "io", "Discard"}, {time.UTC, "time", "UTC"}, {time.Local, "time", "Local"},
}

// A standard writes values of the standard library whose state is not in exported fields.
type standard struct{ *printer }

// specials are its methods, by the types. They are listed when first asked for: by an init they would be part of pawl, and all that
// they call with them, while pawl needs no more of this package than the types of what is written.
var specials struct {
	sync.Once
	byType map[reflect.Type]func(standard, reflect.Value)
}

func specialOf(t reflect.Type) func(standard, reflect.Value) {
	specials.Do(func() {
		specials.byType = map[reflect.Type]func(standard, reflect.Value){
			reflect.TypeFor[time.Time]():         standard.moment,
			reflect.TypeFor[time.Duration]():     standard.duration,
			reflect.TypeFor[sync.Pool]():         standard.pool,
			reflect.TypeFor[*time.Location]():    standard.location,
			reflect.TypeFor[*regexp.Regexp]():    standard.pattern,
			reflect.TypeFor[*big.Int]():          standard.bigInt,
			reflect.TypeFor[netip.Addr]():        standard.addr,
			reflect.TypeFor[netip.Prefix]():      standard.prefix,
			reflect.TypeFor[*strings.Reader]():   standard.stringsReader,
			reflect.TypeFor[*bytes.Reader]():     standard.bytesReader,
			reflect.TypeFor[*bytes.Buffer]():     standard.buffer,
			reflect.TypeFor[*bufio.Reader]():     standard.bufReader,
			reflect.TypeFor[*bufio.Writer]():     standard.bufWriter,
			reflect.TypeOf(context.Background()): standard.background,
			reflect.TypeOf(context.TODO()):       standard.background,
			reflect.TypeOf(errors.New("")):       standard.plainError,
		}
	})
	return specials.byType[t]
}

// special writes v if it is one of the values that need a way of their own, and
// reports whether it was.
func (p *printer) special(v reflect.Value, w want) bool {
	t := v.Type()
	if isMutex(t) {
		p.lock(v)
		p.typ(t)
		p.write("{}")
		return true
	}
	if t.Kind() == reflect.Pointer && v.IsNil() {
		return false
	}
	if t.Comparable() && t.Kind() == reflect.Pointer || t.Kind() == reflect.Struct && t.Size() == 0 {
		for _, k := range wellKnown {
			if reflect.TypeOf(k.v) == t && k.v == v.Interface() {
				p.named(k.pkg, k.name)
				return true
			}
		}
	}
	if live(t) {
		p.refuse("is a live %s", t)
	}
	if p.cancellable(v) {
		return true
	}
	f := specialOf(t)
	if f != nil {
		p.size += int(t.Size())
		f(standard{p}, v)
	}
	return f != nil
}

func isSpecial(t reflect.Type) bool {
	return specialOf(t) != nil || isMutex(t) || live(t) || t == reflect.TypeOf(io.Discard)
}

func isMutex(t reflect.Type) bool {
	return t == reflect.TypeFor[sync.Mutex]() || t == reflect.TypeFor[sync.RWMutex]()
}

// live reports whether a type stands for something outside the program, or for
// a test that is over when the benchmark runs.
func live(t reflect.Type) bool {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch t.PkgPath() + "." + t.Name() {
	case "os.File", "os.Process", "os/exec.Cmd", "time.Timer", "time.Ticker", "internal/poll.FD":
		return true
	}
	return t.PkgPath() == "testing" || t.PkgPath() == "net" && t.Kind() == reflect.Struct && strings.HasSuffix(t.Name(), "Conn") || t.PkgPath() == "database/sql" && t.Name() == "DB"
}

// cancellable writes a context that the test may cancel as one that nobody
// cancels, unless values hang on it.
func (p *printer) cancellable(v reflect.Value) bool {
	t := v.Type()
	if t.Kind() != reflect.Pointer || t.Elem().PkgPath() != "context" {
		return false
	}
	name := t.Elem().Name()
	if name != "cancelCtx" && name != "timerCtx" && name != "withoutCancelCtx" {
		p.refuse("is a context with values of the test's own (%s)", t)
	}
	ctx := v.Interface().(context.Context)
	if ctx.Err() != nil {
		p.refuse("is a context that was cancelled already")
	}
	for c := v.Elem(); ; {
		parent := parentOf(c)
		if !parent.IsValid() {
			break
		}
		e := parent.Elem()
		if e.Kind() != reflect.Pointer {
			break // Background or TODO
		}
		if n := e.Type().Elem().Name(); e.Type().Elem().PkgPath() != "context" || n != "cancelCtx" && n != "timerCtx" && n != "withoutCancelCtx" {
			p.refuse("is a context with values of the test's own (%s)", e.Type())
		}
		c = e.Elem()
	}
	p.note("%s is written as a context that nobody cancels", p.path)
	p.named("context", "Background")
	p.write("()")
	return true
}

// parentOf returns the context inside one of package context.
func parentOf(c reflect.Value) reflect.Value {
	for i := range c.NumField() {
		f := c.Field(i)
		if f.Type() == reflect.TypeFor[context.Context]() && !f.IsNil() {
			return f
		}
		if f.Kind() == reflect.Struct && f.Type().Name() == "cancelCtx" {
			return parentOf(f)
		}
	}
	return reflect.Value{}
}

func (p standard) moment(v reflect.Value) {
	t := v.Interface().(time.Time)
	if t.IsZero() && t.Location() == time.UTC {
		p.named("time", "Time")
		p.write("{}")
		return
	}
	p.named("time", "Date")
	p.write(fmt.Sprintf("(%d, %d, %d, %d, %d, %d, %d, ", t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), t.Nanosecond()))
	switch loc := t.Location(); loc {
	case time.UTC, time.Local:
		p.named("time", loc.String())
	default:
		name, offset := t.Zone()
		p.note("%s is written in a fixed time zone", p.path)
		p.named("time", "FixedZone")
		p.write(fmt.Sprintf("(%q, %d)", name, offset))
	}
	p.write(")")
}

func (p standard) location(reflect.Value) {
	p.refuse("is a time zone other than UTC and the local one")
}

// units are those that a duration is written in.
var units = []struct {
	d    time.Duration
	name string
}{
	{time.Hour, "Hour"}, {time.Minute, "Minute"}, {time.Second, "Second"},
	{time.Millisecond, "Millisecond"}, {time.Microsecond, "Microsecond"},
}

func (p standard) duration(v reflect.Value) {
	d := time.Duration(v.Int())
	for _, u := range units {
		if d != 0 && d%u.d == 0 {
			if d != u.d {
				p.write(strconv.FormatInt(int64(d/u.d), 10) + " * ")
			}
			p.named("time", u.name)
			return
		}
	}
	p.named("time", "Duration")
	p.write("(" + strconv.FormatInt(int64(d), 10) + ")")
}

func (p standard) pattern(v reflect.Value) {
	p.named("regexp", "MustCompile")
	p.write("(" + quote(v.Interface().(*regexp.Regexp).String()) + ")")
}

func (p standard) bigInt(v reflect.Value) {
	n := v.Interface().(*big.Int)
	p.size += len(n.Bytes())
	if n.IsInt64() {
		p.named("math/big", "NewInt")
		p.write("(" + n.String() + ")")
		return
	}
	p.write("new(")
	p.named("math/big", "Int")
	p.write(")")
	if n.Sign() < 0 {
		p.write(".Neg(new(")
		p.named("math/big", "Int")
		p.write(")")
		defer p.write(")")
	}
	p.write(".SetBytes([]byte(" + strconv.Quote(string(n.Bytes())) + "))")
}

func (p standard) addr(v reflect.Value) {
	if v.IsZero() {
		p.named("net/netip", "Addr")
		p.write("{}")
		return
	}
	p.named("net/netip", "MustParseAddr")
	p.write("(" + strconv.Quote(v.Interface().(netip.Addr).String()) + ")")
}

func (p standard) prefix(v reflect.Value) {
	x := v.Interface().(netip.Prefix)
	if !x.IsValid() {
		if !v.IsZero() {
			p.refuse("is an invalid prefix")
		}
		p.named("net/netip", "Prefix")
		p.write("{}")
		return
	}
	p.named("net/netip", "MustParsePrefix")
	p.write("(" + strconv.Quote(x.String()) + ")")
}

func (p standard) stringsReader(v reflect.Value) {
	r := *v.Interface().(*strings.Reader)
	p.begun(int64(r.Len()), r.Size())
	var b strings.Builder
	_, _ = r.WriteTo(&b) // a Builder takes all
	p.named("strings", "NewReader")
	p.write("(")
	p.value(addressable(reflect.ValueOf(b.String())), bare)
	p.write(")")
}

func (p standard) bytesReader(v reflect.Value) {
	r := *v.Interface().(*bytes.Reader)
	p.begun(int64(r.Len()), r.Size())
	var b bytes.Buffer
	_, _ = r.WriteTo(&b) // a Buffer takes all
	p.named("bytes", "NewReader")
	p.write("(")
	p.value(addressable(reflect.ValueOf(b.Bytes())), bare)
	p.write(")")
}

func (p standard) begun(left, size int64) {
	if left != size {
		p.note("%s had been read to its byte %d, and is written with what was left", p.path, size-left)
	}
}

func (p standard) buffer(v reflect.Value) {
	b := v.Interface().(*bytes.Buffer).Bytes()
	if len(b) == 0 {
		p.write("new(")
		p.named("bytes", "Buffer")
		p.write(")")
		return
	}
	p.named("bytes", "NewBuffer")
	p.write("(")
	p.value(addressable(reflect.ValueOf(b)), bare)
	p.write(")")
}

func (p standard) bufReader(v reflect.Value) {
	r := v.Interface().(*bufio.Reader)
	if r.Buffered() > 0 {
		p.refuse("is a bufio.Reader that has been read from")
	}
	p.buffered("NewReaderSize", "rd", v, r.Size())
}

func (p standard) bufWriter(v reflect.Value) {
	w := v.Interface().(*bufio.Writer)
	if w.Buffered() > 0 {
		p.refuse("is a bufio.Writer that has been written to")
	}
	p.buffered("NewWriterSize", "wr", v, w.Size())
}

func (p standard) buffered(create, field string, v reflect.Value, size int) {
	f, ok := v.Type().Elem().FieldByName(field)
	if !ok {
		p.refuse("is a %s of an unknown layout", v.Type())
	}
	p.named("bufio", create)
	p.write("(")
	p.at("."+field, func() { p.value(fieldOf(v.Elem(), f.Index[0]), bare) })
	p.write(fmt.Sprintf(", %d)", size))
}

// pool writes an empty pool: what is in one may be dropped at any time.
func (p standard) pool(v reflect.Value) {
	p.note("%s is written as an empty pool", p.path)
	p.named("sync", "Pool")
	p.write("{")
	if f := v.FieldByName("New"); !f.IsNil() {
		p.write("New: ")
		p.at(".New", func() { p.value(f, typed) })
	}
	p.write("}")
}

func (p standard) background(v reflect.Value) {
	name := "Background"
	if v.Interface() == context.TODO() {
		name = "TODO"
	}
	p.named("context", name)
	p.write("()")
}

func (p standard) plainError(v reflect.Value) {
	p.named("errors", "New")
	p.write("(" + quote(v.Interface().(error).Error()) + ")")
}

// function writes a function that has a name.
func (p *printer) function(v reflect.Value, w want) {
	if v.IsNil() {
		p.null(v.Type(), w)
		return
	}
	full := runtime.FuncForPC(v.Pointer()).Name()
	dot := strings.LastIndexByte(full, '/') + 1
	at := strings.IndexByte(full[dot:], '.')
	if at < 0 || strings.ContainsAny(full[dot+at+1:], ".()[]-·") {
		p.refuse("is a function without a name of its own (%s)", full)
	}
	pkg, name := strings.ReplaceAll(full[:dot+at], "%2e", "."), full[dot+at+1:]
	if pkg != p.own && !token.IsExported(name) || pkg == "main" || strings.HasSuffix(pkg, "_test") && pkg != p.own {
		p.refuse("is the function %s, which is not exported", full)
	}
	p.size += int(v.Type().Size())
	p.named(pkg, name)
}
