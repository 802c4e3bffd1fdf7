package prove

import (
	"cmp"
	"go/ast"
	"go/types"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// OneAtATime argues that no two goroutines are in the method with one
// receiver, from the statement at use onwards, in a program without data
// races. The second result says why not.
func (p *Confinement) OneAtATime(m *Method, use ast.Node) (model.Obligation, *Reason) {
	o := model.Obligation{Text: "two goroutines never run " + m.Obj.Name() + " with one receiver", How: "proven"}
	if mu := p.heldMutex(m, use); mu != "" {
		o.Why = mu + " is locked from before the use until " + m.Obj.Name() + " returns"
		return o, nil
	}
	if p.freshReceiver(m) {
		o.Why = "every caller calls it on a value that it has just made and not yet given away"
		return o, nil
	}
	if sync := p.Synchronises(m.Function, m.Recv); sync != "" {
		return o, Refusef("%s could be called from two goroutines on one receiver: it synchronises by %s, which does not cover the whole call",
			m.Obj.Name(), sync)
	}
	if where, ok := p.alwaysSets(m.Function, use, m.Recv, false); ok {
		o.Why = "every path writes a field of the receiver without synchronisation (" + where + "): such calls are a data race already"
		return o, nil
	}
	if where, ok := p.alwaysSets(m.Function, use, m.Recv, true); ok {
		o.How = "assumed"
		o.Why = "every call that returns no error writes a field of the receiver without synchronisation (" + where +
			"): only calls that all fail would not be a data race already"
		return o, nil
	}
	if p.passedOnly(m) {
		o.Why = "values of " + m.Named.Obj().Name() + " are only in variables and parameters of functions, and no go statement or function literal that may run later gets one"
		return o, nil
	}
	if p.callersAlone(m, 0) {
		o.Why = "every caller is a method that calls it on its own receiver, and writes that without synchronisation: two such calls are a data race already"
		return o, nil
	}
	return o, Refuse(m.Obj.Name() + " could be called from two goroutines on one receiver: nothing shows that its callers must not")
}

// NotNil argues that a nil receiver would have panicked before too.
func (p *Confinement) NotNil(m *Method, use ast.Node) (model.Obligation, *Reason) {
	o := model.Obligation{Text: "the receiver is not nil", How: "proven"}
	deref := func(n ast.Node) string {
		if where := p.usesField(m.Function, n, m.Recv); where != "" {
			return where
		}
		if where := p.methodUses(m.Function, n, m.Recv, 0); where != "" {
			return where
		}
		return p.deferred(m.Function, n, func(n ast.Node) string { return p.usesField(m.Function, n, m.Recv) })
	}
	if where, ok := p.always(m.Function, use, deref, false); ok {
		o.Why = "every path uses a field of it (" + where + ")"
		return o, nil
	}
	return o, Refuse(m.Obj.Name() + " may be called with a nil receiver: not every path uses a field of it")
}

// deferred asks hits about the body of a deferred function literal: it runs
// once the defer statement has.
func (p *Confinement) deferred(fn *Function, n ast.Node, hits func(ast.Node) string) string {
	if d, ok := n.(*ast.DeferStmt); ok {
		if lit, ok := d.Call.Fun.(*ast.FuncLit); ok {
			where, _ := p.alwaysIn(fn.Info(), lit.Body, nil, hits, func(ast.Node) bool { return false })
			return where
		}
	}
	return ""
}

// usesField says where a statement certainly reads or writes a field of the
// receiver, which panics when that is nil.
func (p *Confinement) usesField(fn *Function, n ast.Node, recv *types.Var) string {
	where := ""
	shallow(fn, n, func(n ast.Node) {
		if sel, ok := n.(*ast.SelectorExpr); ok {
			id, _ := ast.Unparen(sel.X).(*ast.Ident)
			s := fn.Info().Selections[sel]
			if id != nil && fn.Info().Uses[id] == recv && s != nil && s.Kind() == types.FieldVal {
				where = p.Pos(sel.Pos()).String()
			}
		}
	})
	return where
}

// methodUses says where a statement certainly calls a method on recv that uses a field of it
// on every path, be it by such a call.
func (p *Confinement) methodUses(fn *Function, n ast.Node, recv *types.Var, depth int) string {
	where := ""
	shallow(fn, n, func(n ast.Node) {
		call, ok := n.(*ast.CallExpr)
		if !ok || where != "" || depth > 2 {
			return
		}
		sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
		if !ok || !IsUseOf(fn.Info(), sel.X, recv) {
			return
		}
		target := code.Callee(fn.Info(), call)
		if target == nil || code.IsInterfaceMethod(target) || p.Function(target) == nil {
			return
		}
		m, why := p.MethodOf(p.Function(target))
		if why != nil || code.WrittenIn(m.Info(), m.Decl.Body, m.Recv) {
			return
		}
		where, _ = p.always(m.Function, nil, func(n ast.Node) string {
			return cmp.Or(p.usesField(m.Function, n, m.Recv), p.methodUses(m.Function, n, m.Recv, depth+1))
		}, false)
	})
	return where
}

// alwaysSets says where every path through a function that passes use writes one and the same field of what a variable points
// to: doing so in two goroutines would be a data race.
func (p *Confinement) alwaysSets(fn *Function, use ast.Node, v *types.Var, success bool) (where string, ok bool) {
	for _, field := range fieldsOf(v) {
		if where, ok := p.always(fn, use, p.writesField(fn, v, field), success); ok {
			return where, true
		}
	}
	return "", false
}

// fieldsOf numbers the fields of what a variable points to. What is no struct is one.
func fieldsOf(v *types.Var) []int {
	n := 1
	if s, ok := code.Pointee(v.Type()).Underlying().(*types.Struct); ok {
		n = s.NumFields()
	}
	fields := make([]int, n)
	for i := range fields {
		fields[i] = i
	}
	return fields
}

// firstField numbers the field of a variable that an expression is in; -1 for the whole of it.
func firstField(info *types.Info, e ast.Expr) int {
	sel, ok := ast.Unparen(e).(*ast.SelectorExpr)
	if !ok {
		return -1
	}
	in := firstField(info, sel.X)
	if s := info.Selections[sel]; s != nil && in < 0 {
		return s.Index()[0]
	}
	return in
}

// writesField returns a function that says where a statement certainly writes
// a field of the receiver itself, "" where it may not.
func (p *Confinement) writesField(fn *Function, recv *types.Var, field int) func(ast.Node) string {
	return func(n ast.Node) string {
		if where := p.deferred(fn, n, p.writesField(fn, recv, field)); where != "" {
			return where
		}
		switch n := n.(type) {
		case *ast.AssignStmt, *ast.IncDecStmt:
			for _, to := range code.Assigned(n) {
				if in := firstField(fn.Info(), to); p.ownMemory(fn, to, recv) && (in < 0 || in == field) {
					return p.Pos(to.Pos()).String()
				}
			}
		case *ast.DeferStmt:
			return p.callWrites(fn, n.Call, recv, field)
		}
		where := ""
		shallow(fn, n, func(n ast.Node) {
			if call, ok := n.(*ast.CallExpr); ok && where == "" {
				where = p.callWrites(fn, call, recv, field)
			}
		})
		return where
	}
}

// ownMemory reports whether e is a variable within *recv: fields of fields,
// without an index or a pointer on the way.
func (p *Confinement) ownMemory(fn *Function, e ast.Expr, recv *types.Var) bool {
	info := fn.Info()
	switch e := ast.Unparen(e).(type) {
	case *ast.StarExpr:
		id, ok := ast.Unparen(e.X).(*ast.Ident)
		return ok && info.Uses[id] == recv
	case *ast.SelectorExpr:
		s := info.Selections[e]
		if s == nil || s.Kind() != types.FieldVal {
			return false
		}
		if id, ok := ast.Unparen(e.X).(*ast.Ident); ok {
			return info.Uses[id] == recv && !code.ThroughPointer(s)
		}
		if _, ptr := info.TypeOf(e.X).Underlying().(*types.Pointer); ptr {
			return false
		}
		return p.ownMemory(fn, e.X, recv) && !code.ThroughPointer(s)
	}
	return false
}

// callWrites says where a call of a method on the receiver, or on a struct
// within it, certainly writes a field of it.
func (p *Confinement) callWrites(fn *Function, call *ast.CallExpr, recv *types.Var, field int) string {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return ""
	}
	s := fn.Info().Selections[sel]
	if s == nil || s.Kind() != types.MethodVal || code.ThroughPointer(s) {
		return ""
	}
	id, isIdent := ast.Unparen(sel.X).(*ast.Ident)
	if isIdent {
		if fn.Info().Uses[id] != recv {
			return ""
		}
	} else if _, ptr := fn.Info().TypeOf(sel.X).Underlying().(*types.Pointer); ptr || !p.ownMemory(fn, sel.X, recv) {
		return ""
	}
	if !isIdent || len(s.Index()) > 1 { // a method of a field
		if firstField(fn.Info(), sel) != field {
			return ""
		}
		field = anyField
	}
	target, _ := s.Obj().(*types.Func)
	if target == nil || !p.alwaysWrites(target, field) {
		return ""
	}
	return p.Pos(call.Pos()).String()
}

// anyField stands for one field, whichever it is.
const anyField = -1

// A writer is a method that is asked whether it always writes a field.
type writer struct {
	fn    string
	field int
}

// alwaysWrites reports whether every path through a method of the main module
// writes a field of its receiver, without synchronising.
func (p *Confinement) alwaysWrites(fn *types.Func, field int) bool {
	key := writer{fn.Origin().FullName(), field}
	if w, ok := p.writers[key]; ok {
		return w
	}
	p.writers[key] = false
	decl := p.Function(fn)
	if decl == nil || decl.Decl.Recv == nil {
		return false
	}
	if _, ptr := decl.Obj.Signature().Recv().Type().(*types.Pointer); !ptr {
		return false
	}
	recv := decl.Obj.Signature().Recv()
	if p.Synchronises(decl, recv) != "" {
		return false
	}
	w := false
	if field == anyField {
		_, w = p.alwaysSets(decl, nil, recv, false)
	} else {
		_, w = p.always(decl, nil, p.writesField(decl, recv, field), false)
	}
	p.writers[key] = w
	return w
}

// heldMutex returns the text of the receiver's mutex that is locked in a
// statement of the method's own list before use and unlocked by a defer, ""
// if there is none.
func (p *Confinement) heldMutex(m *Method, use ast.Node) string {
	for i, s := range m.Decl.Body.List {
		if i+1 >= len(m.Decl.Body.List) || m.Decl.Body.List[i+1].End() > use.Pos() {
			return ""
		}
		lock, ok := s.(*ast.ExprStmt)
		unlock, deferred := m.Decl.Body.List[i+1].(*ast.DeferStmt)
		if !ok || !deferred {
			continue
		}
		mu := p.mutexCall(m, lock.X, "Lock")
		if mu != "" && p.mutexCall(m, unlock.Call, "Unlock") == mu && p.unlocks(m) == 1 && !p.letsGo(m) {
			return mu
		}
	}
	return ""
}

// mutexCall returns the mutex in recv.mutex.name(), "" for anything else.
func (p *Confinement) mutexCall(m *Method, e ast.Expr, name string) string {
	call, ok := e.(*ast.CallExpr)
	if !ok {
		return ""
	}
	sel, ok := call.Fun.(*ast.SelectorExpr)
	fn := code.Callee(m.Info(), call)
	if !ok || fn == nil || fn.Pkg() == nil || fn.Pkg().Path() != "sync" || fn.Name() != name {
		return ""
	}
	if id, ok := ast.Unparen(sel.X).(*ast.Ident); ok && m.Info().Uses[id] == m.Recv {
		return id.Name
	}
	if _, ptr := m.Info().TypeOf(sel.X).Underlying().(*types.Pointer); !ptr && p.ownMemory(m.Function, sel.X, m.Recv) {
		return types.ExprString(sel.X)
	}
	return ""
}

// letsGo reports whether the method, or something that it calls in the module,
// may unlock its mutex for a while: by waiting for a sync.Cond, or by unlocking
// a mutex of the receiver's type.
func (p *Confinement) letsGo(m *Method) bool {
	for fn := range p.Reached(p.EdgesOf(m.Function)) {
		if code.Any(fn.Decl.Body, func(call *ast.CallExpr) bool {
			sel, _ := ast.Unparen(call.Fun).(*ast.SelectorExpr)
			target := code.Callee(fn.Info(), call)
			return target != nil && sel != nil && (target.FullName() == "(*sync.Cond).Wait" ||
				target.Name() == "Unlock" && fn.Obj != m.Obj && ofStruct(fn.Info(), sel.X, m.Named))
		}) {
			return true
		}
	}
	return false
}

// ofStruct reports whether e is a value of the named struct, or a field of one.
func ofStruct(info *types.Info, e ast.Expr, named *types.Named) bool {
	for {
		if t := info.TypeOf(e); t != nil && pointsTo(t, named) {
			return true
		}
		sel, ok := ast.Unparen(e).(*ast.SelectorExpr)
		if !ok {
			return false
		}
		e = sel.X
	}
}

func (p *Confinement) unlocks(m *Method) int {
	n := 0
	for call := range code.All[*ast.CallExpr](m.Decl.Body) {
		if fn := code.Callee(m.Info(), call); fn != nil && fn.Name() == "Unlock" {
			n++
		}
	}
	return n
}
