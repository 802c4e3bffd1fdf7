package detours

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// sortedBy returns a call that sorts by the methods of a slice type of the module, nil if
// Len and Swap do anything but what a sort of the slice itself does. It may be turned round by sort.Reverse.
func sortedBy(p *prove.Program, fn *prove.Function, call *ast.CallExpr, twin string) *sorting {
	info, of := fn.Info(), call.Args[0]
	back, ok := ast.Unparen(of).(*ast.CallExpr)
	if ok {
		target := code.Callee(info, back)
		ok = target != nil && target.FullName() == "sort.Reverse"
	}
	if ok {
		of = back.Args[0]
	} else {
		back = nil
	}
	named, ok := types.Unalias(info.TypeOf(of)).(*types.Named)
	if !ok || named.TypeArgs().Len() > 0 {
		return nil
	}
	slice, ok := named.Underlying().(*types.Slice)
	less, length, swap := methodOf(p, named, "Less"), methodOf(p, named, "Len"), methodOf(p, named, "Swap")
	if !ok || less == nil || length == nil || swap == nil || !returnsLen(length) || !swaps(swap) {
		return nil
	}
	if conv, ok := ast.Unparen(of).(*ast.CallExpr); ok && len(conv.Args) == 1 && info.Types[conv.Fun].IsType() {
		of = conv.Args[0]
	}
	return &sorting{p: p, fn: fn, call: call, name: twin, of: of, by: less, slice: receiver(less), params: less.Decl.Type.Params,
		body: less.Decl.Body, elem: slice.Elem(), back: back}
}

// methodOf returns a method that a type declares for its values, nil if it does not, or
// leaves the receiver without a name.
func methodOf(p *prove.Program, named *types.Named, name string) *prove.Function {
	obj, _, indirect := types.LookupFieldOrMethod(named, false, named.Obj().Pkg(), name)
	m, ok := obj.(*types.Func)
	if !ok || indirect || !types.Identical(m.Signature().Recv().Type(), named) {
		return nil
	}
	fn := p.Function(m)
	if fn == nil || receiver(fn) == nil {
		return nil
	}
	return fn
}

// receiver returns the name of a method's receiver, nil if there is none.
func receiver(fn *prove.Function) *ast.Ident {
	if fn.Decl.Recv == nil || len(fn.Decl.Recv.List[0].Names) == 0 {
		return nil
	}
	return fn.Decl.Recv.List[0].Names[0]
}

// returnsLen reports whether a method returns the length of its receiver.
func returnsLen(fn *prove.Function) bool {
	if len(fn.Decl.Body.List) != 1 {
		return false
	}
	ret, ok := fn.Decl.Body.List[0].(*ast.ReturnStmt)
	if !ok || len(ret.Results) != 1 {
		return false
	}
	call, ok := ret.Results[0].(*ast.CallExpr)
	return ok && code.Builtin(fn.Info(), call) == "len" && prove.IsUseOf(fn.Info(), call.Args[0], fn.Obj.Signature().Recv())
}

// swaps reports whether a method exchanges two elements of its receiver.
func swaps(fn *prove.Function) bool {
	if len(fn.Decl.Body.List) != 1 {
		return false
	}
	a, ok := fn.Decl.Body.List[0].(*ast.AssignStmt)
	if !ok || a.Tok != token.ASSIGN || len(a.Lhs) != 2 || len(a.Rhs) != 2 {
		return false
	}
	sig := fn.Obj.Signature()
	is := func(e ast.Expr, param int) bool {
		x, ok := e.(*ast.IndexExpr)
		return ok && prove.IsUseOf(fn.Info(), x.X, sig.Recv()) && prove.IsUseOf(fn.Info(), x.Index, sig.Params().At(param))
	}
	return is(a.Lhs[0], 0) && is(a.Lhs[1], 1) && is(a.Rhs[0], 1) && is(a.Rhs[1], 0) || is(a.Lhs[0], 1) && is(a.Lhs[1], 0) && is(a.Rhs[0], 0) && is(a.Rhs[1], 1)
}

// elsewhere says why what a method Less is written with means something else at the call.
func (c *sorting) elsewhere() *prove.Reason {
	if c.by == c.fn {
		return nil
	}
	if c.by.File.Commented(c.body) || c.fn.File.Commented(c.call) {
		return prove.Refuse("there is a comment within the function that compares")
	}
	scope := c.fn.Obj.Pkg().Scope().Innermost(c.call.Pos())
	for id := range code.All[*ast.Ident](c.body) {
		obj := c.by.Info().Uses[id]
		if obj == nil || code.Declares(c.by.Decl, obj) {
			continue
		}
		if sel, ok := c.by.File.Parent(id).(*ast.SelectorExpr); ok && sel.Sel == id {
			continue
		}
		if scope == nil {
			return prove.Refuse("what its Less names may mean something else there")
		} else if _, there := scope.LookupParent(id.Name, c.call.Pos()); there != obj && !samePackage(there, obj) {
			return prove.Refuse(id.Name + ", which its Less names, means something else there")
		}
	}
	return nil
}

// samePackage reports whether two names are those of one package, in two files.
func samePackage(a, b types.Object) bool {
	p, ok := a.(*types.PkgName)
	q, also := b.(*types.PkgName)
	return ok && also && p.Imported() == q.Imported()
}
