package pawlstub

import "reflect"

// A variable is one of the package that texts are written for.
type variable struct {
	name string
	v    reflect.Value
}

// Known tells the library of a variable of the function's package: p points to
// it. What it leads to is written by its name, since it matters which one it
// is. It is for init functions.
func Known(name string, p any) { rec.known(name, p) }

func (r *recorder) known(name string, p any) {
	if r.on.Load() {
		r.vars = append(r.vars, variable{name, reflect.ValueOf(p).Elem()})
	}
}

// variable writes v as a variable of the package, if it is the pointer or the
// map in one, or points to one, and reports whether it is.
func (p *printer) variable(v reflect.Value) bool {
	if v.Kind() != reflect.Pointer && v.Kind() != reflect.Map || v.IsNil() {
		return false
	}
	for _, known := range p.vars {
		x := known.v
		at := v.Kind() == reflect.Pointer && x.Type() == v.Type().Elem() && x.Type().Size() > 0 && x.Addr().UnsafePointer() == v.UnsafePointer()
		if x.Kind() == reflect.Interface && !x.IsNil() {
			x = x.Elem()
		}
		same := x.Type() == v.Type() && x.UnsafePointer() == v.UnsafePointer()
		if v.Kind() == reflect.Pointer && v.Type().Elem().Size() == 0 || !at && !same {
			continue
		}
		p.size += int(v.Type().Size())
		p.note("%s is the package's variable %s, as it is when the benchmark runs", p.path, known.name)
		if at {
			p.write("&")
		}
		p.named(p.own, known.name)
		return true
	}
	return false
}
