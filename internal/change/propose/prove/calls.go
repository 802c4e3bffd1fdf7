package prove

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"iter"
	"maps"
	"slices"

	"golang.org/x/tools/go/types/typeutil"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/internal/rulekit/flow"
)

// Edges is what a declared function calls, function literals in it included.
type Edges struct {
	of      *Function          // whose calls these are, all of them
	targets []string           // what CallTargets found
	static  []string           // functions of the main module
	values  []*types.Signature // of function values that are called
	methods []*types.Func
	outside string // a call that leaves the main module and might call back
}

// NotReentered argues that fn is not entered again while it runs. The second
// result says where it may be.
func (p *Calls) NotReentered(fn *Function) (model.Obligation, *Reason) {
	o := model.Obligation{Text: fn.Obj.Name() + " is not entered again while it runs", How: "proven",
		Why: "nothing that it calls leads back to it"}
	back, outside := p.Reaches(p.EdgesOf(fn), fn.Obj.FullName())
	if back {
		return o, Refuse(fn.Obj.Name() + " may be entered again while it runs: what it calls leads back to it")
	}
	if outside != "" {
		o.How = "assumed"
		o.Why = "nothing that it calls in the module leads back to it; " + outside + " does not call back into it"
	}
	return o, nil
}

// Recovers says which function recovers from a panic and leads to fn: it may go on with what that has left half done.
func (p *Calls) Recovers(fn *Function) *Reason {
	if p.recovering == nil {
		p.recovering = []*Function{}
		for _, name := range slices.Sorted(maps.Keys(p.Funcs)) {
			if by := p.Funcs[name]; p.Recovering(by) {
				p.recovering = append(p.recovering, by)
			}
		}
	}
	for _, by := range p.recovering {
		if back, _ := p.Reaches(p.EdgesOf(by), fn.Obj.FullName()); back || by == fn {
			return Refusef("%s recovers, and may see what a panic in %s has left (%s)", by.Obj.Name(), fn.Obj.Name(), p.Pos(by.Decl.Pos()))
		}
	}
	return nil
}

// Recovering reports whether a call that a function defers recovers. What a function value may do is not asked.
func (p *Calls) Recovering(fn *Function) bool {
	asks := func(info *types.Info, in ast.Node) bool {
		return code.Any(in, func(c *ast.CallExpr) bool { return code.Builtin(info, c) == "recover" })
	}
	return code.Any(fn.Decl.Body, func(d *ast.DeferStmt) bool {
		target := code.Callee(fn.Info(), d.Call)
		if target == nil || p.Function(target) == nil {
			return asks(fn.Info(), d)
		}
		by := p.Function(target)
		return asks(fn.Info(), d) || asks(by.Info(), by.Decl.Body)
	})
}

// walk goes from e on to all that calls lead to in the module, each once.
func (p *Calls) walk(e *Edges) iter.Seq[*Edges] {
	return func(yield func(*Edges) bool) {
		seen := map[*Edges]bool{e: true}
		for todo := []*Edges{e}; len(todo) > 0; {
			e := todo[len(todo)-1]
			todo = todo[:len(todo)-1]
			if !yield(e) {
				return
			}
			for _, name := range p.CallTargets(e) {
				if next := p.edgesNamed(name); next != nil && !seen[next] {
					seen[next] = true
					todo = append(todo, next)
				}
			}
		}
	}
}

// Reaches reports whether calls from e lead to the named function, and a call
// on the way that leaves the module and could call back.
func (p *Calls) Reaches(e *Edges, goal string) (back bool, outside string) {
	for e := range p.walk(e) {
		outside = cmp.Or(outside, e.outside)
		if slices.Contains(p.CallTargets(e), goal) {
			return true, outside
		}
	}
	return false, outside
}

// Brought says what calls from e on may run code that was not read: whether a function value is called, and a method of an
// interface of the module, "" if there is none.
func (p *Calls) Brought(e *Edges) (value bool, method string) {
	for e := range p.walk(e) {
		value = value || len(e.values) > 0
		if len(e.methods) > 0 {
			method = code.CallName(e.methods[0])
		}
	}
	return value, method
}

// Reached returns the functions of the module that calls from e lead to, and the one that e is of as a whole.
func (p *Calls) Reached(e *Edges) iter.Seq[*Function] {
	return func(yield func(*Function) bool) {
		for e := range p.walk(e) {
			if e.of != nil && !yield(e.of) {
				return
			}
		}
	}
}

// Runs reports whether a call in fn comes to a function of the module for which is holds. What function values may run is not
// asked.
func (p *Calls) Runs(fn *Function, call ast.Node, is func(*Function) bool) bool {
	seen := map[*Function]bool{}
	var runs func(info *types.Info, in ast.Node) bool
	runs = func(info *types.Info, in ast.Node) bool {
		return code.Any(in, func(call *ast.CallExpr) bool {
			target := called(info, call)
			return target != nil && slices.ContainsFunc(p.comesTo(target), func(to *Function) bool {
				if seen[to] {
					return false
				}
				seen[to] = true
				return is(to) || runs(to.Info(), to.Decl.Body)
			})
		})
	}
	return runs(fn.Info(), call)
}

// called returns the function or method that a call names, be it by a method expression; nil for others.
func called(info *types.Info, call *ast.CallExpr) *types.Func {
	target, _ := typeutil.Callee(info, call).(*types.Func)
	return target
}

// comesTo returns the functions of the module that a call of one may run: of an interface's method, all that implement it.
func (p *Calls) comesTo(target *types.Func) (runs []*Function) {
	if code.IsInterfaceMethod(target) && p.InModule(target) {
		for _, name := range p.implementations(target) {
			runs = append(runs, p.Funcs[name])
		}
	} else if decl := p.Function(target); decl != nil {
		runs = append(runs, decl)
	}
	return runs
}

// OverwritesWhole returns where the method, or something that it calls in the
// module, assigns a whole value of the receiver's type; "" if nothing does.
func (p *Calls) OverwritesWhole(m *Method) string {
	for fn := range p.Reached(p.EdgesOf(m.Function)) {
		for a := range code.All[*ast.AssignStmt](fn.Decl.Body) {
			for _, l := range a.Lhs {
				if a.Tok == token.ASSIGN && Holds(fn.Info().TypeOf(l), m.Named) {
					return p.Pos(l.Pos()).String()
				}
			}
		}
	}
	return ""
}

// CallTargets resolves function values and interface methods of the module to
// everything that they could be.
func (p *Calls) CallTargets(e *Edges) []string {
	if e.targets == nil {
		e.targets = append([]string{}, e.static...)
		for _, sig := range e.values {
			e.targets = append(e.targets, p.valuesOf(sig)...)
		}
		for _, m := range e.methods {
			e.targets = append(e.targets, p.implementations(m)...)
		}
	}
	return e.targets
}

// edgesNamed returns what a declared function, or a function literal of a
// package variable, calls; nil if the name is neither.
func (p *Calls) edgesNamed(name string) *Edges {
	if fn := p.Funcs[name]; fn != nil {
		return p.EdgesOf(fn)
	}
	return p.edges[name]
}

// EdgesOf returns what fn calls, collected once.
func (p *Calls) EdgesOf(fn *Function) *Edges {
	key := fn.Obj.FullName()
	if e := p.edges[key]; e != nil {
		return e
	}
	e := p.EdgesIn(fn, fn.Decl.Body)
	e.of = fn
	p.edges[key] = e
	return e
}

// EdgesIn collects the calls within a part of a function.
func (p *Calls) EdgesIn(fn *Function, part ast.Node) *Edges {
	e, info := &Edges{}, fn.Info()
	for n := range code.All[ast.Node](part) {
		switch n := n.(type) {
		case *ast.CallExpr:
			p.addCall(e, info, n)
		case *ast.RangeStmt:
			if sig, ok := code.Core(info.TypeOf(n.X)).(*types.Signature); ok {
				e.values = append(e.values, sig)
			}
		}
	}
	return e
}

func (p *Calls) addCall(e *Edges, info *types.Info, call *ast.CallExpr) {
	if info.Types[call.Fun].IsType() || code.Builtin(info, call) != "" {
		return
	}
	target := called(info, call)
	if target != nil && !p.InModule(target) {
		if e.outside == "" && mayCallBack(target) {
			e.outside = code.CallName(target)
		}
		for _, x := range call.Args { // it may call them
			p.addFunction(e, info, x)
		}
		return
	}
	p.addFunction(e, info, call.Fun)
}

// addFunction adds what an expression calls that is a function. The body of a literal is part of the function that it is in.
func (p *Calls) addFunction(e *Edges, info *types.Info, x ast.Expr) {
	sig, ok := code.Core(info.TypeOf(x)).(*types.Signature)
	if _, lit := ast.Unparen(x).(*ast.FuncLit); lit || !ok {
		return
	}
	switch target := called(info, &ast.CallExpr{Fun: x}); {
	case target == nil:
		e.values = append(e.values, sig)
	case code.IsInterfaceMethod(target):
		e.methods = append(e.methods, target)
	case p.InModule(target):
		e.static = append(e.static, target.Origin().FullName())
	}
}

// mayCallBack reports whether a function of another module is given anything
// that it could call the main module through.
func mayCallBack(fn *types.Func) bool {
	if code.IsInterfaceMethod(fn) {
		return true
	}
	if fn.Pkg() != nil && fn.Pkg().Path() == "sync" && fn.Name() != "Do" && fn.Name() != "Get" {
		return false
	}
	sig := fn.Signature()
	if sig.Recv() != nil && flow.ContractOf(fn) == nil {
		return true // its receiver may hold anything
	}
	for v := range sig.Params().Variables() {
		t := v.Type()
		if s, ok := code.Core(t).(*types.Slice); ok {
			t = s.Elem()
		}
		switch t.Underlying().(type) {
		case *types.Interface, *types.Signature:
			return true
		}
	}
	return false
}

// A functionValue is a function that is used as a value, or holds a function literal.
type functionValue struct {
	sig  *types.Signature
	name string
}

// valuesOf returns the functions that a value of a signature may run: those
// used as values, and those that hold a function literal of it.
func (p *Calls) valuesOf(sig *types.Signature) (names []string) {
	if p.literals == nil {
		p.literals = []functionValue{}
		for _, fn := range p.Funcs {
			p.collectValues(fn, fn.Decl, fn.Obj.FullName())
		}
		for _, f := range p.Files {
			p.packageValues(f)
		}
	}
	for _, v := range p.literals {
		if mayRunAs(sig, v.sig) {
			names = append(names, v.name)
		}
	}
	return names
}

// mayRunAs reports whether a call by one signature may run a function of another: they are the same, or one of them is generic.
func mayRunAs(call, fn *types.Signature) bool {
	return types.Identical(call, fn) || asMany(call, fn) && (isGeneric(call) || isGeneric(fn))
}

// asMany reports whether two signatures have as many parameters and results.
func asMany(x, y *types.Signature) bool {
	return x.Params().Len() == y.Params().Len() && x.Results().Len() == y.Results().Len()
}

// isGeneric reports whether a signature is that of a generic function or type's method, or names a parameter of a type.
func isGeneric(sig *types.Signature) bool {
	return sig.TypeParams().Len() > 0 || sig.RecvTypeParams().Len() > 0 || code.Parameterized(sig)
}

// packageValues collects the function values in the initial values of
// package variables.
func (p *Calls) packageValues(f *File) {
	for _, d := range f.Syntax.Decls {
		gen, ok := d.(*ast.GenDecl)
		if !ok || gen.Tok != token.VAR {
			continue
		}
		fn, name := &Function{File: f}, "variables at "+p.Pos(gen.Pos()).String()
		p.edges[name] = p.EdgesIn(fn, gen)
		p.collectValues(fn, gen, name)
	}
}

// collectValues records the function values in a part of a file that belongs
// to a function, by name.
func (p *Calls) collectValues(fn *Function, part ast.Node, key string) {
	info := fn.Info()
	add := func(t types.Type, names ...string) {
		sig, ok := code.Core(t).(*types.Signature)
		for _, name := range names {
			if ok {
				p.literals = append(p.literals, functionValue{sig, name})
			}
		}
	}
	for n := range code.All[ast.Expr](part) {
		switch n := n.(type) {
		case *ast.FuncLit:
			add(info.TypeOf(n), key)
		case *ast.Ident:
			target, ok := info.Uses[n].(*types.Func)
			if !ok || !p.InModule(target) && !code.IsInterfaceMethod(target) {
				continue
			}
			names := []string{target.Origin().FullName()}
			if code.IsInterfaceMethod(target) {
				names = p.implementations(target)
			}
			var e ast.Expr = n
			if sel, ok := fn.File.Parent(n).(*ast.SelectorExpr); ok && sel.Sel == n {
				e = sel
			}
			if call, ok := fn.File.Parent(e).(*ast.CallExpr); (!ok || call.Fun != e) && info.TypeOf(e) != nil {
				add(info.TypeOf(e), names...)
			}
		}
	}
}

// implementations returns the methods of the module that a call of an
// interface's method may run: a type without a name, or one within a function, may have any of them promoted to it.
func (p *Calls) implementations(m *types.Func) []string {
	names, known := p.implementing[m]
	if !known {
		for name, fn := range p.Funcs {
			if fn.Obj.Signature().Recv() != nil && implements(fn.Obj, m) {
				names = append(names, name)
			}
		}
		slices.Sort(names)
		p.implementing[m] = names
	}
	return names
}

// implements reports whether a method may be what a call of an interface's method runs.
func implements(fn, m *types.Func) bool {
	return fn.Name() == m.Name() && (fn.Exported() || fn.Pkg().Path() == m.Pkg().Path()) && mayRunAs(m.Signature(), fn.Signature())
}
