package pawldrive

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"unicode/utf8"
	"unsafe"
)

// maxText is how long a value's description may get, in bytes.
const maxText = 200

// A describer writes values as Go-like text and calls none of their methods
// but Error.
type describer struct {
	b     strings.Builder
	limit int
	depth int
}

func describe(v any) string {
	return describeAll([]any{v})
}

// describeAll does the same for several values, with commas between.
func describeAll(list []any) (text string) {
	d := &describer{limit: maxText}
	defer func() {
		if recover() != nil {
			text = d.b.String() + "…"
		}
	}()
	for i := range list {
		if i > 0 {
			d.b.WriteString(", ")
		}
		d.value(anyType, unsafe.Pointer(&list[i]))
	}
	return shorten(d.b.String(), maxText)
}

func shorten(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	cut := limit - len("…")
	for cut > 0 && !utf8.RuneStart(s[cut]) {
		cut--
	}
	return s[:cut] + "…"
}

func (d *describer) full() bool { return d.b.Len() > d.limit }

func (d *describer) value(t reflect.Type, p unsafe.Pointer) {
	if d.full() {
		return
	}
	if d.depth++; d.depth > 12 {
		d.b.WriteString("…")
		d.depth--
		return
	}
	defer func() { d.depth-- }()
	if d.special(t, p) {
		return
	}
	switch t.Kind() {
	case reflect.Interface:
		d.iface(t, p)
	case reflect.Pointer:
		d.pointer(t, *(*unsafe.Pointer)(p))
	case reflect.String:
		d.text(t, *(*string)(p))
	case reflect.Slice:
		d.slice(t, *(*sliceHeader)(p))
	case reflect.Array:
		d.b.WriteString(t.String())
		d.list(t.Elem(), p, t.Len())
	case reflect.Struct:
		d.structure(t, p)
	case reflect.Map:
		d.mapping(t, p)
	case reflect.Func, reflect.Chan, reflect.UnsafePointer:
		if *(*unsafe.Pointer)(p) == nil {
			fmt.Fprintf(&d.b, "%s(nil)", t)
		} else {
			fmt.Fprintf(&d.b, "%s(…)", t)
		}
	default:
		d.basic(t, p)
	}
}

func (d *describer) special(t reflect.Type, p unsafe.Pointer) bool {
	switch infoOf(t).special {
	case mutex, rwMutex, pool, syncMap, reflectVal, cond:
		fmt.Fprintf(&d.b, "%s{…}", t)
	case builder:
		fmt.Fprintf(&d.b, "strings.Builder(%q)", shorten((*strings.Builder)(p).String(), maxText))
	case buffer:
		fmt.Fprintf(&d.b, "bytes.Buffer(%q)", shorten(string(bufferBytes(p)), maxText))
	default:
		return false
	}
	return true
}

func (d *describer) iface(t reflect.Type, p unsafe.Pointer) {
	v := at(t, p)
	if v.IsNil() {
		d.b.WriteString("nil")
		return
	}
	v = v.Elem()
	if v.Type().Implements(errorType) {
		fmt.Fprintf(&d.b, "%s(%q)", v.Type(), shorten(errorText(v.Interface().(error)), maxText))
		return
	}
	box := reflect.New(v.Type())
	box.Elem().Set(v)
	d.value(v.Type(), box.UnsafePointer())
}

// errorText asks an error for its text, which may panic.
func errorText(err error) (text string) {
	defer func() {
		if r := recover(); r != nil {
			text = fmt.Sprintf("(Error panics, %T)", r)
		}
	}()
	return err.Error()
}

func (d *describer) pointer(t reflect.Type, q unsafe.Pointer) {
	if q == nil {
		fmt.Fprintf(&d.b, "(%s)(nil)", t)
		return
	}
	if infoOf(t.Elem()).special == shared {
		fmt.Fprintf(&d.b, "%s(…)", t)
		return
	}
	d.b.WriteString("&")
	d.value(t.Elem(), q)
}

func (d *describer) text(t reflect.Type, s string) {
	q := strconv.Quote(shorten(s, maxText))
	if t.PkgPath() != "" {
		q = t.String() + "(" + q + ")"
	}
	d.b.WriteString(q)
	if len(s) > maxText {
		fmt.Fprintf(&d.b, " (%d bytes)", len(s))
	}
}

func (d *describer) slice(t reflect.Type, h sliceHeader) {
	if h.data == nil {
		fmt.Fprintf(&d.b, "%s(nil)", t)
		return
	}
	if t.Elem().Kind() == reflect.Uint8 {
		s := unsafe.String((*byte)(h.data), h.len)
		fmt.Fprintf(&d.b, "%s(%s)", strings.Replace(t.String(), "uint8", "byte", 1), strconv.Quote(shorten(s, maxText)))
		if h.len > maxText {
			fmt.Fprintf(&d.b, " (%d bytes)", h.len)
		}
		return
	}
	d.b.WriteString(t.String())
	d.list(t.Elem(), h.data, h.len)
}

func (d *describer) list(elem reflect.Type, p unsafe.Pointer, n int) {
	d.b.WriteString("{")
	for i := 0; i < n && !d.full(); i++ {
		if i > 0 {
			d.b.WriteString(", ")
		}
		d.value(elem, unsafe.Add(p, uintptr(i)*elem.Size()))
	}
	d.b.WriteString("}")
}

// call writes a step as a call: on which value, and with what. Values are numbered as they are made.
func (d *describer) call(v reflect.Value) {
	name, fields := v.Interface().(step).PawlCall()
	if strings.HasPrefix(name, ".") {
		fmt.Fprintf(&d.b, "#%d", v.FieldByName("On").Int())
	}
	d.b.WriteString(name + "(")
	for i, field := range fields {
		if i > 0 {
			d.b.WriteString(", ")
		}
		if f := v.FieldByName(field); f.IsValid() {
			d.value(f.Type(), f.Addr().UnsafePointer())
		} else {
			fmt.Fprintf(&d.b, "#%d", v.FieldByName("With").Int())
		}
	}
	d.b.WriteString(")")
}

func (d *describer) structure(t reflect.Type, p unsafe.Pointer) {
	if t.Implements(stepType) {
		d.call(at(t, p))
		return
	}
	d.b.WriteString(t.String())
	d.b.WriteString("{")
	wrote := false
	for i := 0; i < t.NumField() && !d.full(); i++ {
		f := t.Field(i)
		q := unsafe.Add(p, f.Offset)
		if at(f.Type, q).IsZero() {
			continue
		}
		if wrote {
			d.b.WriteString(", ")
		}
		wrote = true
		d.b.WriteString(f.Name)
		d.b.WriteString(": ")
		d.value(f.Type, q)
	}
	d.b.WriteString("}")
}

func (d *describer) mapping(t reflect.Type, p unsafe.Pointer) {
	m := at(t, p)
	d.b.WriteString(t.String())
	if m.IsNil() {
		d.b.WriteString("(nil)")
		return
	}
	d.b.WriteString("{")
	keys := m.MapKeys()
	if len(keys) <= 1<<10 {
		sortKeys(keys)
	}
	k, v := reflect.New(t.Key()), reflect.New(t.Elem())
	for i, key := range keys {
		if d.full() {
			break
		}
		if i > 0 {
			d.b.WriteString(", ")
		}
		k.Elem().Set(key)
		d.value(t.Key(), k.UnsafePointer())
		if val := m.MapIndex(key); val.IsValid() { // not so for NaN
			v.Elem().Set(val)
			d.b.WriteString(": ")
			d.value(t.Elem(), v.UnsafePointer())
		}
	}
	d.b.WriteString("}")
}

func (d *describer) basic(t reflect.Type, p unsafe.Pointer) {
	v := at(t, p)
	text := ""
	switch {
	case v.CanInt():
		text = strconv.FormatInt(v.Int(), 10)
	case v.CanUint():
		text = strconv.FormatUint(v.Uint(), 10)
	case v.CanFloat():
		text = strconv.FormatFloat(v.Float(), 'g', -1, t.Bits())
	case v.CanComplex():
		text = strconv.FormatComplex(v.Complex(), 'g', -1, t.Bits())
	default:
		text = strconv.FormatBool(v.Bool())
	}
	if t.PkgPath() != "" {
		text = t.String() + "(" + text + ")"
	}
	d.b.WriteString(text)
}

// describePair describes two texts from shortly before the place where they
// part.
func describePair(a, b string) (string, string) {
	i := 0
	for i < len(a) && i < len(b) && a[i] == b[i] {
		i++
	}
	if i < maxText/2 {
		return quoteFrom(a, 0), quoteFrom(b, 0)
	}
	return quoteFrom(a, i-20), quoteFrom(b, i-20)
}

func quoteFrom(s string, from int) string {
	head, tail := "", ""
	n := len(s)
	if from > 0 {
		head, s = fmt.Sprintf("[%d:] …", from), s[from:]
	}
	if len(s) > maxText/2 {
		tail, s = fmt.Sprintf(" (%d bytes)", n), s[:maxText/2]+"…"
	}
	return head + strconv.Quote(s) + tail
}
