package detours

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

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
		for sel := range code.All[*ast.SelectorExpr](s.Fn.Decl.Body) {
			if !s.Covers(sel, s.At.Line) || called(s.Fn.File, sel) {
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

// A usage is what a declaration does with states.
type usage struct {
	*machine
	f    *prove.File
	info *types.Info
	decl *ast.FuncDecl
	with *types.Var // the one value whose methods are states in it
}

func (u *usage) declaration(d ast.Decl) (why *prove.Reason) {
	if fd, ok := d.(*ast.FuncDecl); ok {
		u.decl = fd
		if why := u.receiver(); why != nil {
			return why
		}
	}
	ast.Inspect(d, func(n ast.Node) bool {
		if why != nil {
			return false
		}
		switch n := n.(type) {
		case *ast.CallExpr:
			why = u.call(n)
		case *ast.TypeSpec:
			if u.info.Defs[n.Name] == u.state.Obj() {
				why = u.retype(n)
				return false
			}
		}
		if e, ok := n.(ast.Expr); ok && why == nil {
			why = u.expr(e)
		}
		return why == nil
	})
	return why
}

// retype gives the state's type its parameter.
func (u *usage) retype(n *ast.TypeSpec) *prove.Reason {
	ft, ok := n.Type.(*ast.FuncType)
	if !ok || n.Assign.IsValid() {
		return u.no(n, "is no function type of its own")
	}
	at := u.p.Offset(ft.Params.Opening) + 1
	u.edits = append(u.edits, u.p.Edit(u.f, at, at, "*"+u.on.Obj().Name()))
	return nil
}

func (u *usage) no(n ast.Node, words string) *prove.Reason {
	return prove.Refusef("%s at %s %s", u.state.Obj().Name(), u.p.Pos(n.Pos()), words)
}

// receiver finds the value whose methods are states in a function: its receiver, or else
// the one variable that is asked for them.
func (u *usage) receiver() *prove.Reason {
	fn, _ := u.info.Defs[u.decl.Name].(*types.Func)
	if fn == nil || u.decl.Body == nil {
		return nil
	}
	states := u.mentions(fn.Signature())
	if recv := fn.Signature().Recv(); recv != nil && pointee(recv.Type()) == u.on {
		if states && fn.Exported() {
			return u.no(u.decl, "is a result or parameter of an exported method")
		}
		if names := u.decl.Recv.List[0].Names; len(names) > 0 {
			u.with, _ = u.info.Defs[names[0]].(*types.Var)
		}
	} else if states {
		return u.no(u.decl, "is a result or parameter of a function that is no method of "+u.on.Obj().Name())
	}
	for sel := range code.All[*ast.SelectorExpr](u.decl.Body) {
		if method, ok := u.info.Uses[sel.Sel].(*types.Func); !ok || !u.mentions(method.Signature()) {
			continue
		}
		v := u.variable(sel.X)
		if v == nil || u.with != v && (u.with != nil || states) {
			return u.no(sel, "is not of one and the same variable, which a loop does not set")
		}
		u.with = v
	}
	if u.with != nil && (code.Reassigned(u.info, u.decl.Body, u.with) || code.AddressTaken(u.info, u.decl.Body, u.with) || code.Jumps(u.decl.Body)) {
		return u.no(u.decl, "may be of another "+u.on.Obj().Name()+" later")
	}
	return nil
}

// variable returns the variable of the function that an expression is, if it is a pointer to
// the type with the states, and no loop sets it.
func (u *usage) variable(e ast.Expr) *types.Var {
	id, ok := ast.Unparen(e).(*ast.Ident)
	if !ok {
		return nil
	}
	v, ok := u.info.Uses[id].(*types.Var)
	if !ok || pointee(v.Type()) != u.on || v.Parent() == v.Pkg().Scope() {
		return nil
	}
	looped := code.Any(u.decl.Body, func(id *ast.Ident) bool {
		if u.info.Defs[id] != v {
			return false
		}
		up := u.f.Parent(id)
		_, ranged := up.(*ast.RangeStmt)
		loop, head := u.f.Parent(up).(*ast.ForStmt)
		return ranged || head && loop.Init == up
	})
	if looped {
		return nil
	}
	return v
}

// expr judges one expression: whether it may be a state, and what becomes of it.
func (u *usage) expr(e ast.Expr) *prove.Reason {
	tv, ok := u.info.Types[e]
	switch {
	case !ok || tv.IsNil() || tv.IsVoid() || tv.IsBuiltin():
		return nil
	case tv.IsType():
		return u.typ(e, tv.Type)
	case !u.like(tv.Type):
		return nil
	}
	switch x := e.(type) {
	case *ast.ParenExpr:
	case *ast.CallExpr:
	case *ast.Ident:
		v, ok := u.info.ObjectOf(x).(*types.Var)
		if !ok || v.IsField() || v.Parent() == v.Pkg().Scope() {
			return u.no(e, "is a function, a field or a variable of the package")
		}
		if !u.lives(v) {
			return u.no(e, "may be of another "+u.on.Obj().Name())
		}
	case *ast.SelectorExpr:
		return u.selector(x)
	case *ast.FuncLit:
		if u.with == nil {
			return u.no(e, "is a function literal without a "+u.on.Obj().Name())
		}
		at, text := u.p.Offset(x.Type.Params.Opening)+1, "*"+u.on.Obj().Name()
		if code.Any(x.Body, func(id *ast.Ident) bool { return u.info.Uses[id] == u.with }) {
			text = u.with.Name() + " " + text
		}
		u.edits = append(u.edits, u.p.Edit(u.f, at, at, text))
	default:
		return u.no(e, "is in something that holds it")
	}
	return u.context(e)
}

// lives reports whether a variable is one that each value has for itself: a loop that makes one
// value after another has other states for each.
func (u *usage) lives(v *types.Var) bool {
	return u.with != nil && u.with.Parent() != nil && v.Pos() > u.with.Pos() && u.with.Parent().Contains(v.Pos())
}

// sees reports whether the name of the value means it at a place.
func (u *usage) sees(at token.Pos) bool {
	if u.with == nil {
		return false
	}
	_, obj := u.with.Pkg().Scope().Innermost(at).LookupParent(u.with.Name(), at)
	return obj == u.with
}

// typ judges a place where a type is named: it may be that of a local variable, a parameter or a result.
func (u *usage) typ(e ast.Expr, t types.Type) *prove.Reason {
	if !u.like(t) {
		return nil
	}
	switch up := u.f.Parent(e).(type) {
	case *ast.FuncLit, *ast.FuncDecl:
		return nil
	case *ast.ValueSpec:
		if u.decl != nil && types.Identical(t, u.state) {
			return nil
		}
	case *ast.Field:
		ft, ok := u.f.Parent(u.f.Parent(up)).(*ast.FuncType)
		if !ok || !types.Identical(t, u.state) {
			break
		}
		switch of := u.f.Parent(ft).(type) {
		case *ast.FuncDecl:
			return nil
		case *ast.FuncLit:
			if u.like(u.info.TypeOf(of)) {
				return nil
			}
		}
	}
	return u.no(e, "is part of another type")
}

// selector judges a method, as a value or called.
func (u *usage) selector(e *ast.SelectorExpr) *prove.Reason {
	sel := u.info.Selections[e]
	if u.with == nil || sel == nil || sel.Kind() != types.MethodVal || len(sel.Index()) > 1 || pointee(sel.Obj().(*types.Func).Signature().Recv().Type()) != u.on {
		return u.no(e, "is a field, or a method of something else")
	}
	if called(u.f, e) {
		return nil
	}
	if sel.Obj().Exported() {
		return u.no(e, "is an exported method")
	}
	u.edits = append(u.edits, u.p.Edit(u.f, u.p.Offset(e.X.Pos()), u.p.Offset(e.X.End()), "(*"+u.on.Obj().Name()+")"))
	return u.context(e)
}

// context judges what a state is used for.
func (u *usage) context(e ast.Expr) *prove.Reason {
	into := func(t types.Type) *prove.Reason {
		if !u.like(t) {
			return u.no(e, "is stored as something else")
		}
		return nil
	}
	switch up := u.f.Parent(e).(type) {
	case *ast.ParenExpr, *ast.ExprStmt, *ast.BinaryExpr: // which compares with nil
		return nil
	case *ast.ReturnStmt:
		return into(u.result(up, slices.Index(up.Results, e)))
	case *ast.ValueSpec:
		return into(u.info.Defs[up.Names[slices.Index(up.Values, e)]].Type())
	case *ast.AssignStmt:
		if i := slices.Index(up.Rhs, e); i >= 0 {
			if id, ok := up.Lhs[i].(*ast.Ident); !ok || id.Name != "_" {
				return into(u.info.TypeOf(up.Lhs[i]))
			}
		}
		return nil
	case *ast.CallExpr:
		if up.Fun != e {
			return u.argument(up, e)
		}
		if _, lit := e.(*ast.FuncLit); lit || !u.sees(e.Pos()) {
			return u.no(e, "is called where its "+u.on.Obj().Name()+" has no name")
		}
		at := u.p.Offset(up.Lparen) + 1
		u.edits = append(u.edits, u.p.Edit(u.f, at, at, u.with.Name()))
		return nil
	}
	return u.no(e, "is in something that holds it")
}

// result returns the type of a result of the function that returns it; nil if there is none.
func (u *usage) result(ret *ast.ReturnStmt, i int) types.Type {
	var sig *types.Signature
	if lit := u.f.Literal(ret); lit != nil {
		sig, _ = u.info.TypeOf(lit).Underlying().(*types.Signature)
	} else if fn, ok := u.info.Defs[u.decl.Name].(*types.Func); ok {
		sig = fn.Signature()
	}
	if sig == nil || i < 0 || i >= sig.Results().Len() {
		return nil
	}
	return sig.Results().At(i).Type()
}

// argument judges a state that is passed to a function.
func (u *usage) argument(call *ast.CallExpr, e ast.Expr) *prove.Reason {
	target := code.Callee(u.info, call)
	if target == nil || target.Signature().Variadic() || !u.mentions(target.Signature()) {
		return u.no(e, "is passed to a function that may keep it")
	}
	i := slices.Index(call.Args, e)
	if i < 0 || i >= target.Signature().Params().Len() || !types.Identical(target.Signature().Params().At(i).Type(), u.state) {
		return u.no(e, "is passed as something else")
	}
	return nil
}

// call judges a call that takes or returns states: of a state, or of a method of the one value.
func (u *usage) call(call *ast.CallExpr) *prove.Reason {
	sig, ok := u.info.TypeOf(call.Fun).Underlying().(*types.Signature)
	if !ok || u.info.Types[call.Fun].IsType() || !u.mentions(sig) {
		return nil
	}
	if sig.Results().Len() > 1 {
		if why := u.several(call, sig.Results()); why != nil {
			return why
		}
	}
	if u.like(sig) {
		return nil // expr judges what is called
	}
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return u.no(call, "is passed or returned by a function that is no method of "+u.on.Obj().Name())
	}
	s := u.info.Selections[sel]
	if u.with == nil || s == nil || s.Kind() != types.MethodVal || len(s.Index()) > 1 || pointee(s.Obj().(*types.Func).Signature().Recv().Type()) != u.on {
		return u.no(call, "is passed or returned by something else than a method of "+u.on.Obj().Name())
	}
	return nil
}

// several judges what a call's results go to, a state among them.
func (u *usage) several(call *ast.CallExpr, results *types.Tuple) *prove.Reason {
	for i := range results.Len() {
		t, ok := results.At(i).Type(), false
		switch up := u.f.Parent(call).(type) {
		case *ast.ExprStmt:
			ok = true
		case *ast.ReturnStmt:
			into := u.result(up, i)
			ok = into != nil && types.Identical(t, into)
		case *ast.AssignStmt:
			id, named := up.Lhs[i].(*ast.Ident)
			ok = !u.like(t) || named && (id.Name == "_" || u.like(u.info.TypeOf(id)))
		}
		if !ok {
			return u.no(call, "is one of the results of a call, and stored as something else")
		}
	}
	return nil
}
