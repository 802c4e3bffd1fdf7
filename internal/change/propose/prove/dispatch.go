package prove

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/internal/rulekit/flow"
)

// A Dispatch follows memory through calls of the module's interfaces: into
// every method that such a call may run, among the loaded packages and the
// tests of one package. It is for one question: what it has worked
// out holds only together.
type Dispatch struct {
	p       *Program
	tests   *Package
	object  *flow.Object // what the memory is, if it is an object with methods
	methods map[string]*Reading
	sums    map[ParamKey]*flow.Summary
}

// A Reading is what the implementations of an interface's method do with a
// parameter.
type Reading struct {
	Read    []string // the implementations that were read
	Keeper  string   // the first that keeps it, one outside tests if there is one
	KeptHow string   // and how: a participle
	Tested  string   // the first in a test that keeps it
	assumed []string
	closed  bool // no other package can implement it
}

// NewDispatch returns a Dispatch for one question about memory, o if it is an
// object with methods; it reads implementations in the tests of a package too.
func NewDispatch(p *Program, tests *Package, o *flow.Object) *Dispatch {
	return &Dispatch{p: p, tests: tests, object: o, methods: map[string]*Reading{}, sums: map[ParamKey]*flow.Summary{}}
}

// Flow returns a flow through fn that follows the module's interfaces.
func (d *Dispatch) Flow(fn *Function) *flow.Flow {
	return &flow.Flow{Func: fn.Func(), Source: flow.Source{Call: d.Effect, Now: func(lit *ast.FuncLit) bool { return d.runsNow(fn, lit) }}}
}

// Effect is what a call of fn does with a parameter.
func (d *Dispatch) Effect(fn *types.Func, index int, element bool) *flow.Summary {
	return d.object.Source(d.called)(fn, index, element)
}

func (d *Dispatch) called(fn *types.Func, index int, element bool) *flow.Summary {
	switch {
	case element || flow.ContractOf(fn) != nil || !d.p.InModule(fn):
		return d.p.effect(fn, index, element)
	case !code.IsInterfaceMethod(fn):
		return d.summarize(fn, index)
	case index < 0:
		return &flow.Summary{Keeps: "used through " + code.CallName(fn)}
	}
	return d.InterfaceEffect(fn, index)
}

// MethodKeeps says why a method that fn calls on a variable's address may keep that; nil if it does not, or works on
// a copy.
func (d *Dispatch) MethodKeeps(fn *Function, sel *ast.SelectorExpr) *Reason {
	method, ok := fn.Info().Uses[sel.Sel].(*types.Func)
	call, called := fn.File.Parent(sel).(*ast.CallExpr)
	if !ok || !called || call.Fun != sel {
		return Refuse("it is used through the method value " + sel.Sel.Name)
	}
	if fn.File.Later(call) {
		return Refuse("it is used through the method " + method.Name() + ", which is called later")
	}
	if _, pointer := method.Signature().Recv().Type().(*types.Pointer); !pointer {
		return nil
	}
	if eff := d.Effect(method, -1, false); eff.Keeps != "" || eff.Results != 0 || flow.Aliasing(method.Signature().Results()) != "" {
		return Refuse("it is used through the method " + method.Name() + ", which may keep its address")
	}
	return nil
}

// InterfaceEffect is what a call of a method of the module's interface does
// with a parameter: what the worst implementation does.
func (d *Dispatch) InterfaceEffect(fn *types.Func, index int) *flow.Summary {
	if what := flow.Aliasing(fn.Signature().Results()); what != "" {
		return &flow.Summary{Keeps: fmt.Sprintf("passed to %s, whose result (%s) may refer to it", code.CallName(fn), what)}
	}
	r := d.Read(fn, index)
	if r.Keeper != "" {
		return &flow.Summary{Keeps: fmt.Sprintf("passed to %s, where it is %s", r.Keeper, r.KeptHow)}
	}
	if len(r.Read) == 0 {
		return &flow.Summary{Keeps: "passed to " + code.CallName(fn) + ", which nothing that was read implements"}
	}
	if !r.closed && d.object != nil && d.object.Writes {
		return &flow.Summary{Keeps: fmt.Sprintf("passed to %s, which elsewhere may do more than to write", code.CallName(fn))}
	}
	s := &flow.Summary{Assumed: slices.Clone(r.assumed)}
	if says := outsideImplementation(fn); !r.closed && !slices.Contains(s.Assumed, says) {
		s.Assumed = append(s.Assumed, says)
	}
	return s
}

func outsideImplementation(fn *types.Func) string {
	return fmt.Sprintf("no implementation of %s outside this module keeps it: one that does would see it change", code.CallName(fn))
}

// Read looks at all implementations of an interface's method.
func (d *Dispatch) Read(fn *types.Func, index int) *Reading {
	key := fmt.Sprintf("%s %d", fn.FullName(), index)
	if r := d.methods[key]; r != nil {
		return r
	}
	r := &Reading{closed: !fn.Exported()}
	d.methods[key] = r
	for _, impl := range d.implementations(fn) {
		where := code.CallName(impl.Obj) + " (" + d.p.Pos(impl.Decl.Pos()).String() + ")"
		r.Read = append(r.Read, where) // first: a call of the same method on the way counts as read
		s := d.summarizeIn(impl, index)
		for _, a := range s.Assumed {
			if !slices.Contains(r.assumed, a) {
				r.assumed = append(r.assumed, a)
			}
		}
		if s.Keeps == "" {
			continue
		}
		if r.Keeper == "" || r.Keeper == r.Tested && !impl.File.Test {
			r.Keeper, r.KeptHow = where, strings.TrimPrefix(s.Keeps, "passed to "+fn.Name()+", where it is ")
		}
		if impl.File.Test && r.Tested == "" {
			r.Tested = where
		}
	}
	return r
}

// implementations returns the methods that a call of an interface's method
// may run, in the order of the files. In tests it is those of its name that take and return as many values.
func (d *Dispatch) implementations(fn *types.Func) []*Function {
	var found []*Function
	d.p.EachFile(d.tests, func(f *File, info *types.Info) {
		for _, decl := range f.Syntax.Decls {
			m, ok := decl.(*ast.FuncDecl)
			if !ok || m.Recv == nil || m.Body == nil || m.Name.Name != fn.Name() {
				continue
			}
			if obj, ok := info.Defs[m.Name].(*types.Func); ok && (implements(obj, fn) || f.Test && asMany(obj.Signature(), fn.Signature())) {
				found = append(found, &Function{Obj: obj, Decl: m, File: f, types: info})
			}
		}
	})
	return found
}

// summarize follows a parameter through the body of a function of the module.
func (d *Dispatch) summarize(fn *types.Func, index int) *flow.Summary {
	decl := d.p.Function(fn)
	if decl == nil {
		return &flow.Summary{Keeps: "passed to " + code.CallName(fn) + ", which has no Go body"}
	}
	key := ParamKey{fn.Origin().FullName(), index}
	if s := d.sums[key]; s != nil {
		return s
	}
	// While it is being worked out, a recursive call counts as keeping it.
	d.sums[key] = &flow.Summary{Keeps: "passed to " + fn.Name() + ", which calls itself"}
	d.sums[key] = d.summarizeIn(decl, index)
	return d.sums[key]
}

func (d *Dispatch) summarizeIn(fn *Function, index int) *flow.Summary {
	sig := fn.Obj.Signature()
	v := sig.Recv()
	if index >= 0 {
		v = sig.Params().At(index)
	}
	s := &flow.Summary{Assumed: d.p.sameElsewhere(fn)}
	if v.Name() == "" || v.Name() == "_" {
		return s
	}
	fl := d.Flow(fn)
	fl.Track(v)
	fl.Drain()
	s.Results, s.NilSeen, s.CapSeen = fl.Results, fl.NilSeen, fl.CapSeen
	s.Assumed = append(s.Assumed, fl.Assumed...)
	if len(fl.Leaks) > 0 {
		s.Keeps = fmt.Sprintf("passed to %s, where it is %s", fn.Obj.Name(), fl.Leaks[0].Why)
	}
	return s
}
