package prove

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"

	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/internal/rulekit/effects"
)

// Synchronises says by what fn, or a method that it calls on the same
// receiver, synchronises goroutines; "" if by nothing.
func (p *Confinement) Synchronises(fn *Function, recv *types.Var, depth int) string {
	key := synchroniser{fn, recv, depth}
	by, known := p.synchronisers[key]
	if !known {
		by = p.SynchronisesIn(fn, fn.Decl.Body, recv, depth)
		p.synchronisers[key] = by
	}
	return by
}

// A synchroniser is what Synchronises is asked about: methods that call each other would be read again and again.
type synchroniser struct {
	fn    *Function
	recv  *types.Var
	depth int
}

// SynchronisesIn says so of a part of fn.
func (p *Confinement) SynchronisesIn(fn *Function, part ast.Node, recv *types.Var, depth int) string {
	for n := range code.All[ast.Node](part) {
		if code.ByChannel(fn.Info(), n) {
			return "a channel"
		}
		if call, ok := n.(*ast.CallExpr); ok {
			if by := p.CallSynchronises(fn, call, recv, depth); by != "" {
				return by
			}
		}
	}
	return ""
}

// CallSynchronises says by what a call in fn synchronises goroutines, "" if by
// nothing. Functions that are given recv are followed, to a depth; of others, it is what they leave locked.
func (p *Confinement) CallSynchronises(fn *Function, call *ast.CallExpr, recv *types.Var, depth int) string {
	target := code.Callee(fn.Info(), call)
	if target == nil {
		return p.unreadSynchronises(fn, call, nil)
	}
	decl := p.Function(target)
	switch {
	case synchronising(target):
		return code.CallName(target)
	case decl == nil:
		return p.unreadSynchronises(fn, call, target)
	case depth > 5 || decl == fn:
		return ""
	}
	if by := p.givenSynchronises(fn, call, decl, recv, depth); by != "" {
		return by
	}
	return p.leavesLocked(decl)
}

// synchronising reports whether a function is there to synchronise.
func synchronising(fn *types.Func) bool {
	if fn.Pkg() == nil {
		return false
	}
	switch fn.Pkg().Path() {
	case "sync", "sync/atomic", "golang.org/x/sync/semaphore":
		return true
	}
	takes, gives := locks(fn)
	return takes || gives
}

// locks reports by its name whether a function takes a lock, or gives one back.
func locks(fn *types.Func) (takes, gives bool) {
	switch fn.Name() {
	case "Lock", "RLock", "TryLock", "TryRLock", "Acquire", "TryAcquire":
		return true, false
	case "Unlock", "RUnlock", "Release":
		return false, true
	}
	return false, false
}

// unreadSynchronises is CallSynchronises for code that is not read. Functions outside the standard library may lock
// where they have that form. Those that are given a function without parameters may run it while they hold a lock.
func (p *Confinement) unreadSynchronises(fn *Function, call *ast.CallExpr, target *types.Func) string {
	info := fn.Info()
	sig, ok := info.TypeOf(call.Fun).Underlying().(*types.Signature)
	if !ok || !lockForm(sig) || code.Literal(fn.File.Pkg.Index(), info, call.Fun) != nil || info.Types[call.Fun].IsBuiltin() ||
		target != nil && (target.Pkg() == nil || !p.InModule(target) && effects.Standard(target.Pkg().Path())) {
		return ""
	}
	by := "what " + Short(types.ExprString(call.Fun)) + " may lock"
	runs, ok := p.mayRun(fn, call.Fun, 0)
	if !ok {
		return by
	}
	for _, run := range runs {
		if by := p.leavesLocked(run); by != "" {
			return by
		}
	}
	return ""
}

// lockForm reports whether a function has the form of one that locks: it is given at most a context, or functions without
// parameters, and returns at most an error, whether it has the lock, or what unlocks it.
func lockForm(sig *types.Signature) bool {
	for v := range sig.Params().Variables() {
		if given, ok := v.Type().Underlying().(*types.Signature); !(ok && given.Params().Len() == 0) && !code.IsNamed(v.Type(), "context", "Context") {
			return false
		}
	}
	for v := range sig.Results().Variables() {
		t := v.Type()
		if _, fn := t.Underlying().(*types.Signature); !fn && !code.IsError(t) && !types.Identical(t, types.Typ[types.Bool]) {
			return false
		}
	}
	return true
}

// mayRun returns the functions, or the ones with the function literals, that the value of an expression may run; false where
// that is not known. It follows parameters of functions whose calls are all read.
func (p *Confinement) mayRun(fn *Function, x ast.Expr, depth int) (runs []*Function, ok bool) {
	if code.Literal(fn.File.Pkg.Index(), fn.Info(), x) != nil {
		return []*Function{fn}, true
	}
	name, _ := ast.Unparen(x).(*ast.Ident)
	if sel, ok := ast.Unparen(x).(*ast.SelectorExpr); ok {
		name = sel.Sel
	}
	if target, ok := fn.Info().Uses[name].(*types.Func); ok {
		run := p.Function(target)
		return []*Function{run}, run != nil
	}
	v := code.Var(fn.Info(), x)
	at := code.ParameterIndex(fn.Obj.Signature(), v)
	if at < 0 || p.CalledUnread(fn) || depth == maxReadDepth || code.WrittenIn(fn.Info(), fn.Decl.Body, v) {
		return nil, false
	}
	for _, f := range fn.File.Pkg.Files {
		for id := range UsesIn(f.Pkg.TypesInfo, f.Syntax, fn.Obj) {
			call, ok := f.Parent(id).(*ast.CallExpr)
			if sel, method := f.Parent(id).(*ast.SelectorExpr); method {
				call, ok = f.Parent(sel).(*ast.CallExpr)
			}
			caller := p.FunctionAt(p.Pos(id.Pos()))
			if !ok || caller == nil || len(call.Args) <= at || code.Callee(caller.Info(), call) != fn.Obj {
				return nil, false
			}
			more, ok := p.mayRun(caller, call.Args[at], depth+1)
			if !ok {
				return nil, false
			}
			runs = append(runs, more...)
		}
	}
	return runs, len(runs) > 0
}

// givenSynchronises is CallSynchronises for a function or method that is given the
// receiver, or a part of it such as its mutex.
func (p *Confinement) givenSynchronises(fn *Function, call *ast.CallExpr, decl *Function, recv *types.Var, depth int) string {
	given := func(x ast.Expr) bool {
		if and, ok := ast.Unparen(x).(*ast.UnaryExpr); ok {
			x = and.X
		}
		id := code.RootIdent(x)
		return id != nil && recv != nil && fn.Info().Uses[id] == recv
	}
	sig := decl.Obj.Signature()
	if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok && sig.Recv() != nil && given(sel.X) {
		if by := p.Synchronises(decl, sig.Recv(), depth+1); by != "" {
			return by
		}
	}
	for i, x := range call.Args {
		if n := sig.Params().Len(); n > 0 && given(x) {
			if by := p.Synchronises(decl, sig.Params().At(min(i, n-1)), depth+1); by != "" {
				return by
			}
		}
	}
	return ""
}

// leavesLocked says what a function, or one that it comes to, only locks or only unlocks, sends to or receives from; "" if
// nothing.
func (p *Confinement) leavesLocked(fn *Function) string {
	by, known := p.lockers[fn]
	if !known {
		by = halfLocked(fn)
		p.Runs(fn, fn.Decl.Body, func(to *Function) bool {
			by = cmp.Or(by, halfLocked(to))
			return by != ""
		})
		p.lockers[fn] = by
	}
	return by
}

// halfLocked says so of the function alone.
func halfLocked(fn *Function) string {
	taken, given := "", ""
	for n := range code.All[ast.Node](fn.Decl.Body) {
		switch n := n.(type) {
		case *ast.SendStmt:
			taken = "a channel"
		case *ast.UnaryExpr:
			if n.Op == token.ARROW {
				given = "a channel"
			}
		case *ast.CallExpr:
			target := code.Callee(fn.Info(), n)
			if target == nil || target.Pkg() == nil {
				continue
			}
			if takes, gives := locks(target); takes {
				taken = code.CallName(target)
			} else if gives {
				given = code.CallName(target)
			}
		}
	}
	if (taken == "") == (given == "") {
		return ""
	}
	return taken + given
}
