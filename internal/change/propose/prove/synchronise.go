package prove

import (
	"cmp"
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/internal/rulekit/effects"
)

// Synchronises says by what fn, or a method that it calls on the same
// receiver, synchronises goroutines; "" if by nothing.
func (p *Confinement) Synchronises(fn *Function, recv *types.Var) string {
	key := synchroniser{fn, recv}
	by, known := p.synchronisers[key]
	if known {
		return by
	}
	if len(p.tentative) == 0 {
		by = "unknown" // where it panics
		defer func() {
			for _, k := range p.tentative {
				if by != "" && p.synchronisers[k] == "" {
					delete(p.synchronisers, k) // it may have come back to one that does
				}
			}
			p.tentative = nil
		}()
	}
	p.synchronisers[key] = "" // a call that comes back to it adds nothing
	p.tentative = append(p.tentative, key)
	by = p.SynchronisesIn(fn, fn.Decl.Body, recv)
	p.synchronisers[key] = by
	return by
}

// A synchroniser is what Synchronises is asked about: methods that call each other would be read again and again.
type synchroniser struct {
	fn   *Function
	recv *types.Var
}

// SynchronisesIn says so of a part of fn.
func (p *Confinement) SynchronisesIn(fn *Function, part ast.Node, recv *types.Var) string {
	for n := range code.All[ast.Node](part) {
		if by := p.waitsAt(fn, n); by != "" {
			return by
		}
		if call, ok := n.(*ast.CallExpr); ok {
			if by := p.CallSynchronises(fn, call, recv); by != "" {
				return by
			}
		}
	}
	return ""
}

// CallSynchronises says by what a call in fn synchronises goroutines, "" if by
// nothing. Functions that are given recv are followed; of others, it is what they leave locked or wait for.
func (p *Confinement) CallSynchronises(fn *Function, call *ast.CallExpr, recv *types.Var) string {
	target := called(fn.Info(), call)
	if target == nil {
		return p.unreadSynchronises(fn, call, nil)
	}
	decl := p.Function(target)
	switch {
	case synchronising(target), p.linkedAway(target): // to the runtime's semaphores, say
		return code.CallName(target)
	case decl == nil:
		return cmp.Or(p.leavesLocked(p.comesTo(target)), p.unreadSynchronises(fn, call, target))
	case decl == fn:
		return ""
	}
	return cmp.Or(p.givenSynchronises(fn, call, decl, recv), p.leavesLocked([]*Function{decl}))
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
	sig, ok := code.Core(info.TypeOf(call.Fun)).(*types.Signature)
	if !ok || !lockForm(sig) || code.Literal(fn.File.Pkg.Index(), info, call.Fun) != nil || info.Types[call.Fun].IsBuiltin() ||
		target != nil && (target.Pkg() == nil || !p.InModule(target) && effects.Standard(target.Pkg().Path())) {
		return ""
	}
	by := "what " + Short(types.ExprString(call.Fun)) + " may lock"
	runs, ok := p.mayRun(fn, call.Fun, 0)
	if !ok {
		return by
	}
	return p.leavesLocked(runs)
}

// lockForm reports whether a function has the form of one that locks: it is given at most a context, or functions without
// parameters, and returns at most an error, whether it has the lock, or what unlocks it.
func lockForm(sig *types.Signature) bool {
	for v := range sig.Params().Variables() {
		if given, ok := code.Core(v.Type()).(*types.Signature); !(ok && given.Params().Len() == 0) && !code.IsNamed(v.Type(), "context", "Context") {
			return false
		}
	}
	for v := range sig.Results().Variables() {
		t := v.Type()
		if _, fn := code.Core(t).(*types.Signature); !fn && !code.IsError(t) && !types.Identical(t, types.Typ[types.Bool]) {
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
func (p *Confinement) givenSynchronises(fn *Function, call *ast.CallExpr, decl *Function, recv *types.Var) string {
	given := func(x ast.Expr) bool {
		if and, ok := ast.Unparen(x).(*ast.UnaryExpr); ok {
			x = and.X
		}
		id := code.RootIdent(x)
		return id != nil && recv != nil && fn.Info().Uses[id] == recv
	}
	sig := decl.Obj.Signature()
	takes := slices.Collect(sig.Params().Variables())
	args := call.Args
	if sig.Recv() != nil {
		takes = slices.Insert(takes, 0, sig.Recv())
		if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok && code.Callee(fn.Info(), call) != nil { // no method expression
			args = slices.Insert(slices.Clone(args), 0, sel.X)
		}
	}
	for i, x := range args {
		if n := len(takes); n > 0 && given(x) {
			if by := p.Synchronises(decl, takes[min(i, n-1)]); by != "" {
				return by
			}
		}
	}
	return ""
}

// leavesLocked says what functions, or those that they come to, only lock or only unlock, or wait for; "" if nothing.
func (p *Confinement) leavesLocked(fns []*Function) string {
	for _, fn := range fns {
		by, known := p.lockers[fn]
		if !known {
			by = p.halfLocked(fn)
			p.Runs(fn, fn.Decl.Body, func(to *Function) bool {
				by = cmp.Or(by, p.halfLocked(to))
				return by != ""
			})
			p.lockers[fn] = by
		}
		if by != "" {
			return by
		}
	}
	return ""
}

// halfLocked says so of the function alone.
func (p *Confinement) halfLocked(fn *Function) string {
	taken, given := "", ""
	for n := range code.All[ast.Node](fn.Decl.Body) {
		if by := p.waitsAt(fn, n); by != "" {
			return by
		}
		call, ok := n.(*ast.CallExpr)
		if !ok {
			continue
		}
		target := called(fn.Info(), call)
		if target == nil || target.Pkg() == nil {
			continue
		}
		if takes, gives := locks(target); takes {
			taken = code.CallName(target)
		} else if gives {
			given = code.CallName(target)
		}
	}
	if (taken == "") == (given == "") {
		return ""
	}
	return taken + given
}

// waitsAt says what a node may wait for until another goroutine has done something: a channel, one of package sync, or, in a
// loop, that it finds a variable as it asks.
func (p *Confinement) waitsAt(fn *Function, n ast.Node) string {
	switch n := n.(type) {
	case *ast.CallExpr:
		if target := called(fn.Info(), n); target != nil && target.Name() == "Wait" && synchronising(target) {
			return code.CallName(target)
		}
	case *ast.ForStmt:
		if p.asksIn(fn, n) {
			return "what it asks for in a loop"
		}
	}
	if code.ByChannel(fn.Info(), n) {
		return "a channel"
	}
	return ""
}

// asksIn reports whether a part of a function may read under a lock, or atomically, what other goroutines set.
func (p *Confinement) asksIn(fn *Function, part ast.Node) bool {
	direct := func(fn *Function, part ast.Node) bool {
		return code.Any(part, func(call *ast.CallExpr) bool {
			target := called(fn.Info(), call)
			return target != nil && asks(target)
		})
	}
	return direct(fn, part) || code.Any(part, func(call *ast.CallExpr) bool {
		target := called(fn.Info(), call)
		return target != nil && slices.ContainsFunc(p.comesTo(target), func(to *Function) bool {
			asks, known := p.asking[to]
			if !known {
				asks = direct(to, to.Decl.Body) || p.Runs(to, to.Decl.Body, func(to *Function) bool { return direct(to, to.Decl.Body) })
				p.asking[to] = asks
			}
			return asks
		})
	})
}

func asks(fn *types.Func) bool {
	takes, _ := locks(fn)
	return takes || fn.Pkg() != nil && fn.Pkg().Path() == "sync/atomic" && !strings.HasPrefix(fn.Name(), "Store") && !strings.HasPrefix(fn.Name(), "Add")
}
