package prove

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// PointersFree argues that nothing needs the pointers to be to allocations of
// their own.
func (p *Module) PointersFree(t types.Type) (model.Obligation, *Reason) {
	return p.pointersFree(t, false, func(ast.Expr) bool { return false })
}

// PointersFreeInArray is PointersFree for pointers to the elements of an array that is an allocation of its own.
func (p *Module) PointersFreeInArray(t types.Type) (model.Obligation, *Reason) {
	return p.pointersFree(t, alignedInArray(t), func(ast.Expr) bool { return false })
}

// PointersAligned is PointersFree for pointers whose alignment is that of an allocation.
func (p *Module) PointersAligned(t types.Type) (model.Obligation, *Reason) {
	return p.pointersFree(t, true, func(ast.Expr) bool { return false })
}

// ElementsFree is PointersFree for the elements of slices: what points to a variable or field of the type is no such pointer.
func (p *Module) ElementsFree(t types.Type) (model.Obligation, *Reason) {
	return p.pointersFree(t, false, func(e ast.Expr) bool {
		address, ok := ast.Unparen(e).(*ast.UnaryExpr)
		if !ok {
			return false
		}
		switch ast.Unparen(address.X).(type) {
		case *ast.Ident, *ast.SelectorExpr:
			return true
		}
		return false
	})
}

func (p *Module) pointersFree(t types.Type, aligned bool, other func(ast.Expr) bool) (model.Obligation, *Reason) {
	const apart = "none is put into a sync.Pool, given a finalizer or a cleanup, or made weak or unsafe"
	o := model.Obligation{Text: "no pointer has to be to an allocation of its own", How: "proven", Why: apart + ", and no field needs its alignment"}
	generic := p.stands(t)
	for _, k := range p.Packages {
		for _, f := range k.Files {
			for call := range code.All[*ast.CallExpr](f.Syntax) {
				needs := needsAlignment(k.TypesInfo, call, t)
				if ownAllocation(k.TypesInfo, call, t, generic) && !other(call.Args[0]) || needs && !aligned {
					return o, Refusef("%s at %s needs allocations of their own", types.ExprString(call.Fun), p.Pos(call.Pos()))
				}
				if needs {
					o.Why = apart + ", and each number of 64 bits is aligned where it is"
				}
			}
		}
	}
	if n, ok := types.Unalias(t).(*types.Named); ok && n.Obj().Exported() {
		o.How, o.Why = "assumed", o.Why+", in what was read"
	}
	return o, nil
}

// stands reports whether a type parameter stands for a type, or a pointer to it, somewhere.
func (p *Module) stands(t types.Type) bool {
	for _, k := range p.Packages {
		for _, one := range k.TypesInfo.Instances {
			for a := range one.TypeArgs.Types() {
				ptr, ok := a.(*types.Pointer)
				if types.Identical(a, t) || ok && types.Identical(ptr.Elem(), t) {
					return true
				}
			}
		}
	}
	return false
}

// ownAllocation reports whether a call does with a *T, or in generic code with what may be one, what only pointers to the
// start of an allocation are good for.
func ownAllocation(info *types.Info, call *ast.CallExpr, t types.Type, generic bool) bool {
	is := func(e ast.Expr) bool {
		ptr, ok := info.TypeOf(e).(*types.Pointer)
		return ok && types.Identical(ptr.Elem(), t)
	}
	may := func(e ast.Expr) bool {
		ptr, ok := info.TypeOf(e).(*types.Pointer)
		return is(e) || ok && generic && code.Generic(ptr.Elem())
	}
	if tv := info.Types[call.Fun]; tv.IsType() {
		b, ok := tv.Type.Underlying().(*types.Basic)
		return ok && b.Kind() == types.UnsafePointer && is(call.Args[0])
	}
	fn := code.Callee(info, call)
	if fn == nil || fn.Pkg() == nil || len(call.Args) == 0 {
		return false
	}
	switch fn.Pkg().Path() + "." + fn.Name() {
	case "runtime.SetFinalizer":
		return may(call.Args[0]) || types.IsInterface(info.TypeOf(call.Args[0])) // which ends the program for any other pointer
	case "runtime.AddCleanup", "weak.Make", "sync.Put":
		return may(call.Args[0])
	}
	return false
}

// alignedInArray reports whether each number of 64 bits within a T is aligned in an array of them, also on 32-bit platforms:
// there the first word of the array is, as package sync/atomic promises.
func alignedInArray(t types.Type) bool {
	sizes := types.SizesFor("gc", "386")
	return !code.Generic(t) && sizes.Sizeof(t)%8 == 0 && alignedWithin(sizes, t, 0)
}

func alignedWithin(sizes types.Sizes, t types.Type, at int64) bool {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return at%8 == 0 || u.Kind() != types.Int64 && u.Kind() != types.Uint64
	case *types.Struct:
		fields := slices.Collect(u.Fields())
		for i, offset := range sizes.Offsetsof(fields) {
			if !alignedWithin(sizes, fields[i].Type(), at+offset) {
				return false
			}
		}
	case *types.Array:
		for i := range min(u.Len(), 2) { // the others are like these two
			if !alignedWithin(sizes, u.Elem(), at+i*sizes.Sizeof(u.Elem())) {
				return false
			}
		}
	}
	return true
}

// needsAlignment reports whether a call does with a field of a T what needs its address to be aligned to 64 bits. On 32-bit
// platforms only the first word of an allocation is sure to be.
func needsAlignment(info *types.Info, call *ast.CallExpr, t types.Type) bool {
	fn := code.Callee(info, call)
	if fn == nil || fn.Pkg() == nil || len(call.Args) == 0 || fn.Pkg().Path() != "sync/atomic" || !strings.HasSuffix(fn.Name(), "64") {
		return false
	}
	is := func(e ast.Expr) bool { return types.Identical(code.Pointee(info.TypeOf(e)), t) }
	address, ok := ast.Unparen(call.Args[0]).(*ast.UnaryExpr)
	if !ok { // a pointer to any such number, as that of a T
		ptr, ok := info.TypeOf(call.Args[0]).Underlying().(*types.Pointer)
		return ok && code.Inside(t, func(in types.Type) bool { return types.Identical(in, ptr.Elem()) })
	}
	sel, ok := ast.Unparen(address.X).(*ast.SelectorExpr)
	return ok && is(sel.X)
}
