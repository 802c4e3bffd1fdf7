package pawlstub

import (
	"fmt"
	"go/token"
	"reflect"
	"strings"
)

// typ writes a type. Types of other packages must be exported there.
func (p *writer) typ(t reflect.Type) {
	if t.Name() != "" {
		p.typeName(t)
		return
	}
	switch t.Kind() {
	case reflect.Pointer:
		p.write("*")
		p.typ(t.Elem())
	case reflect.Slice:
		p.write("[]")
		p.typ(t.Elem())
	case reflect.Array:
		p.write(fmt.Sprintf("[%d]", t.Len()))
		p.typ(t.Elem())
	case reflect.Map:
		p.write("map[")
		p.typ(t.Key())
		p.write("]")
		p.typ(t.Elem())
	case reflect.Chan:
		p.write(map[reflect.ChanDir]string{reflect.BothDir: "chan (", reflect.RecvDir: "<-chan (", reflect.SendDir: "chan<- ("}[t.ChanDir()])
		p.typ(t.Elem())
		p.write(")")
	case reflect.Func:
		p.write("func")
		p.signature(t)
	case reflect.Struct:
		p.structType(t)
	case reflect.Interface:
		p.interfaceType(t)
	default:
		p.refuse("has the type %s, which cannot be written", t)
	}
}

func (p *writer) typeName(t reflect.Type) {
	pkg, name := t.PkgPath(), t.Name()
	base, _, generic := strings.Cut(name, "[")
	switch {
	case pkg == "" && t == reflect.TypeFor[byte]():
		p.write("byte")
	case pkg == "":
		p.write(name)
	case pkg == "main" || strings.HasSuffix(pkg, "_test") && pkg != p.own:
		p.refuse("has the type %s, which is declared where a benchmark of the package cannot name it", t)
	case pkg != p.own && !token.IsExported(base):
		p.refuse("has the type %s, which is not exported", t)
	case generic && strings.ContainsAny(name, "·\"`"):
		p.refuse("has the type %s, whose arguments cannot be written", t)
	default:
		p.named(pkg, name)
	}
}

func (p *writer) signature(t reflect.Type) {
	p.write("(")
	for i := range t.NumIn() {
		if i > 0 {
			p.write(", ")
		}
		if t.IsVariadic() && i == t.NumIn()-1 {
			p.write("...")
			p.typ(t.In(i).Elem())
			continue
		}
		p.typ(t.In(i))
	}
	p.write(") (")
	for i := range t.NumOut() {
		if i > 0 {
			p.write(", ")
		}
		p.typ(t.Out(i))
	}
	p.write(")")
}

func (p *writer) structType(t reflect.Type) {
	if t.NumField() == 0 {
		p.write("struct{}")
		return
	}
	p.write("struct{ ")
	for i := range t.NumField() {
		f := t.Field(i)
		p.mine(f)
		if i > 0 {
			p.write("; ")
		}
		if !f.Anonymous {
			p.write(f.Name + " ")
		}
		p.typ(f.Type)
		if f.Tag != "" {
			p.write(fmt.Sprintf(" %q", string(f.Tag)))
		}
	}
	p.write(" }")
}

func (p *writer) interfaceType(t reflect.Type) {
	if t.NumMethod() == 0 {
		p.write("interface{}")
		return
	}
	p.write("interface{ ")
	for i := range t.NumMethod() {
		m := t.Method(i)
		if m.PkgPath != "" && m.PkgPath != p.own {
			p.refuse("has a type with the method %s, which is not exported", m.Name)
		}
		if i > 0 {
			p.write("; ")
		}
		p.write(m.Name)
		p.signature(m.Type)
	}
	p.write(" }")
}

// mine refuses a field that the package cannot name.
func (p *writer) mine(f reflect.StructField) {
	if f.PkgPath != "" && f.PkgPath != p.own {
		p.refuse("has the unexported field %s of another package", f.Name)
	}
}

// typeParts returns a type, or nothing where it has no name here.
func typeParts(own string, t reflect.Type) (parts []Part) {
	p := newPrinter(own)
	defer func() {
		if recover() != nil {
			parts = nil
		}
	}()
	return p.capture(func() { p.typ(t) })
}
