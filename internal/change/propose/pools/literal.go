package pools

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/internal/rulekit/flow"
)

// A passedLiteral is a slice literal that is an argument of a call.
type passedLiteral struct {
	fn     *prove.Function
	lit    *ast.CompositeLit
	arg    ast.Expr // the literal; or, of a passedArray, the part of the array
	slice  *types.Slice
	call   *ast.CallExpr
	target *types.Func
	param  int
	stmt   ast.Stmt // the statement that is the call, or starts with it
}

// maxElements is the number of elements of the longest literal that a pool
// is proposed for: each is written out in an assignment.
const maxElements = 8

// passedLiterals returns the slice literals on a line that a call of a
// function or method is given as an argument.
func passedLiterals(p *prove.Program, fn *prove.Function, line int) []*passedLiteral {
	var found []*passedLiteral
	for lit := range code.All[*ast.CompositeLit](fn.Decl.Body) {
		if len(lit.Elts) == 0 || lit.Type == nil || p.Fset.PositionFor(lit.Pos(), false).Line != line {
			continue
		}
		slice, ok := fn.Info().TypeOf(lit).Underlying().(*types.Slice)
		call, isArg := fn.File.Parent(lit).(*ast.CallExpr)
		if !ok || !isArg || call.Fun == lit {
			continue
		}
		l := &passedLiteral{fn: fn, lit: lit, arg: lit, slice: slice, call: call, target: code.Callee(fn.Info(), call)}
		l.param = slices.Index(call.Args, ast.Expr(lit))
		if l.target != nil {
			found = append(found, l)
		}
	}
	return found
}

func (l *passedLiteral) propose(p *prove.Program) (*model.Change, *prove.Reason) {
	if why := l.shape(p); why != nil {
		return nil, why
	}
	if why := l.place(); why != nil {
		return nil, why
	}
	if why := l.order(); why != nil {
		return nil, why
	}
	kept, clear, why := l.given(p)
	if why != nil {
		return nil, why
	}
	h, local := l.holder(p)
	if h == nil {
		return nil, prove.Refuse("no name is free for the pool")
	}
	edits, why := l.edits(p, h, local, clear)
	if why != nil {
		return nil, why
	}
	declared, why := h.declare(p, l.fn)
	if why != nil {
		return nil, why
	}
	return p.Change(l.fn, append(declared, edits...), model.Change{
		Kind:        "pool",
		Title:       fmt.Sprintf("%s: take the %s that %s passes to %s from a pool", l.fn.File.Pkg.Name, l.noun(), l.fn.Obj.Name(), l.target.Name()),
		Obligations: []model.Obligation{kept, l.used(clear), lost(false), ready()}, Retains: l.retains(p, clear),
	})
}

func (l *passedLiteral) noun() string { return "slice" }

// used is the obligation that one call does not see what another has left.
func (l *passedLiteral) used(clear bool) model.Obligation {
	o := model.Obligation{Text: "no call sees what another has left in it", How: "proven",
		Why: "all elements are set before it is passed on, and its length and capacity are those of the literal"}
	if clear && code.HasPointers(l.slice.Elem()) {
		o.Why += "; they are cleared after the call"
	}
	return o
}

func (l *passedLiteral) retains(p *prove.Program, clear bool) string {
	size := l.fn.File.Pkg.TypesSizes.Sizeof(types.NewArray(l.slice.Elem(), int64(len(l.lit.Elts))))
	text := perP("1 byte")
	if size != 1 {
		text = perP(fmt.Sprintf("%d bytes", size))
	}
	if !clear && code.HasPointers(l.slice.Elem()) {
		text += "; what its last elements refer to stays reachable as long"
	}
	return text
}

// shape checks the literal itself.
func (l *passedLiteral) shape(p *prove.Program) *prove.Reason {
	if len(l.lit.Elts) > maxElements {
		return prove.Refusef("it has %d elements", len(l.lit.Elts))
	}
	for _, e := range l.lit.Elts {
		if _, keyed := e.(*ast.KeyValueExpr); keyed {
			return prove.Refuse("its elements have indices")
		}
	}
	if why := poolable(l.fn, l.slice.Elem(), l.lit.Type); why != nil {
		return why
	}
	size := l.fn.File.Pkg.TypesSizes.Sizeof(types.NewArray(l.slice.Elem(), int64(len(l.lit.Elts))))
	if size > maxPooled {
		return prove.Refusef("%d bytes are too many to keep in a pool", size)
	}
	sig := l.target.Signature()
	if sig.Variadic() && l.param >= sig.Params().Len()-1 && !l.call.Ellipsis.IsValid() {
		return prove.Refuse("it is one of the values of a variadic parameter")
	}
	if _, ok := sig.Params().At(l.param).Type().Underlying().(*types.Slice); !ok {
		return prove.Refuse("it is passed as " + types.TypeString(sig.Params().At(l.param).Type(), (*types.Package).Name))
	}
	return nil
}

// poolable says why a package-level pool cannot be of a type, written as e in
// a function; nil if it can.
func poolable(fn *prove.Function, t types.Type, e ast.Expr) *prove.Reason {
	switch {
	case typeParam(t):
		return prove.Refuse("its type depends on a type parameter, which a package-level pool cannot")
	case !prove.PackageLevel(fn.Info(), e):
		return prove.Refuse("its type is declared in the function")
	}
	return nil
}

// typeParam reports whether a type parameter occurs in a type.
func typeParam(t types.Type) bool {
	return code.IsTypeParam(t) || code.Parts(t, typeParam)
}

// place checks that statements can go before and after the call.
func (l *passedLiteral) place() *prove.Reason {
	f, node := l.fn.File, l.fn.File.Parent(l.call)
	const nested = "the call that it is passed to is a part of a larger expression"
	switch up := node.(type) {
	case *ast.ExprStmt:
		l.stmt = up
	case *ast.AssignStmt:
		if len(up.Rhs) != 1 {
			return prove.Refuse(nested)
		}
		l.stmt = up
	case *ast.ReturnStmt:
		if len(up.Results) != 1 {
			return prove.Refuse(nested)
		}
		l.stmt = up
	case *ast.GoStmt:
		return prove.Refuse("it is handed to a goroutine")
	case *ast.DeferStmt:
		return prove.Refuse("the call that it is passed to is deferred")
	default:
		return prove.Refuse(nested)
	}
	if s, ok := f.Parent(l.stmt).(*ast.IfStmt); ok && s.Init == l.stmt {
		l.stmt = s
	}
	if !slices.Contains(code.StmtList(f.Parent(l.stmt)), l.stmt) {
		return prove.Refuse("the call that it is passed to stands in the head of a statement")
	}
	return nil
}

// order checks that the elements may be evaluated before everything else in
// the statement.
func (l *passedLiteral) order() *prove.Reason {
	if !l.others() {
		return nil
	}
	info := l.fn.Info()
	for _, e := range l.lit.Elts {
		id, ok := ast.Unparen(e).(*ast.Ident)
		if info.Types[e].Value != nil || ok && l.unshared(id) {
			continue
		}
		return prove.Refuse("its elements and other parts of the statement would be evaluated in another order")
	}
	return nil
}

// others reports whether something else of the statement is a call, which may be made before the argument is evaluated.
func (l *passedLiteral) others() bool {
	info := l.fn.Info()
	return code.Acts(info, l.call.Fun) || code.Acts(info, code.Assigned(l.fn.File.Parent(l.call))...) ||
		slices.ContainsFunc(l.call.Args, func(a ast.Expr) bool { return a != l.arg && code.Acts(info, a) })
}

// unshared reports whether an identifier is a local variable that only plain
// statements of its own function write.
func (l *passedLiteral) unshared(id *ast.Ident) bool {
	info := l.fn.Info()
	v, ok := info.Uses[id].(*types.Var)
	if !ok || !code.Local(v) {
		return false
	}
	return !code.Any(l.fn.Decl.Body, func(use *ast.Ident) bool {
		u, ptr := l.fn.File.Parent(use).(*ast.UnaryExpr)
		return info.Uses[use] == v && (ptr && u.Op == token.AND || l.fn.File.Literal(use) != l.fn.File.Literal(id))
	})
}

// given argues that the call does not keep the slice. clear says whether its
// elements may be cleared afterwards.
func (l *passedLiteral) given(p *prove.Program) (o model.Obligation, clear bool, why *prove.Reason) {
	o = model.Obligation{Text: "nothing refers to the slice after " + l.target.Name() + " returns", How: "proven"}
	d := prove.NewDispatch(p, l.fn.File.Pkg, nil)
	if what := flow.Aliasing(l.target.Signature().Results()); what != "" {
		return o, false, prove.Refusef("the result of %s (%s) may refer to it", l.target.Name(), what)
	}
	if !code.IsInterfaceMethod(l.target) || flow.ContractOf(l.target) != nil || !p.InModule(l.target) {
		eff := d.Effect(l.target, l.param, false)
		switch {
		case eff.Keeps != "":
			return o, false, prove.Refuse("it is " + eff.Keeps)
		case eff.Results != 0:
			return o, false, prove.Refuse(l.target.Name() + " returns it")
		case len(eff.Assumed) > 0:
			o.How, o.Why = "assumed", strings.Join(eff.Assumed, "; ")
		default:
			o.Why = "read in its source"
		}
		return o, true, nil
	}
	return l.dispatched(p, d, o)
}

// dispatched argues for a method of an interface of the module: by what its
// documentation says, and by its implementations.
func (l *passedLiteral) dispatched(p *prove.Program, d *prove.Dispatch, o model.Obligation) (model.Obligation, bool, *prove.Reason) {
	says := promised(p, l.target, l.param)
	if says.allows != "" {
		return o, false, prove.Refusef("%s may keep it: its documentation says %q", code.CallName(l.target), says.allows)
	}
	r := d.Read(l.target, l.param)
	if says.forbids != "" {
		o.How, o.Why = "assumed", fmt.Sprintf("%s: its documentation says %q", code.CallName(l.target), says.forbids)
		if r.Keeper != "" {
			o.Why += fmt.Sprintf("; against that, %s seems to keep it: it is %s there", r.Keeper, r.KeptHow)
		}
		if r.Tested != "" {
			o.Why += fmt.Sprintf("; its elements are not cleared, since a test's %s may look at them later", r.Tested)
		}
		return o, r.Tested == "", nil
	}
	s := d.InterfaceEffect(l.target, l.param)
	if s.Keeps != "" {
		return o, false, prove.Refuse("it is " + s.Keeps)
	}
	o.Why = "none of its implementations keeps it: " + strings.Join(r.Read, ", ")
	if len(s.Assumed) > 0 {
		o.How, o.Why = "assumed", o.Why+"; "+strings.Join(s.Assumed, "; ")
	}
	return o, true, nil
}
