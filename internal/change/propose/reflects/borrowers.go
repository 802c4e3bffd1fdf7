package reflects

import (
	"cmp"
	"go/ast"
	"go/types"
	"slices"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/internal/rulekit/flow"
)

// called says why a method of a struct or list of reflect.Values may keep one.
func (b *borrowed) called(fn *prove.Function, call *ast.CallExpr) *prove.Reason {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	method := code.Callee(fn.Info(), call)
	if !ok || method == nil || fn.Info().Selections[sel] == nil || !isValue(fn.Info().TypeOf(sel.X)) || method.Pkg().Path() == "reflect" {
		return nil
	}
	next := b.p.Function(method)
	if next == nil || !isValue(method.Signature().Recv().Type()) {
		return prove.Refusef("%s may keep what it is called on (%s)", code.CallName(method), b.p.Pos(call.Pos()))
	}
	return b.check(next, next.Decl.Body)
}

// named returns the methods of the module that have the signature and the name of a method; for nil, the functions of a
// signature that are used as values.
func (b *borrowed) named(method *types.Func, sig types.Type) (all []*prove.Function) {
	for _, fn := range b.p.Funcs {
		if fn.File.Test || !types.Identical(fn.Obj.Signature(), sig.Underlying()) {
			continue
		}
		if method == nil && b.isValue(fn.Obj) || method != nil && fn.Obj.Name() == method.Name() && fn.Obj.Signature().Recv() != nil {
			all = append(all, fn)
		}
	}
	slices.SortFunc(all, func(f, g *prove.Function) int { return cmp.Compare(f.Decl.Pos(), g.Decl.Pos()) })
	return all
}

// isValue reports whether code of the module uses a function in another way than to call it.
func (b *borrowed) isValue(fn *types.Func) bool {
	for _, k := range b.p.Packages {
		for _, f := range k.Files {
			for id := range code.All[*ast.Ident](f.Syntax) {
				if used, ok := k.TypesInfo.Uses[id].(*types.Func); !ok || used.Origin() != fn {
					continue
				}
				e := ast.Node(id)
				if sel, ok := f.Parent(id).(*ast.SelectorExpr); ok {
					e = sel
				}
				if call, ok := f.Parent(e).(*ast.CallExpr); !ok || ast.Node(call.Fun) != e {
					return true
				}
			}
		}
	}
	return false
}

// dynamic says which code of the module that a call of a function value or of an interface's method may run keeps a
// reflect.Value. Of other code it is assumed that it does not.
func (b *borrowed) dynamic(method *types.Func, sig types.Type) *prove.Reason {
	for _, fn := range b.named(method, sig) {
		if why := b.check(fn, fn.Decl.Body); why != nil {
			return why
		}
	}
	if method != nil {
		return nil
	}
	for _, k := range b.p.Packages {
		for _, f := range k.Files {
			for lit := range code.All[*ast.FuncLit](f.Syntax) {
				if f.Test || !types.Identical(k.TypesInfo.TypeOf(lit), sig.Underlying()) {
					continue
				}
				fn := b.p.FunctionAt(b.p.Pos(lit.Pos()))
				if fn == nil {
					return prove.Refusef("a function literal may get it (%s)", b.p.Pos(lit.Pos()))
				}
				if why := b.check(fn, lit); why != nil {
					return why
				}
			}
		}
	}
	return nil
}

// filled says why a method of what the value holds may keep that, where the method is the module's.
func (b *borrowed) filled(fn *prove.Function, call *ast.CallExpr) *prove.Reason {
	target := code.Callee(fn.Info(), call)
	if target == nil {
		return nil
	}
	if what := flow.Aliasing(target.Signature().Results()); what != "" {
		return prove.Refusef("what %s returns (%s) may be what it is called on (%s)", types.ExprString(call.Fun), what, b.p.Pos(call.Pos()))
	}
	methods := []*prove.Function{b.p.Function(target)}
	if code.IsInterfaceMethod(target) {
		methods = b.named(target, target.Signature())
	}
	for _, m := range methods {
		if m == nil {
			continue
		}
		if _, pointer := m.Obj.Signature().Recv().Type().(*types.Pointer); !pointer {
			continue
		}
		if eff := prove.NewDispatch(b.p, fn.File.Pkg, nil).Effect(m.Obj, -1, false); eff.Keeps != "" || eff.Results != 0 {
			return prove.Refusef("%s may keep what it is called on (%s)", code.CallName(m.Obj), b.p.Pos(m.Decl.Pos()))
		}
	}
	return nil
}
