package prove

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/internal/rulekit/flow"
)

// An AppendInfo says that a function works append style: its result is a
// parameter, extended.
type AppendInfo struct {
	Param   int  // the destination
	Full    bool // the result is never empty, unless an error is returned
	Assumed []string
}

// A NilAppend is an append-style call with a nil destination, such as h.Sum(nil). Its result needs at most Bound bytes, else
// append makes new storage.
type NilAppend struct {
	Call   *ast.CallExpr
	Target *types.Func
	Bound  int
	Says   string // what the result is relied on for
}

// NilAppends returns those on a line whose bound is known.
func (p *Module) NilAppends(fn *Function, line int) (found []NilAppend) {
	for call := range code.All[*ast.CallExpr](fn.Decl.Body) {
		if len(call.Args) == 0 || !p.Covers(call, line) || !code.IsNil(fn.Info(), call.Args[0]) {
			continue
		}
		target := code.Callee(fn.Info(), call)
		if target == nil || !code.IsInterfaceMethod(target) && p.InModule(target) {
			continue
		}
		if c := flow.ContractOf(target); c != nil && c.Appends && c.Bound > 0 {
			found = append(found, NilAppend{call, target, c.Bound, c.Says})
		}
	}
	return found
}

// Appending returns what a call extends, by append or a function that works append style, and how; nil for other calls.
func (p *Flows) Appending(info *types.Info, call *ast.CallExpr) (ast.Expr, *AppendInfo) {
	var a *AppendInfo
	if fn := code.Callee(info, call); fn != nil {
		a = p.AppendStyle(fn)
	} else if code.Builtin(info, call) == "append" {
		a = &AppendInfo{Full: len(call.Args) > 1 && !call.Ellipsis.IsValid()}
		if call.Ellipsis.IsValid() {
			text := info.Types[call.Args[1]].Value
			a.Full = text != nil && text.Kind() == constant.String && constant.StringVal(text) != ""
		}
	}
	if a == nil || a.Param >= len(call.Args) {
		return nil, nil
	}
	return call.Args[a.Param], a
}

// GoesBack reports whether what a call that extends a slice returns is assigned to that slice, perhaps extended or cut once
// more; is tells whether an expression is the slice.
func GoesBack(f *File, call *ast.CallExpr, is func(ast.Expr) bool) bool {
	var e ast.Expr = call
	for {
		up, ok := f.Parent(e).(ast.Expr)
		if outer, isCall := up.(*ast.CallExpr); !ok || isCall && (code.Builtin(f.Pkg.TypesInfo, outer) != "append" || outer.Args[0] != e) {
			break
		}
		e = up
	}
	a, ok := f.Parent(e).(*ast.AssignStmt)
	if !ok || len(a.Lhs) != len(a.Rhs) || !slices.Contains(a.Rhs, e) {
		return false
	}
	to := ast.Unparen(a.Lhs[slices.Index(a.Rhs, e)])
	return is(to) && slices.ContainsFunc(call.Args, func(arg ast.Expr) bool { return sameText(to, uncut(arg)) })
}

// Shortens reports whether what is cut off a slice ends within its length, whatever room it has: where the slice ends, or
// begins, or by a number of elements before.
func Shortens(info *types.Info, cut *ast.SliceExpr) bool {
	if cut.High == nil {
		return true
	}
	n, known := ConstInt(info, cut.High)
	return !cut.Slice3 && (known && n == 0 || OfLength(info, cut.High, cut.X))
}

// OfLength reports whether n is len(slice), or a constant less.
func OfLength(info *types.Info, n, slice ast.Expr) bool {
	switch n := ast.Unparen(n).(type) {
	case *ast.BinaryExpr:
		less, known := ConstInt(info, n.Y)
		return n.Op == token.SUB && known && less >= 0 && OfLength(info, n.X, slice)
	case *ast.CallExpr:
		return code.Builtin(info, n) == "len" && code.SameVariable(info, n.Args[0], slice)
	}
	return false
}

// AppendStyle returns how fn appends, or nil.
func (p *Flows) AppendStyle(fn *types.Func) *AppendInfo {
	if !code.IsInterfaceMethod(fn) && p.InModule(fn) {
		return p.appendSummary(fn.Origin())
	}
	c := flow.ContractOf(fn)
	if c == nil || !c.Appends {
		return nil
	}
	return &AppendInfo{Full: c.Full, Assumed: []string{c.Says}}
}

// appendSummary looks for a parameter whose every use is as the destination
// of an append-style call, and that every return gives back that way.
func (p *Flows) appendSummary(fn *types.Func) *AppendInfo {
	key := fn.FullName()
	if a, ok := p.appends[key]; ok {
		return a
	}
	p.appends[key] = nil // recursion: not append style
	decl := p.Function(fn)
	sig := fn.Signature()
	if decl == nil || sig.Results().Len() == 0 || sig.Variadic() {
		return nil
	}
	for i := range sig.Params().Len() {
		v := sig.Params().At(i)
		if _, ok := code.Core(v.Type()).(*types.Slice); !ok || !types.Identical(v.Type(), sig.Results().At(0).Type()) {
			continue
		}
		w := &appendWalk{p: p, fn: decl, vars: map[types.Object]bool{v: true}, info: AppendInfo{Param: i, Full: true}}
		if w.run() {
			w.info.Assumed = append(w.info.Assumed, p.sameElsewhere(decl)...)
			p.appends[key] = &w.info
			return &w.info
		}
	}
	return nil
}

// An appendWalk checks that a parameter is only ever a destination.
type appendWalk struct {
	p    *Flows
	fn   *Function
	vars map[types.Object]bool // the parameter and what it has been extended into
	info AppendInfo
}

func (w *appendWalk) run() bool {
	for n := -1; n != len(w.vars); { // until no new variable turns up
		n = len(w.vars)
		for a := range code.All[*ast.AssignStmt](w.fn.Decl.Body) {
			if len(a.Rhs) == 1 && w.extends(a.Rhs[0]) {
				if id, ok := a.Lhs[0].(*ast.Ident); ok && id.Name != "_" {
					w.vars[w.fn.Info().ObjectOf(id)] = true
				}
			}
		}
	}
	if w.fn.Decl.Type.Results.List[0].Names != nil && w.nakedReturn() {
		return false
	}
	return w.usesFit() && w.linear() && w.returnsFit()
}

// linear checks that no variable is extended in two directions: the second
// would overwrite what the first has written, which a nil destination hides.
// Extending it into another variable must be its last use.
func (w *appendWalk) linear() bool {
	info := w.fn.Info()
	fork, last := map[types.Object]token.Pos{}, map[types.Object]token.Pos{}
	ok := true
	for id := range code.All[*ast.Ident](w.fn.Decl.Body) {
		if !w.vars[info.Uses[id]] {
			continue
		}
		if call, isCall := w.fn.File.Parent(id).(*ast.CallExpr); isCall && code.Builtin(info, call) == "len" {
			continue
		}
		v, target := info.Uses[id], w.target(id)
		if target != nil && target != v {
			ok = ok && !fork[v].IsValid() && w.fn.File.Loop(id) == nil
			fork[v] = id.Pos()
		}
		last[v] = id.Pos()
	}
	for v, at := range fork {
		ok = ok && last[v] == at
	}
	return ok
}

// target returns the variable that the statement around an extension assigns
// to, nil for none.
func (w *appendWalk) target(id *ast.Ident) types.Object {
	for n := w.fn.File.Parent(id); n != nil; n = w.fn.File.Parent(n) {
		if a, ok := n.(*ast.AssignStmt); ok {
			if l, ok := a.Lhs[0].(*ast.Ident); ok {
				return w.fn.Info().ObjectOf(l)
			}
			return nil
		}
		if _, ok := n.(ast.Stmt); ok {
			return nil
		}
	}
	return nil
}

// extends reports whether e is one of the variables or an append-style call
// with one of them as its destination.
func (w *appendWalk) extends(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return w.vars[w.fn.Info().Uses[e]]
	case *ast.CallExpr:
		to, _ := w.p.Appending(w.fn.Info(), e)
		return to != nil && w.extends(to)
	}
	return false
}

// usesFit checks that the variables are only destinations, operands of len,
// assigned from their own kind, and returned.
func (w *appendWalk) usesFit() bool {
	return !code.Any(w.fn.Decl.Body, func(id *ast.Ident) bool { return w.vars[w.fn.Info().Uses[id]] && !w.useFits(id) })
}

func (w *appendWalk) useFits(id *ast.Ident) bool {
	if w.fn.File.Literal(id) != nil {
		return false
	}
	switch up := w.fn.File.Parent(id).(type) {
	case *ast.CallExpr:
		to, _ := w.p.Appending(w.fn.Info(), up)
		return to == id || code.Builtin(w.fn.Info(), up) == "len"
	case *ast.AssignStmt:
		for i, l := range up.Lhs {
			if l == id {
				return up.Tok == token.ASSIGN && (len(up.Rhs) == 1 && i == 0 && w.extends(up.Rhs[0]) || len(up.Rhs) > i && w.extends(up.Rhs[i]))
			}
		}
		return len(up.Lhs) == 1 && w.extends(id)
	case *ast.ReturnStmt:
		return len(up.Results) > 0 && up.Results[0] == id
	}
	return false
}

// returnsFit checks what the function's own return statements give back.
func (w *appendWalk) returnsFit() bool {
	info, extended := w.fn.Info(), false
	unfit := code.Here(w.fn.Decl.Body, func(ret *ast.ReturnStmt) bool {
		switch {
		case len(ret.Results) > 0 && code.IsNil(info, ret.Results[0]):
			w.info.Full = w.info.Full && len(ret.Results) > 1
			return len(ret.Results) == 1 || code.IsNil(info, ret.Results[len(ret.Results)-1])
		case len(ret.Results) > 0 && w.extends(ret.Results[0]):
			extended = true
			w.note(ret.Results[0])
			return false
		}
		return true
	})
	return unfit == nil && extended
}

// note records what is known of a returned expression.
func (w *appendWalk) note(e ast.Expr) {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok {
		w.info.Full = false
		return
	}
	_, a := w.p.Appending(w.fn.Info(), call)
	w.info.Full = w.info.Full && a.Full
	w.info.Assumed = append(w.info.Assumed, a.Assumed...)
}

func (w *appendWalk) nakedReturn() bool {
	return code.Here(w.fn.Decl.Body, func(ret *ast.ReturnStmt) bool { return len(ret.Results) == 0 }) != nil
}
