package detours

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

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
	if u.with != nil && (code.WrittenIn(u.info, u.decl.Body, u.with) || code.Jumps(u.decl.Body)) {
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
	u.edits = append(u.edits, u.p.Put(u.f, e.X.Pos(), e.X.End(), "(*"+u.on.Obj().Name()+")"))
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
