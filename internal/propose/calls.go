package propose

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/types/typeutil"

	"github.com/pawl-dev/pawl/internal/model"
)

// edges is what a declared function calls, function literals in it included.
type edges struct {
	static  []string // functions of the main module
	values  []string // signatures of function values that are called
	methods []*types.Func
	outside string // a call that leaves the main module and might call back
}

// notReentered argues that fn is not entered again while it runs. The second
// result says where it may be.
func (p *Program) notReentered(fn *function) (model.Obligation, string) {
	o := model.Obligation{Text: fn.obj.Name() + " is not entered again while it runs", How: "proven",
		Why: "nothing that it calls leads back to it"}
	back, outside := p.reaches(p.edgesOf(fn), fn.obj.FullName())
	if back {
		return o, fn.obj.Name() + " may be entered again while it runs: what it calls leads back to it"
	}
	if outside != "" {
		o.How = "assumed"
		o.Why = "nothing that it calls in the module leads back to it; " + outside + " does not call back into it"
	}
	return o, ""
}

// reaches reports whether calls from e lead to the named function, and a call
// on the way that leaves the module and could call back.
func (p *Program) reaches(e *edges, goal string) (back bool, outside string) {
	seen := map[string]bool{}
	todo := []*edges{e}
	for len(todo) > 0 {
		e := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if outside == "" {
			outside = e.outside
		}
		for _, name := range p.targets(e) {
			if name == goal {
				return true, outside
			}
			if next := p.edgesNamed(name); next != nil && !seen[name] {
				seen[name] = true
				todo = append(todo, next)
			}
		}
	}
	return false, outside
}

// overwritesWhole returns where the method, or something that it calls in the
// module, assigns a whole value of the receiver's type; "" if nothing does.
func (p *Program) overwritesWhole(m *method) string {
	seen := map[string]bool{m.obj.FullName(): true}
	for todo := []*function{m.function}; len(todo) > 0; {
		fn := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		at := ""
		ast.Inspect(fn.decl.Body, func(n ast.Node) bool {
			if a, ok := n.(*ast.AssignStmt); ok && a.Tok == token.ASSIGN {
				for _, l := range a.Lhs {
					if holds(fn.info().TypeOf(l), m.named) {
						at = p.pos(l.Pos()).String()
					}
				}
			}
			return at == ""
		})
		if at != "" {
			return at
		}
		for _, name := range p.targets(p.edgesOf(fn)) {
			if next := p.funcs[name]; next != nil && !seen[name] {
				seen[name] = true
				todo = append(todo, next)
			}
		}
	}
	return ""
}

// targets resolves function values and interface methods of the module to
// everything that they could be.
func (p *Program) targets(e *edges) []string {
	names := slices.Clone(e.static)
	for _, sig := range e.values {
		names = append(names, p.valuesOf(sig)...)
	}
	for _, m := range e.methods {
		names = append(names, p.implementations(m)...)
	}
	return names
}

// edgesNamed returns what a declared function, or a function literal of a
// package variable, calls; nil if the name is neither.
func (p *Program) edgesNamed(name string) *edges {
	if fn := p.funcs[name]; fn != nil {
		return p.edgesOf(fn)
	}
	return p.edges[name]
}

func (p *Program) edgesOf(fn *function) *edges {
	key := fn.obj.FullName()
	if e := p.edges[key]; e != nil {
		return e
	}
	e := p.edgesIn(fn, fn.decl.Body)
	p.edges[key] = e
	return e
}

// edgesIn collects the calls within a part of a function.
func (p *Program) edgesIn(fn *function, part ast.Node) *edges {
	e, info := &edges{}, fn.info()
	ast.Inspect(part, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || info.Types[call.Fun].IsType() || builtin(info, call) != "" {
			return true
		}
		target, _ := typeutil.Callee(info, call).(*types.Func) // method expressions too
		switch {
		case target == nil:
			if _, lit := ast.Unparen(call.Fun).(*ast.FuncLit); !lit {
				e.values = append(e.values, signatureOf(info.TypeOf(call.Fun)))
			}
		case p.local(target) && isInterfaceMethod(target):
			e.methods = append(e.methods, target)
		case p.local(target):
			e.static = append(e.static, target.Origin().FullName())
		case e.outside == "" && mayCallBack(target):
			e.outside = callName(target)
		}
		return true
	})
	return e
}

// mayCallBack reports whether a function of another module is given anything
// that it could call the main module through.
func mayCallBack(fn *types.Func) bool {
	if isInterfaceMethod(fn) {
		return true
	}
	if fn.Pkg() != nil && fn.Pkg().Path() == "sync" && fn.Name() != "Do" && fn.Name() != "Get" {
		return false
	}
	sig := fn.Signature()
	if sig.Recv() != nil && contractOf(fn) == nil {
		return true // its receiver may hold anything
	}
	for v := range sig.Params().Variables() {
		t := v.Type()
		if s, ok := t.Underlying().(*types.Slice); ok {
			t = s.Elem()
		}
		switch t.Underlying().(type) {
		case *types.Interface, *types.Signature:
			return true
		}
	}
	return false
}

// valuesOf returns the functions that a value of a signature may run: those
// used as values, and those that hold a function literal of it.
func (p *Program) valuesOf(sig string) []string {
	if p.literals == nil {
		p.literals = map[string][]string{}
		for _, fn := range p.funcs {
			p.collectValues(fn, fn.decl, fn.obj.FullName())
		}
		for _, f := range p.files {
			p.packageValues(f)
		}
	}
	return p.literals[sig]
}

// signatureOf writes a function type without the names of its parameters.
func signatureOf(t types.Type) string {
	if sig, ok := t.Underlying().(*types.Signature); ok {
		return typeList(sig.Params()) + " " + typeList(sig.Results())
	}
	return types.TypeString(t.Underlying(), nil)
}

// packageValues collects the function values in the initial values of
// package variables.
func (p *Program) packageValues(f *file) {
	for _, d := range f.syntax.Decls {
		gen, ok := d.(*ast.GenDecl)
		if !ok || gen.Tok != token.VAR {
			continue
		}
		fn, name := &function{file: f}, "variables at "+p.pos(gen.Pos()).String()
		p.edges[name] = p.edgesIn(fn, gen)
		p.collectValues(fn, gen, name)
	}
}

// collectValues records the function values in a part of a file that belongs
// to a function, by name.
func (p *Program) collectValues(fn *function, part ast.Node, key string) {
	info := fn.info()
	add := func(t types.Type, name string) {
		sig := signatureOf(t)
		p.literals[sig] = append(p.literals[sig], name)
	}
	ast.Inspect(part, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			add(info.TypeOf(n), key)
		case *ast.Ident:
			target, ok := info.Uses[n].(*types.Func)
			if !ok || !p.local(target) {
				return true
			}
			var e ast.Expr = n
			if sel, ok := fn.file.parent(n).(*ast.SelectorExpr); ok && sel.Sel == n {
				e = sel
			}
			if call, ok := fn.file.parent(e).(*ast.CallExpr); (!ok || call.Fun != e) && info.TypeOf(e) != nil {
				add(info.TypeOf(e), target.Origin().FullName())
			}
		}
		return true
	})
}

// implementations returns the methods of the module that a call of an
// interface's method may run.
func (p *Program) implementations(m *types.Func) []string {
	iface, ok := m.Signature().Recv().Type().Underlying().(*types.Interface)
	if !ok {
		return nil
	}
	var names []string
	for name, fn := range p.funcs {
		recv := fn.obj.Signature().Recv()
		if recv != nil && fn.obj.Name() == m.Name() && (types.Implements(recv.Type(), iface) || types.Implements(types.NewPointer(recv.Type()), iface)) {
			names = append(names, name)
		}
	}
	return names
}
