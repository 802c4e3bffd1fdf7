package prove

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// passedOnly reports whether values of the method's struct are only ever in local
// variables, parameters and results of the package's functions: nothing can hand one to
// another goroutine then. The type is not exported.
func (p *Confinement) passedOnly(m *Method) bool {
	named := m.Named
	if named.Obj().Exported() || named.Obj().Parent() != m.Obj.Pkg().Scope() {
		return false
	}
	if len(m.File.Pkg.IgnoredFiles) > 0 && p.gotElsewhere(m) {
		return false
	}
	info := m.Info()
	return !slices.ContainsFunc(m.File.Pkg.Files, func(f *File) bool {
		return code.Any(f.Syntax, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.Ident:
				if !declares(info.Defs[n], named) || ofGeneric(info, n, named) {
					return true
				}
			case *ast.Field:
				return len(n.Names) == 0 && embeds(f, n) && reaches(info.TypeOf(n.Type), named)
			}
			e, is := n.(ast.Expr)
			return is && info.Types[e].IsValue() && (makes(f, info, e, named) || reaches(info.Types[e].Type, named) && !p.passes(f, info, e, named))
		})
	})
}

// declares reports whether what is declared is no place that outlives a call and may hold
// a value of the named type.
func declares(obj types.Object, named *types.Named) bool {
	switch obj := obj.(type) {
	case *types.Var:
		return !reaches(obj.Type(), named) || pointsTo(obj.Type(), named) && !obj.IsField() && obj.Parent() != obj.Pkg().Scope()
	case *types.TypeName:
		return obj == named.Obj() || !reaches(obj.Type().Underlying(), named)
	}
	return true
}

// gotElsewhere reports whether files for other builds name the method's struct, or a function that returns one.
func (p *Confinement) gotElsewhere(m *Method) bool {
	for _, obj := range m.Info().Defs {
		fn, ok := obj.(*types.Func)
		if (obj == m.Named.Obj() || ok && reaches(fn.Signature().Results(), m.Named)) && p.IgnoredMention(m.File.Pkg, obj.Name()) != "" {
			return true
		}
	}
	return false
}

// ofGeneric reports whether a name is that of generic code that is used with the type: that code takes values as any other.
func ofGeneric(info *types.Info, id *ast.Ident, named *types.Named) bool {
	for t := range info.Instances[id].TypeArgs.Types() {
		if reaches(t, named) {
			return true
		}
	}
	return false
}

// makes reports whether an expression is a function that returns values of the type and is not called there: others may
// call it, or share what it returns.
func makes(f *File, info *types.Info, e ast.Expr, named *types.Named) bool {
	sig, ok := info.Types[e].Type.(*types.Signature)
	if !ok || !reaches(sig.Results(), named) {
		return false
	}
	switch up := f.Parent(e).(type) {
	case *ast.CallExpr:
		return up.Fun != e
	case *ast.ParenExpr:
		return false
	case *ast.SelectorExpr:
		return up.Sel != e
	}
	return true
}

// embeds reports whether a field without a name is that of a struct.
func embeds(f *File, field *ast.Field) bool {
	_, ok := f.Parent(f.Parent(field)).(*ast.StructType)
	return ok
}

// reaches reports whether a value of type t may hold one of the named type, or a pointer
// to one, as far as types tell. Functions hold none: see passes.
func reaches(t types.Type, named *types.Named) bool {
	_, function := t.(*types.Signature)
	// What other declared types hold is looked at where they are declared.
	return t != nil && !function && (pointsTo(t, named) || code.Parts(t, func(part types.Type) bool { return reaches(part, named) }))
}

// passes reports whether an expression that gives a value of the named type, or a pointer
// to one, stands where it stays on the goroutine: it is selected from, passed to a function
// of the package, returned by one, or kept in a local variable.
func (p *Confinement) passes(f *File, info *types.Info, e ast.Expr, named *types.Named) bool {
	if p.captures(f, info, e) {
		return false // the literal may run at any time
	}
	switch up := f.Parent(e).(type) {
	case *ast.SelectorExpr, *ast.ParenExpr, *ast.StarExpr:
		return !p.bound(f, info, up)
	case *ast.UnaryExpr:
		return up.Op == token.AND
	case *ast.BinaryExpr:
		return up.Op == token.EQL || up.Op == token.NEQ
	case *ast.Field:
		return true // its type
	case *ast.CompositeLit:
		return up.Type == e
	case *ast.ValueSpec:
		return up.Type == nil || up.Type == e || pointsTo(info.TypeOf(up.Type), named)
	case *ast.ExprStmt:
		return true
	case *ast.ReturnStmt:
		return results(f, info, up, named)
	case *ast.AssignStmt:
		return assigned(info, up, named)
	case *ast.CallExpr:
		return !f.Spawned(up) && (up.Fun == e || p.handsOn(info, up, e, named))
	}
	return false
}

// captures reports whether an expression is a variable from outside a function literal that it
// stands in, and that may be called at another time than right away.
func (p *Confinement) captures(f *File, info *types.Info, e ast.Expr) bool {
	id, ok := e.(*ast.Ident)
	if !ok {
		return false
	}
	for lit := f.Literal(id); lit != nil && !code.Declares(lit, info.Uses[id]); lit = f.Literal(f.Parent(lit)) {
		call, ok := f.Parent(lit).(*ast.CallExpr)
		if !ok || f.Spawned(call) || call.Fun != ast.Expr(lit) && !p.onlyCalls(f, call, lit, 0) {
			return true
		}
	}
	return false
}

// onlyCalls reports whether a function of the module that is given a function does no more than to call it, on its own
// goroutine, compare it with nil, or give it to one like itself.
func (p *Confinement) onlyCalls(f *File, call *ast.CallExpr, given ast.Expr, depth int) bool {
	target := code.Callee(f.Pkg.TypesInfo, call)
	if f.Spawned(call) || target == nil || code.IsInterfaceMethod(target) || depth > 2 {
		return false
	}
	at, callee := slices.Index(call.Args, given), p.Function(target)
	if callee == nil || at < 0 || callee.Obj.Signature().Variadic() || p.around.DeclaredElsewhere(callee) != "" {
		return false
	}
	for use := range UsesIn(callee.Info(), callee.Decl.Body, callee.Obj.Signature().Params().At(at)) {
		if callee.File.Literal(use) != nil {
			return false
		}
		switch up := callee.File.Parent(use).(type) {
		case *ast.BinaryExpr:
		case *ast.CallExpr:
			if callee.File.Spawned(up) || up.Fun != ast.Expr(use) && !p.onlyCalls(callee.File, up, use, depth+1) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// assigned reports whether an assignment keeps such values in local variables, or in what
// they point to.
func assigned(info *types.Info, a *ast.AssignStmt, named *types.Named) bool {
	for i, l := range a.Lhs {
		var t types.Type
		if tuple, ok := info.TypeOf(a.Rhs[0]).(*types.Tuple); ok {
			t = tuple.At(i).Type()
		} else {
			t = info.TypeOf(a.Rhs[i])
		}
		if !reaches(t, named) {
			continue
		}
		switch ast.Unparen(l).(type) {
		case *ast.Ident, *ast.StarExpr:
			if to := info.TypeOf(l); to != nil && types.IsInterface(to) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// bound reports whether a selector is a method that may be called at another time than right away: a function that has
// the value.
func (p *Confinement) bound(f *File, info *types.Info, n ast.Node) bool {
	sel, ok := n.(*ast.SelectorExpr)
	if !ok || info.Selections[sel] == nil || info.Selections[sel].Kind() == types.FieldVal {
		return false
	}
	call, ok := f.Parent(sel).(*ast.CallExpr)
	if !ok || call.Fun != ast.Expr(sel) && !p.onlyCalls(f, call, sel, 0) {
		return true
	}
	return f.Spawned(call)
}

// handsOn reports whether a call gives a value to a parameter of its own type, in all builds, or is new(T).
func (p *Confinement) handsOn(info *types.Info, call *ast.CallExpr, e ast.Expr, named *types.Named) bool {
	if code.Builtin(info, call) == "new" {
		return true
	}
	sig, ok := info.TypeOf(call.Fun).Underlying().(*types.Signature)
	if !ok {
		return false
	}
	if target := code.Callee(info, call); target != nil && p.Function(target) != nil && p.around.DeclaredElsewhere(p.Function(target)) != "" {
		return false
	}
	for i, a := range call.Args {
		if a == e {
			return i < sig.Params().Len() && pointsTo(sig.Params().At(i).Type(), named)
		}
	}
	return false
}

// results reports whether a return gives a value to a result of its own type, of a function
// that only the package can call.
func results(f *File, info *types.Info, ret *ast.ReturnStmt, named *types.Named) bool {
	for n := f.Parent(ret); n != nil; n = f.Parent(n) {
		decl, ok := n.(*ast.FuncDecl)
		if _, literal := n.(*ast.FuncLit); literal {
			return false
		}
		if !ok {
			continue
		}
		fn, ok := info.Defs[decl.Name].(*types.Func)
		if !ok || fn.Exported() {
			return false
		}
		for v := range fn.Signature().Results().Variables() {
			if types.IsInterface(v.Type()) && len(ret.Results) != fn.Signature().Results().Len() {
				return false
			}
		}
		for i, e := range ret.Results {
			if pointsTo(info.TypeOf(e), named) && i < fn.Signature().Results().Len() && !pointsTo(fn.Signature().Results().At(i).Type(), named) {
				return false
			}
		}
		return true
	}
	return false
}

// callersAlone reports whether only methods of the same struct call the method, on their own
// receivers, and each writes its receiver without synchronisation on every path that calls.
func (p *Confinement) callersAlone(m *Method, depth int) bool {
	if depth > 2 || p.CalledUnread(m.Function) {
		return false
	}
	called := false
	for _, f := range m.File.Pkg.Files {
		for id := range UsesIn(f.Pkg.TypesInfo, f.Syntax, m.Obj) {
			if called = true; !p.callerAlone(f, id, depth) {
				return false
			}
		}
	}
	return called
}

// callerAlone reports whether name is the method in such a call.
func (p *Confinement) callerAlone(f *File, name *ast.Ident, depth int) bool {
	fn, call, x := p.calledOn(f, name)
	if fn == nil {
		return false
	}
	caller, why := p.MethodOf(fn)
	if why != nil || !IsUseOf(fn.Info(), x, caller.Recv) || code.WrittenIn(fn.Info(), fn.Decl.Body, caller.Recv) {
		return false
	}
	if p.freshReceiver(caller) {
		return true
	}
	if p.Synchronises(fn, caller.Recv) != "" {
		return false
	}
	if _, ok := p.alwaysSets(fn, call, caller.Recv, false); ok {
		return true
	}
	return p.callersAlone(caller, depth+1)
}
