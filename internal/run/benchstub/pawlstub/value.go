package pawlstub

import (
	"cmp"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// value writes v, which is addressable, as an expression.
func (p *printer) value(v reflect.Value, w want) {
	if p.depth++; p.depth > maxDepth {
		p.refuse("is nested deeper than %d values", maxDepth)
	}
	defer func() { p.depth-- }()
	if p.variable(v) || p.special(v, w) {
		return
	}
	switch v.Kind() {
	case reflect.Bool:
		p.size++
		p.constant(v.Type(), w, reflect.TypeFor[bool](), strconv.FormatBool(v.Bool()))
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		p.size += int(v.Type().Size())
		p.constant(v.Type(), w, reflect.TypeFor[int](), strconv.FormatInt(v.Int(), 10))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		p.size += int(v.Type().Size())
		p.constant(v.Type(), w, nil, strconv.FormatUint(v.Uint(), 10))
	case reflect.Float32, reflect.Float64:
		p.size += int(v.Type().Size())
		p.float(v.Type(), w, v.Float())
	case reflect.Complex64, reflect.Complex128:
		p.complexNumber(v)
	case reflect.String:
		p.str(v, w)
	case reflect.Slice:
		p.slice(v, w)
	case reflect.Array:
		p.composite(v.Type(), w, p.elements(v))
	case reflect.Map:
		p.mapping(v, w)
	case reflect.Struct:
		p.composite(v.Type(), w, p.fields(v))
	case reflect.Pointer:
		p.pointer(v, w)
	case reflect.Interface:
		p.iface(v)
	case reflect.Func:
		p.function(v, w)
	default:
		if !v.IsZero() {
			p.refuse("is a %s", v.Type())
		}
		p.null(v.Type(), w)
	}
}

func (p *printer) complexNumber(v reflect.Value) {
	p.size += int(v.Type().Size())
	t := reflect.TypeFor[float64]()
	if v.Kind() == reflect.Complex64 {
		t = reflect.TypeFor[float32]()
	}
	p.typ(v.Type())
	p.write("(complex(")
	p.float(t, bare, real(v.Complex()))
	p.write(", ")
	p.float(t, bare, imag(v.Complex()))
	p.write("))")
}

func (p *printer) str(v reflect.Value, w want) {
	s := v.String()
	p.size += len(s)
	convert := w == bare && v.Type() != reflect.TypeFor[string]()
	if len(s) >= dataAt {
		convert = v.Type() != reflect.TypeFor[string]()
	}
	if convert {
		p.typ(v.Type())
		p.write("(")
		defer p.write(")")
	}
	if len(s) >= dataAt {
		p.large([]byte(s), true)
		return
	}
	p.write(quote(s))
}

// quote writes a text as its author would have: raw where that spares
// backslashes.
func quote(s string) string {
	if strings.ContainsAny(s, "\"\\\n") {
		raw := true
		for line := range strings.SplitSeq(s, "\n") {
			raw = raw && strconv.CanBackquote(line)
		}
		if raw {
			return "`" + s + "`"
		}
	}
	return strconv.Quote(s)
}

func (p *printer) slice(v reflect.Value, w want) {
	t := v.Type()
	switch {
	case v.IsNil():
		p.null(t, w)
	case t.Elem().Kind() == reflect.Uint8 && v.Len() > 0:
		b := v.Bytes()
		p.size += len(b)
		if len(b) < dataAt {
			p.typ(t)
			p.write("(" + quote(string(b)) + ")")
			return
		}
		if t != reflect.TypeFor[[]byte]() {
			p.typ(t)
			p.write("(")
			defer p.write(")")
		}
		p.large(b, t.Elem() != reflect.TypeFor[byte]())
	default:
		p.composite(t, w, p.elements(v))
	}
}

func (p *printer) elements(v reflect.Value) [][]Part {
	var out [][]Part
	for i := range v.Len() {
		p.at(fmt.Sprintf("[%d]", i), func() {
			out = append(out, p.capture(func() { p.value(v.Index(i), elided) }))
		})
	}
	return out
}

func (p *printer) fields(v reflect.Value) [][]Part {
	var out [][]Part
	t := v.Type()
	for i := range t.NumField() { // first, so that they are held while the rest is read
		if isMutex(t.Field(i).Type) {
			p.at("."+t.Field(i).Name, func() { p.lock(fieldOf(v, i)) })
		}
	}
	for i := range t.NumField() {
		f := t.Field(i)
		x := fieldOf(v, i)
		if f.Name == "_" || isMutex(f.Type) || x.IsZero() && !negative(x) {
			p.size += int(f.Type.Size())
			continue
		}
		p.at("."+f.Name, func() {
			if p.own != f.PkgPath && f.PkgPath != "" {
				p.refuse("is an unexported field of %s", t)
			}
			out = append(out, p.capture(func() {
				p.write(f.Name + ": ")
				p.value(x, typed)
			}))
		})
	}
	return out
}

// negative reports whether v is -0, which counts as zero otherwise.
func negative(v reflect.Value) bool { return v.CanFloat() && math.Signbit(v.Float()) }

func (p *printer) mapping(v reflect.Value, w want) {
	if v.IsNil() {
		p.null(v.Type(), w)
		return
	}
	type entry struct {
		key   reflect.Value
		parts []Part
	}
	var entries []entry
	for it := v.MapRange(); it.Next(); {
		k := addressable(it.Key())
		p.at("[…]", func() {
			entries = append(entries, entry{k, p.capture(func() {
				p.value(k, elided)
				p.write(": ")
				p.value(addressable(it.Value()), elided)
			})})
		})
	}
	slices.SortStableFunc(entries, func(a, b entry) int {
		return cmp.Or(compareKeys(a.key, b.key), cmp.Compare(key(a.parts), key(b.parts)))
	})
	list := make([][]Part, len(entries))
	for i, e := range entries {
		list[i] = e.parts
	}
	p.composite(v.Type(), w, list)
}

func compareKeys(a, b reflect.Value) int {
	switch {
	case a.CanInt():
		return cmp.Compare(a.Int(), b.Int())
	case a.CanUint():
		return cmp.Compare(a.Uint(), b.Uint())
	case a.CanFloat():
		return cmp.Compare(a.Float(), b.Float())
	case a.Kind() == reflect.String:
		return cmp.Compare(a.String(), b.String())
	}
	return 0
}

func (p *printer) iface(v reflect.Value) {
	if v.IsNil() {
		p.write("nil")
		return
	}
	p.value(addressable(v.Elem()), bare)
}

func (p *printer) pointer(v reflect.Value, w want) {
	if v.IsNil() {
		p.null(v.Type(), w)
		return
	}
	at := visit{v.UnsafePointer(), v.Type()}
	if p.within[at] {
		p.refuse("leads back to itself")
	}
	if p.seen[at] && v.Type().Elem().Size() > 0 {
		p.note("%s is shared with another part of the input, and is written out twice", p.path)
	}
	p.seen[at], p.within[at] = true, true
	defer delete(p.within, at)
	e := v.Elem()
	p.size += int(v.Type().Size())
	switch {
	case isComposite(e):
		if w != elided {
			p.write("&")
		}
		p.value(e, w)
	case e.IsZero() && !negative(e):
		p.write("new(")
		p.typ(e.Type())
		p.write(")")
	default:
		p.write("func() ")
		p.typ(v.Type())
		p.write(" { var v ")
		p.typ(e.Type())
		p.write(" = ")
		p.value(e, typed)
		p.write("; return &v }()")
	}
}

// isComposite reports whether a value is written as a composite literal.
func isComposite(v reflect.Value) bool {
	if isSpecial(v.Type()) {
		return false
	}
	switch v.Kind() {
	case reflect.Struct, reflect.Array:
		return true
	case reflect.Map:
		return !v.IsNil()
	case reflect.Slice:
		return !v.IsNil() && (v.Type().Elem().Kind() != reflect.Uint8 || v.Len() == 0)
	}
	return false
}
