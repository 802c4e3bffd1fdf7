package reflects

import (
	"fmt"
	"go/types"
	"strings"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// A layout is how package binary lays a type out in bytes, as statements that move them
// between a variable x and a buffer buf.
type layout struct {
	write bool
	order string // the byte order in package binary, "" for a variable order
	pkg   func(path string) string
	typed func(types.Type) (string, *prove.Reason)
	local *types.Package // whose unexported fields can be named
	buf   string         // "buf", or "buf[:]" where that is an array
	used  bool           // again: it may hold what an earlier value left there
	lines []string
	size  int64
}

// What is worth a function of its own.
const (
	mostLines = 48
	mostBytes = 4 << 10
)

// layOut writes the statements for a variable of type t.
func (l *layout) layOut(t types.Type) *prove.Reason {
	var why *prove.Reason
	path := "x"
	switch u := t.Underlying().(type) {
	case *types.Basic:
		if u.Kind() == types.Float32 && types.Unalias(t) != t.Underlying() {
			return prove.Refuse("reflection takes a float32 through a float64, which changes some of those that are no numbers")
		}
		if !l.write {
			path = "*x"
		}
		why = l.number(path, u, place{})
	default:
		why = l.value(path, t)
	}
	switch {
	case why != nil:
		return why
	case l.size == 0:
		return prove.Refuse("it has no bytes")
	case len(l.lines) > mostLines || l.size > mostBytes:
		return prove.Refusef("%d bytes in %d statements are too many for a function", l.size, len(l.lines))
	}
	return nil
}

// value lays out a variable or a part of one.
func (l *layout) value(path string, t types.Type) *prove.Reason {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		if u.Kind() == types.Float32 {
			return prove.Refuse("reflection takes a float32 through a float64, which changes some of those that are no numbers")
		}
		return l.number(path, t, place{base: l.size})
	case *types.Array:
		return l.array(path, u)
	case *types.Struct:
		return l.fields(path, u)
	}
	return prove.Refusef("type %s has no fixed size", t)
}

// fields lays out a struct. Package binary skips fields without a name.
func (l *layout) fields(path string, s *types.Struct) *prove.Reason {
	for f := range s.Fields() {
		if f.Name() == "_" {
			n := fixed(f.Type())
			if n < 0 {
				return prove.Refusef("type %s has no fixed size", f.Type())
			}
			l.size += n
			continue
		}
		_, str := f.Type().Underlying().(*types.Struct)
		switch {
		case f.Exported():
		case f.Pkg() != l.local:
			return prove.Refusef("the field %s is of another package", f.Name())
		case !l.write && !(f.Embedded() && str): // whose exported fields can be set
			return prove.Refusef("reflection cannot set the field %s, and panics", f.Name())
		}
		if why := l.value(path+"."+f.Name(), f.Type()); why != nil {
			return why
		}
	}
	return nil
}

// array lays out an array of bytes, or of numbers.
func (l *layout) array(path string, a *types.Array) *prove.Reason {
	b, ok := a.Elem().Underlying().(*types.Basic)
	size := fixed(a.Elem())
	switch {
	case !ok || size < 0 || b.Kind() == types.Float32:
		return prove.Refusef("its elements are of type %s", a.Elem())
	case types.Identical(a.Elem(), types.Typ[types.Uint8]):
		at := place{base: l.size}.slice(l.buf)
		if l.write {
			l.add("copy(%s, %s[:])", at, path)
		} else {
			l.add("copy(%s[:], %s)", path, at)
		}
	default:
		from, already := l.size, len(l.lines)
		if why := l.number(path+"[i]", a.Elem(), place{l.size, size}); why != nil {
			return why
		}
		body := strings.Join(l.lines[already:], "\n")
		l.lines, l.size = l.lines[:already], from
		l.add("for i := range %s {\n%s\n}", path, body)
	}
	l.size += size * a.Len()
	return nil
}

func (l *layout) add(format string, args ...any) {
	l.lines = append(l.lines, fmt.Sprintf(format, args...))
}

// number lays out a boolean or a number at a place of the buffer.
func (l *layout) number(path string, t types.Type, at place) *prove.Reason {
	size := fixed(t)
	if size < 0 {
		return prove.Refusef("type %s has no fixed size", t)
	}
	l.size += size
	kind := t.Underlying().(*types.Basic).Kind()
	raw := types.Typ[types.Uint8]
	if size > 1 {
		raw = types.Typ[map[int64]types.BasicKind{2: types.Uint16, 4: types.Uint32, 8: types.Uint64}[size]]
	}
	floats := kind == types.Float32 || kind == types.Float64
	if kind == types.Bool {
		l.boolean(path, at)
		return nil
	}
	if !l.write {
		from := at.index(l.buf)
		if size > 1 {
			from = fmt.Sprintf("%s.Uint%d(%s)", l.by(), 8*size, at.slice(l.buf))
		}
		if floats {
			from, raw = fmt.Sprintf("%s.Float%dfrombits(%s)", l.pkg("math"), 8*size, from), types.Typ[kind]
		}
		text, why := l.convert(from, raw, t)
		l.add("%s = %s", path, text)
		return why
	}
	text, why := path, (*prove.Reason)(nil)
	if floats {
		text, why = l.convert(path, t, types.Typ[kind])
		text = fmt.Sprintf("%s.Float%dbits(%s)", l.pkg("math"), 8*size, text)
	} else {
		text, why = l.convert(path, t, raw)
	}
	if size == 1 {
		l.add("%s = %s", at.index(l.buf), text)
	} else {
		l.add("%s.PutUint%d(%s, %s)", l.by(), 8*size, at.slice(l.buf), text)
	}
	return why
}

// by is what numbers of several bytes call.
func (l *layout) by() string {
	if l.order == "" {
		return "order"
	}
	return l.pkg("encoding/binary") + "." + l.order
}

func (l *layout) boolean(path string, at place) {
	switch {
	case !l.write:
		l.add("%s = %s != 0", path, at.index(l.buf))
	case l.used:
		l.add("%[1]s = 0\nif %[2]s {\n%[1]s = 1\n}", at.index(l.buf), path)
	default:
		l.add("if %s {\n%s = 1\n}", path, at.index(l.buf))
	}
}

// convert writes a conversion, where one is needed.
func (l *layout) convert(text string, from, to types.Type) (string, *prove.Reason) {
	if types.Identical(from, to) {
		return text, nil
	}
	name, why := l.typed(to)
	return name + "(" + text + ")", why
}

// A place in the buffer is at base, or at base + step·i in a loop.
type place struct{ base, step int64 }

func (at place) String() string {
	index := "i"
	if at.step > 1 {
		index = fmt.Sprint(at.step, "*i")
	}
	switch {
	case at.step == 0:
		return fmt.Sprint(at.base)
	case at.base == 0:
		return index
	}
	return fmt.Sprint(at.base, "+", index)
}

func (at place) index(buf string) string {
	return fmt.Sprintf("%s[%s]", strings.TrimSuffix(buf, "[:]"), at)
}

func (at place) slice(buf string) string {
	if at == (place{}) {
		return buf
	}
	return fmt.Sprintf("%s[%s:]", strings.TrimSuffix(buf, "[:]"), at)
}

// fixed returns how many bytes package binary makes of a type, -1 if it has no fixed size there.
// Complex numbers are left out.
func fixed(t types.Type) int64 {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		if n := code.NumberSize(u); n > 0 {
			return int64(n)
		}
	case *types.Array:
		if n := fixed(u.Elem()); n >= 0 {
			return n * u.Len()
		}
	case *types.Struct:
		sum := int64(0)
		for f := range u.Fields() {
			n := fixed(f.Type())
			if n < 0 {
				return -1
			}
			sum += n
		}
		return sum
	}
	return -1
}
