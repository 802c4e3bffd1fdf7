package propose

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// A dispatch follows memory through calls of the module's interfaces: into
// every method that such a call may run, among the loaded packages and the
// tests of one package. It is for one question: what it has worked
// out holds only together.
type dispatch struct {
	p       *Program
	tests   *pkg
	object  *object // what the memory is, if it is an object with methods
	methods map[string]*reading
	sums    map[paramKey]*summary
}

// A reading is what the implementations of an interface's method do with a
// parameter.
type reading struct {
	read    []string // the implementations that were read
	keeper  string   // the first that keeps it, one outside tests if there is one
	how     string   // and how: a participle
	tested  string   // the first in a test that keeps it
	assumed []string
	closed  bool // no other package can implement it
}

func newDispatch(p *Program, tests *pkg, o *object) *dispatch {
	return &dispatch{p: p, tests: tests, object: o, methods: map[string]*reading{}, sums: map[paramKey]*summary{}}
}

// flow returns a flow through fn that follows the module's interfaces.
func (d *dispatch) flow(fn *function) *flow { return &flow{p: d.p, fn: fn, wide: d} }

// effect is what a call of fn does with a parameter.
func (d *dispatch) effect(fn *types.Func, index int, element bool) *summary {
	if index < 0 && d.object != nil {
		return d.object.method(fn)
	}
	if c := d.object.contract(fn); c != nil {
		return &summary{assumed: []string{c.says}, results: uint64(b2i(c.alias))}
	}
	switch {
	case element || contractOf(fn) != nil || !d.p.local(fn):
		return d.p.effect(fn, index, element)
	case !isInterfaceMethod(fn):
		return d.summarize(fn, index)
	case index < 0:
		return &summary{keeps: "used through " + callName(fn)}
	}
	return d.interfaceEffect(fn, index)
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// interfaceEffect is what a call of a method of the module's interface does
// with a parameter: what the worst implementation does.
func (d *dispatch) interfaceEffect(fn *types.Func, index int) *summary {
	if what := aliasing(fn.Signature().Results()); what != "" {
		return &summary{keeps: fmt.Sprintf("passed to %s, whose result (%s) may refer to it", callName(fn), what)}
	}
	r := d.read(fn, index)
	if r.keeper != "" {
		return &summary{keeps: fmt.Sprintf("passed to %s, where it is %s", r.keeper, r.how)}
	}
	if len(r.read) == 0 {
		return &summary{keeps: "passed to " + callName(fn) + ", which nothing that was read implements"}
	}
	s := &summary{assumed: slices.Clone(r.assumed)}
	if says := outsideImplementation(fn); !r.closed && !slices.Contains(s.assumed, says) {
		s.assumed = append(s.assumed, says)
	}
	return s
}

func outsideImplementation(fn *types.Func) string {
	return fmt.Sprintf("no implementation of %s outside this module keeps it: one that does would see it change", callName(fn))
}

// aliasing returns the first type of a result that could refer to an
// argument; errors are taken to be about it, not to hold it.
func aliasing(results *types.Tuple) string {
	for v := range results.Variables() {
		b, basic := v.Type().Underlying().(*types.Basic)
		if types.Identical(v.Type(), types.Universe.Lookup("error").Type()) || basic && b.Kind() != types.UnsafePointer {
			continue
		}
		if hasPointers(v.Type()) {
			return types.TypeString(v.Type(), (*types.Package).Name)
		}
	}
	return ""
}

// read looks at all implementations of an interface's method.
func (d *dispatch) read(fn *types.Func, index int) *reading {
	key := fmt.Sprintf("%s %d", fn.FullName(), index)
	if r := d.methods[key]; r != nil {
		return r
	}
	r := &reading{closed: !fn.Exported()}
	d.methods[key] = r
	for _, impl := range d.implementations(fn) {
		where := callName(impl.obj) + " (" + d.p.pos(impl.decl.Pos()).String() + ")"
		r.read = append(r.read, where) // first: a call of the same method on the way counts as read
		s := d.summarizeIn(impl, index)
		for _, a := range s.assumed {
			if !slices.Contains(r.assumed, a) {
				r.assumed = append(r.assumed, a)
			}
		}
		if s.keeps == "" {
			continue
		}
		if r.keeper == "" || r.keeper == r.tested && !impl.file.test {
			r.keeper, r.how = where, strings.TrimPrefix(s.keeps, "passed to "+fn.Name()+", where it is ")
		}
		if impl.file.test && r.tested == "" {
			r.tested = where
		}
	}
	return r
}

// implementations returns the methods that a call of an interface's method
// may run, in the order of the files: those of types that have all of its
// methods, and in tests those of its name and signature.
func (d *dispatch) implementations(fn *types.Func) []*function {
	iface, _ := fn.Signature().Recv().Type().Underlying().(*types.Interface)
	methods := d.methodsOf(fn, iface)
	sig := signatureOf(fn.Signature())
	var found []*function
	d.p.eachFile(d.tests, func(f *file, info *types.Info) {
		for _, decl := range f.syntax.Decls {
			m, ok := decl.(*ast.FuncDecl)
			if !ok || m.Recv == nil || m.Body == nil || m.Name.Name != fn.Name() {
				continue
			}
			obj, ok := info.Defs[m.Name].(*types.Func)
			if ok && (methods[obj.Pos()] || f.test && signatureOf(obj.Signature()) == sig) {
				found = append(found, &function{obj: obj, decl: m, file: f, types: info})
			}
		}
	})
	return found
}

// methodsOf returns the places of the methods named as fn that types of the
// loaded packages have, promoted ones included, if they implement iface. A
// generic type counts whatever its methods are.
func (d *dispatch) methodsOf(fn *types.Func, iface *types.Interface) map[token.Pos]bool {
	found := map[token.Pos]bool{}
	for _, k := range d.p.pkgs {
		for _, obj := range k.TypesInfo.Defs {
			name, ok := obj.(*types.TypeName)
			if !ok || types.IsInterface(name.Type()) {
				continue
			}
			named, ok := name.Type().(*types.Named)
			if !ok || named.TypeParams().Len() == 0 && !types.Implements(types.NewPointer(named), iface) {
				continue
			}
			if m, _, _ := types.LookupFieldOrMethod(types.NewPointer(named), false, fn.Pkg(), fn.Name()); m != nil {
				found[m.Pos()] = true
			}
		}
	}
	return found
}

// summarize follows a parameter through the body of a function of the module.
func (d *dispatch) summarize(fn *types.Func, index int) *summary {
	decl := d.p.function(fn)
	if decl == nil {
		return &summary{keeps: "passed to " + callName(fn) + ", which has no Go body"}
	}
	key := paramKey{fn.Origin().FullName(), index}
	if s := d.sums[key]; s != nil {
		return s
	}
	// While it is being worked out, a recursive call counts as keeping it.
	d.sums[key] = &summary{keeps: "passed to " + fn.Name() + ", which calls itself"}
	d.sums[key] = d.summarizeIn(decl, index)
	return d.sums[key]
}

func (d *dispatch) summarizeIn(fn *function, index int) *summary {
	sig := fn.obj.Signature()
	v := sig.Recv()
	if index >= 0 {
		v = sig.Params().At(index)
	}
	s := &summary{assumed: d.p.sameElsewhere(fn)}
	if v.Name() == "" || v.Name() == "_" {
		return s
	}
	fl := d.flow(fn)
	fl.track(v)
	fl.drain()
	s.results, s.nilSeen, s.capSeen = fl.results, fl.nilSeen, fl.capSeen
	s.assumed = append(s.assumed, fl.assumed...)
	if len(fl.leaks) > 0 {
		s.keeps = fmt.Sprintf("passed to %s, where it is %s", fn.obj.Name(), fl.leaks[0].why)
	}
	return s
}
