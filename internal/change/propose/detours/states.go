package detours

import (
	"fmt"
	"go/ast"
	"go/types"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// States makes method expressions of the method values that are the states of a machine.
var States = prove.Transformation{
	Name:     "state-methods",
	Doc:      "The states of a lexer or parser are functions without parameters, and each p.parseKey that is returned as the next one is allocated. They become method expressions such as (*parser).parseKey, and the loop calls them with the parser.",
	Saves:    prove.Both,
	Evidence: prove.Evidence(proofs, "state-methods", "BenchmarkWords", "allocs", "no allocation for the next state", 0),
	// It looks at the method values on the target's lines whose result is their own type again.
	Propose: prove.At(prove.Near, func(s *prove.Site) {
		for sel := range prove.On[*ast.SelectorExpr](s) {
			if called(s.Fn.File, sel) {
				continue
			}
			if m := machineOf(s.Program, s.Fn, sel); m != nil {
				ch, why := m.propose(s.Fn)
				s.Add(types.ExprString(sel)+" is allocated each time", ch, why)
				return
			}
		}
	}),
}

// called reports whether an expression is what a call calls.
func called(f *prove.File, e ast.Expr) bool {
	call, ok := f.Parent(e).(*ast.CallExpr)
	return ok && call.Fun == e
}

// A machine has a function type whose values are its states: type state func() state.
type machine struct {
	p     *prove.Program
	k     *prove.Package
	state *types.Named
	sig   *types.Signature
	on    *types.Named // whose methods they are
	edits []model.Edit
}

// machineOf reads a method value; nil if it is no state.
func machineOf(p *prove.Program, fn *prove.Function, sel *ast.SelectorExpr) *machine {
	method, ok := fn.Info().Uses[sel.Sel].(*types.Func)
	if !ok || method.Signature().Recv() == nil || method.Pkg() != fn.Obj.Pkg() {
		return nil
	}
	on := pointee(method.Signature().Recv().Type())
	sig := method.Signature()
	if on == nil || sig.Params().Len() > 0 {
		return nil
	}
	for v := range sig.Results().Variables() {
		state, ok := types.Unalias(v.Type()).(*types.Named)
		if ok && state.Obj().Pkg() == method.Pkg() && types.Identical(state.Underlying(), types.NewSignatureType(nil, nil, nil, nil, sig.Results(), false)) {
			return &machine{p: p, k: fn.File.Pkg, state: state, sig: state.Underlying().(*types.Signature), on: on}
		}
	}
	return nil
}

// pointee returns the type of the package level that t points to; nil if it is generic.
func pointee(t types.Type) *types.Named {
	ptr, ok := types.Unalias(t).(*types.Pointer)
	if !ok {
		return nil
	}
	named, ok := types.Unalias(ptr.Elem()).(*types.Named)
	if !ok || named.TypeParams().Len() > 0 || named.TypeArgs().Len() > 0 || named.Obj().Parent() != named.Obj().Pkg().Scope() {
		return nil
	}
	return named
}

func (m *machine) propose(fn *prove.Function) (*model.Change, *prove.Reason) {
	if m.state.Obj().Exported() || m.state.TypeParams().Len() > 0 || m.state.NumMethods() > 0 || m.state.Obj().Parent() != fn.Obj.Pkg().Scope() {
		return nil, prove.Refuse(m.state.Obj().Name() + " is exported or generic, or has methods")
	}
	for _, name := range []string{m.state.Obj().Name(), m.on.Obj().Name()} {
		if at := m.p.IgnoredMention(m.k, name); at != "" {
			return nil, prove.Refusef("for other builds, %s uses %s", at, name)
		}
	}
	if why := m.tested(); why != nil {
		return nil, why
	}
	for _, f := range m.k.Files {
		before := len(m.edits)
		for _, d := range f.Syntax.Decls {
			u := &usage{machine: m, f: f, info: m.k.TypesInfo}
			if why := u.declaration(d); why != nil {
				return nil, why
			}
		}
		if why := prove.Editable(f); why != nil && len(m.edits) > before {
			return nil, why
		}
	}
	on := m.on.Obj().Name()
	c, why := m.p.Change(fn, m.edits, model.Change{
		Kind:  "state-methods",
		Title: fmt.Sprintf("%s: make the states of %s method expressions", m.k.Name, on),
		Obligations: []model.Obligation{
			{Text: "each state runs with the receiver that it was taken of", How: "proven",
				Why: "a " + m.state.Obj().Name() + " is only made of a method's own receiver, or of the one " + on + " of a function, and only passed on by methods of that"},
			{Text: "nobody else has such a value", How: "proven",
				Why: "the type and the methods are not exported; no field, variable of the package, channel or interface holds one, and no test calls one"},
			{Text: "a method value of a nil pointer does not panic, and neither does a method expression", How: "proven", Why: "the receivers are pointers"},
		},
	})
	if c != nil {
		c.ID = prove.ChangeID(c.Kind, m.state.String(), c.Edits) // it is the same from wherever it is seen
	}
	return c, why
}

// mentions reports whether a signature has the state's type in it, or is like it.
func (m *machine) mentions(sig *types.Signature) bool {
	for _, vars := range []*types.Tuple{sig.Params(), sig.Results()} {
		for v := range vars.Variables() {
			if m.like(v.Type()) {
				return true
			}
		}
	}
	return false
}

// like reports whether values of a type may be states.
func (m *machine) like(t types.Type) bool {
	return t != nil && types.Identical(t.Underlying(), m.sig)
}

// tested says which test would have to change: one that names the type, calls a state, hands
// one over, or takes a method as one. It may ask a method for the next state.
func (m *machine) tested() (why *prove.Reason) {
	for _, v := range m.p.TestViews(m.k) {
		in := *m
		for _, obj := range v.Info.Defs {
			if obj != nil && obj.Name() == m.state.Obj().Name() && obj.Pkg() != nil && obj.Parent() == obj.Pkg().Scope() {
				in.sig, _ = obj.Type().Underlying().(*types.Signature)
			}
		}
		for _, f := range v.Files {
			for e := range code.All[ast.Expr](f.Syntax) {
				if f.Test && in.tests(f, v.Info, e) {
					return prove.Refusef("the test %s does something with a %s", m.p.Pos(e.Pos()), m.state.Obj().Name())
				}
			}
		}
	}
	return nil
}

func (m *machine) tests(f *prove.File, info *types.Info, e ast.Expr) bool {
	sig, _ := types.Unalias(types.Default(typeOf(info, e))).Underlying().(*types.Signature)
	switch x := e.(type) {
	case *ast.CallExpr:
		sig, _ = typeOf(info, x.Fun).Underlying().(*types.Signature)
		return sig != nil && code.Callee(info, x) == nil && m.like(sig)
	case *ast.SelectorExpr:
		method := info.Selections[x] != nil && info.Selections[x].Kind() == types.MethodVal
		if sig == nil || !method {
			return false
		}
		for v := range sig.Params().Variables() {
			if m.like(v.Type()) {
				return true
			}
		}
		return m.like(sig) && !called(f, x)
	}
	return info.Types[e].IsType() && sig != nil && m.like(sig)
}

// typeOf returns the type of an expression, that of nothing where the test does not compile.
func typeOf(info *types.Info, e ast.Expr) types.Type {
	if t := info.TypeOf(e); t != nil {
		return t
	}
	return types.Typ[types.Invalid]
}
