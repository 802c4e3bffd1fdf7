package pools

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/internal/rulekit/flow"
)

// maxCopied is the size in bytes of the largest array that is copied to one of a pool for a call, and back.
const maxCopied = 256

// A copiedArray is a parameter or result that is an array, and goes to the heap since calls are passed a part of it
// that the compiler cannot follow. An array of a pool is passed instead.
type copiedArray struct {
	p     *prove.Program
	fn    *prove.Function
	v     *types.Var
	array *types.Array
	calls []*passedLiteral
}

// copiedArraysAt returns those that a line declares.
func copiedArraysAt(s *prove.Site) (found []*copiedArray) {
	sig := s.Fn.Obj.Signature()
	for _, vars := range []*types.Tuple{sig.Params(), sig.Results()} {
		for v := range vars.Variables() {
			array, ok := v.Type().Underlying().(*types.Array)
			if !ok || v.Name() == "" || v.Name() == "_" || s.Program.Pos(v.Pos()).Line != s.At.Line || !prove.Escapes(s.Target, s.At, v.Name()) {
				continue
			}
			if size := code.Size(s.Fn.File.Pkg.TypesSizes, array); size >= minPooled && size <= maxCopied {
				found = append(found, &copiedArray{p: s.Program, fn: s.Fn, v: v, array: array})
			}
		}
	}
	return found
}

func (a *copiedArray) propose() (*model.Change, *prove.Reason) {
	name := poolName(a.p, a.fn, a.v.Name())
	switch {
	case prove.Editable(a.fn.File) != nil:
		return nil, prove.Editable(a.fn.File)
	case !prove.Plain(a.array.Elem()):
		return nil, prove.Refuse("its elements hold pointers or are composite")
	case typeParam(a.v.Type()):
		return nil, prove.Refuse("its type depends on a type parameter, which a package-level pool cannot")
	case code.Jumps(a.fn.Decl.Body):
		return nil, prove.Refuse(a.fn.Obj.Name() + " uses goto")
	case code.Any(a.fn.Decl.Body, func(*ast.DeferStmt) bool { return true }):
		return nil, prove.Refuse("a deferred call may see it after a panic")
	case name == "":
		return nil, prove.Refuse("no name is free for the pool")
	}
	assumed, why := a.uses()
	if why != nil {
		return nil, why
	}
	elem := a.p.TypeText(a.fn, a.v.Type(), nil)
	h := &holder{name: name, elem: elem, made: "new(" + elem + ")",
		says: fmt.Sprintf("%s holds copies of %s that %s passes on, between its calls.", name, a.v.Name(), a.fn.Obj.Name())}
	edits, why := h.declare(a.p, a.fn)
	for i, l := range a.calls {
		if why != nil {
			return nil, why
		}
		var more []model.Edit
		more, why = a.pass(l, h, i)
		edits = append(edits, more...)
	}
	if why != nil {
		return nil, why
	}
	kept := model.Obligation{Text: "nothing refers to the copy after the call", How: "proven", Why: "what it is passed to does not keep it"}
	size := a.fn.File.Pkg.TypesSizes.Sizeof(a.array)
	return a.p.Change(a.fn, edits, model.Change{
		Kind:  "pool",
		Title: fmt.Sprintf("%s: pass a copy of %s's %s from a pool", a.fn.File.Pkg.Name, a.fn.Obj.Name(), a.v.Name()),
		Obligations: []model.Obligation{
			prove.Assuming(kept, assumed),
			{Text: "nobody sees the array itself meanwhile", How: "proven", Why: "its address is not taken, no function literal uses it, and what may be written to the copy is copied back"},
			{Text: "no call sees what another has left in it", How: "proven", Why: "it is overwritten when it is taken"},
			lost(false), ready(),
		}, Retains: perP(fmt.Sprintf("%d bytes", size)),
	})
}

// uses goes through all uses of the array, and collects the calls that are passed a part of it which they hand on to
// code that is not known.
func (a *copiedArray) uses() (assumed []string, why *prove.Reason) {
	d, info := prove.NewDispatch(a.p, a.fn.File.Pkg, nil), a.fn.Info()
	for id := range prove.UsesIn(info, a.fn.Decl.Body, a.v) {
		if a.fn.File.Literal(id) != nil {
			return nil, prove.Refuse("a function literal uses it")
		}
		switch up := a.fn.File.Parent(id).(type) {
		case *ast.SliceExpr:
			call, ok := a.fn.File.Parent(up).(*ast.CallExpr)
			if !ok || up.X != id || !slices.Contains(call.Args, ast.Expr(up)) {
				return nil, prove.Refusef("a part of it is used at %s other than by a call", a.p.Pos(up.Pos()))
			}
			more, why := a.passed(d, call, up)
			if why != nil {
				return nil, why
			}
			assumed = append(assumed, more...)
		case *ast.SelectorExpr:
			if why := d.MethodKeeps(a.fn, up); why != nil {
				return nil, why
			}
		case *ast.UnaryExpr, *ast.ParenExpr, *ast.RangeStmt:
			return nil, prove.Refusef("it is used by its address, or in a way that is not followed (%s)", a.p.Pos(id.Pos()))
		}
	}
	if len(a.calls) == 0 {
		return nil, prove.Refuse("what a part of it is passed to is known")
	}
	slices.Sort(assumed)
	return slices.Compact(assumed), nil
}

// passed takes in one call that is passed a part.
func (a *copiedArray) passed(d *prove.Dispatch, call *ast.CallExpr, part *ast.SliceExpr) (assumed []string, why *prove.Reason) {
	if b := code.Builtin(a.fn.Info(), call); b == "copy" || b == "append" && call.Args[0] != part {
		return nil, nil
	}
	l := &passedLiteral{fn: a.fn, call: call, arg: part, target: code.Callee(a.fn.Info(), call), param: slices.Index(call.Args, ast.Expr(part))}
	if l.target == nil {
		return nil, prove.Refuse("a function value or a conversion is passed a part of it")
	}
	sig := l.target.Signature()
	if _, own := code.Takes(sig, call, l.param); !own {
		return nil, prove.Refuse("a part of it is one of the values of a variadic parameter")
	}
	eff := d.Effect(l.target, l.param, false)
	switch {
	case flow.Aliasing(sig.Results()) != "":
		return nil, prove.Refusef("the result of %s may refer to it", l.target.Name())
	case eff.Keeps != "":
		return nil, prove.Refuse("a part of it is " + eff.Keeps)
	case len(eff.Assumed) == 0 || !a.p.InModule(l.target) && !unknown(sig):
		return nil, nil // the compiler follows it, too
	}
	if l.others() || code.Acts(a.fn.Info(), part) {
		return nil, prove.Refuse("another part of the call is a call, which would come before the copy")
	}
	why = l.place()
	if s, ok := l.stmt.(*ast.AssignStmt); why == nil && ok && slices.ContainsFunc(s.Lhs, func(x ast.Expr) bool { return code.Mentions(a.fn.Info(), x, a.v) }) {
		why = prove.Refuse("the statement that passes it on assigns to it, too")
	}
	if slices.ContainsFunc(a.calls, func(o *passedLiteral) bool { return o.stmt == l.stmt }) {
		why = prove.Refuse("a statement passes two parts of it on: each copy would miss what is written to the other")
	}
	if writes(l.target) {
		assumed = []string{"io.Writer: Write must not modify the slice data, even temporarily"}
	}
	a.calls = append(a.calls, l)
	return append(assumed, eff.Assumed...), why
}

// writes reports whether a function is the Write of an io.Writer.
func writes(fn *types.Func) bool {
	return fn.Name() == "Write" && code.SignatureOf(fn.Signature()) == "([]byte) (int, error)"
}

// unknown reports whether a function of another module may hand a slice on to code that the compiler does not know: to a
// parameter, or to what its receiver holds.
func unknown(sig *types.Signature) bool {
	for v := range sig.Params().Variables() {
		if types.IsInterface(v.Type()) {
			return true
		}
	}
	return sig.Recv() != nil
}

// pass writes the i-th call anew. A writer must not write to what it is given, and what a return statement calls comes too
// late to be seen in a parameter or a result.
func (a *copiedArray) pass(l *passedLiteral, h *holder, i int) ([]model.Edit, *prove.Reason) {
	number := ""
	if i > 0 {
		number = fmt.Sprint(i + 1)
	}
	local := code.FirstFree(a.fn.Decl, "scratch"+number, "pooled"+number)
	if local == "" {
		return nil, prove.Refuse("no name is free for the copy")
	}
	before := fmt.Sprintf("%s := %s.Get().(*%s)\n*%s = %s\n", local, h.name, h.elem, local, a.v.Name())
	after := fmt.Sprintf("\n%s.Put(%s)", h.name, local)
	if _, returned := l.stmt.(*ast.ReturnStmt); !returned && !writes(l.target) {
		after = fmt.Sprintf("\n%s = *%s", a.v.Name(), local) + after
	}
	part := l.arg.(*ast.SliceExpr)
	text := a.p.Source(a.fn.File, part)
	return l.around(a.p, local, local+strings.TrimPrefix(text, a.v.Name()), before, after)
}
