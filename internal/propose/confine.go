package propose

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/cfg"

	"github.com/pawl-dev/pawl/internal/model"
)

// oneAtATime argues that no two goroutines are in the method with one
// receiver, from the statement at use onwards, in a program without data
// races. The second result says why not.
func (p *Program) oneAtATime(m *method, use ast.Node) (model.Obligation, string) {
	o := model.Obligation{Text: "two goroutines never run " + m.obj.Name() + " with one receiver", How: "proven"}
	if mu := p.heldMutex(m, use); mu != "" {
		o.Why = mu + " is locked from before the use until " + m.obj.Name() + " returns"
		return o, ""
	}
	if p.freshReceiver(m) {
		o.Why = "every caller calls it on a value that it has just made and not yet given away"
		return o, ""
	}
	if sync := p.synchronises(m.function, m.recv, 0); sync != "" {
		return o, fmt.Sprintf("%s could be called from two goroutines on one receiver: it synchronises by %s, which does not cover the whole call",
			m.obj.Name(), sync)
	}
	if where, ok := p.always(m.function, use, p.writesField(m.function, m.recv), false); ok {
		o.Why = "every path writes a field of the receiver without synchronisation (" + where + "): such calls are a data race already"
		return o, ""
	}
	if where, ok := p.always(m.function, use, p.writesField(m.function, m.recv), true); ok {
		o.How = "assumed"
		o.Why = "every call that returns no error writes a field of the receiver without synchronisation (" + where +
			"): only calls that all fail would not be a data race already"
		return o, ""
	}
	return o, m.obj.Name() + " could be called from two goroutines on one receiver: nothing shows that its callers must not"
}

// notNil argues that a nil receiver would have panicked before too.
func (p *Program) notNil(m *method, use ast.Node) (model.Obligation, string) {
	o := model.Obligation{Text: "the receiver is not nil", How: "proven"}
	info := m.info()
	deref := func(n ast.Node) string {
		where := ""
		shallow(n, func(n ast.Node) {
			sel, ok := n.(*ast.SelectorExpr)
			if !ok {
				return
			}
			id, _ := ast.Unparen(sel.X).(*ast.Ident)
			s := info.Selections[sel]
			if id != nil && info.Uses[id] == m.recv && s != nil && s.Kind() == types.FieldVal {
				where = p.pos(sel.Pos()).String()
			}
		})
		if where == "" {
			where = p.deferred(m.function, n, m.recv, "deref")
		}
		return where
	}
	if where, ok := p.always(m.function, use, deref, false); ok {
		o.Why = "every path uses a field of it (" + where + ")"
		return o, ""
	}
	return o, m.obj.Name() + " may be called with a nil receiver: not every path uses a field of it"
}

// deferred applies a question to the body of a deferred function literal.
func (p *Program) deferred(fn *function, n ast.Node, recv *types.Var, question string) string {
	d, ok := n.(*ast.DeferStmt)
	if !ok {
		return ""
	}
	lit, ok := d.Call.Fun.(*ast.FuncLit)
	if !ok {
		return ""
	}
	hits := p.writesField(fn, recv)
	if question == "deref" {
		hits = func(n ast.Node) string { return p.usesField(fn, n, recv) }
	}
	where, _ := alwaysIn(fn.info(), lit.Body, nil, hits, false)
	return where
}

func (p *Program) usesField(fn *function, n ast.Node, recv *types.Var) string {
	where := ""
	shallow(n, func(n ast.Node) {
		if sel, ok := n.(*ast.SelectorExpr); ok {
			id, _ := ast.Unparen(sel.X).(*ast.Ident)
			s := fn.info().Selections[sel]
			if id != nil && fn.info().Uses[id] == recv && s != nil && s.Kind() == types.FieldVal {
				where = p.pos(sel.Pos()).String()
			}
		}
	})
	return where
}

// writesField returns a function that says where a statement certainly writes
// memory of the receiver itself, "" where it may not.
func (p *Program) writesField(fn *function, recv *types.Var) func(ast.Node) string {
	return func(n ast.Node) string {
		if where := p.deferred(fn, n, recv, "write"); where != "" {
			return where
		}
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, l := range n.Lhs {
				if p.ownMemory(fn, l, recv) {
					return p.pos(l.Pos()).String()
				}
			}
		case *ast.IncDecStmt:
			if p.ownMemory(fn, n.X, recv) {
				return p.pos(n.Pos()).String()
			}
		case *ast.DeferStmt:
			return p.callWrites(fn, n.Call, recv)
		}
		where := ""
		shallow(n, func(n ast.Node) {
			if call, ok := n.(*ast.CallExpr); ok && where == "" {
				where = p.callWrites(fn, call, recv)
			}
		})
		return where
	}
}

// ownMemory reports whether e is a variable within *recv: fields of fields,
// without an index or a pointer on the way.
func (p *Program) ownMemory(fn *function, e ast.Expr, recv *types.Var) bool {
	info := fn.info()
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
			return info.Uses[id] == recv && !throughPointer(s)
		}
		if _, ptr := info.TypeOf(e.X).Underlying().(*types.Pointer); ptr {
			return false
		}
		return p.ownMemory(fn, e.X, recv) && !throughPointer(s)
	}
	return false
}

// throughPointer reports whether a promoted field or method is reached through
// an embedded pointer.
func throughPointer(s *types.Selection) bool {
	t, path := s.Recv(), s.Index()
	if s.Kind() == types.MethodVal {
		path = path[:len(path)-1]
	}
	for i, index := range path {
		if ptr, ok := t.Underlying().(*types.Pointer); ok {
			if i > 0 {
				return true
			}
			t = ptr.Elem()
		}
		str, ok := t.Underlying().(*types.Struct)
		if !ok {
			return true
		}
		t = str.Field(index).Type()
	}
	if _, ptr := t.Underlying().(*types.Pointer); ptr && s.Kind() == types.MethodVal && len(path) > 0 {
		return true
	}
	return false
}

// callWrites says where a call of a method on the receiver, or on a struct
// within it, certainly writes it.
func (p *Program) callWrites(fn *function, call *ast.CallExpr, recv *types.Var) string {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return ""
	}
	s := fn.info().Selections[sel]
	if s == nil || s.Kind() != types.MethodVal || throughPointer(s) {
		return ""
	}
	id, isIdent := ast.Unparen(sel.X).(*ast.Ident)
	if isIdent {
		if fn.info().Uses[id] != recv {
			return ""
		}
	} else if _, ptr := fn.info().TypeOf(sel.X).Underlying().(*types.Pointer); ptr || !p.ownMemory(fn, sel.X, recv) {
		return ""
	}
	target, _ := s.Obj().(*types.Func)
	if target == nil || !p.alwaysWrites(target) {
		return ""
	}
	return p.pos(call.Pos()).String()
}

// alwaysWrites reports whether every path through a method of the main module
// writes its receiver, without synchronising.
func (p *Program) alwaysWrites(fn *types.Func) bool {
	key := fn.Origin().FullName()
	if w, ok := p.writers[key]; ok {
		return w
	}
	p.writers[key] = false
	decl := p.function(fn)
	if decl == nil || decl.decl.Recv == nil {
		return false
	}
	if _, ptr := decl.obj.Signature().Recv().Type().(*types.Pointer); !ptr {
		return false
	}
	recv := decl.obj.Signature().Recv()
	if p.synchronises(decl, recv, 0) != "" {
		return false
	}
	_, w := p.always(decl, nil, p.writesField(decl, recv), false)
	p.writers[key] = w
	return w
}

// always reports whether every path through fn that passes use also passes a
// node that hits says something about, before or after; a nil use stands for
// the start. It returns what was said first. Paths that end in a panic do not
// count. With success set, neither do those that end in returning an error.
func (p *Program) always(fn *function, use ast.Node, hits func(ast.Node) string, success bool) (string, bool) {
	return alwaysIn(fn.info(), fn.decl.Body, use, hits, success)
}

func alwaysIn(info *types.Info, body *ast.BlockStmt, use ast.Node, hits func(ast.Node) string, success bool) (string, bool) {
	g := cfg.New(body, func(call *ast.CallExpr) bool { return builtin(info, call) != "panic" })
	type state struct {
		block *cfg.Block
		used  bool
	}
	where := ""
	todo, seen := []state{{g.Blocks[0], use == nil}}, map[state]bool{}
	for len(todo) > 0 {
		s := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if seen[s] {
			continue
		}
		seen[s] = true
		hit, last := false, ast.Node(nil)
		for _, n := range s.block.Nodes {
			last = n
			if use != nil && (within(use, n) || within(n, use)) {
				s.used = true
			}
			if w := hits(n); w != "" {
				if where == "" {
					where = w
				}
				hit = true
			}
		}
		if hit {
			continue
		}
		for _, next := range s.block.Succs {
			todo = append(todo, state{next, s.used})
		}
		if len(s.block.Succs) == 0 && s.used && !panics(info, last) && !(success && failing(info, body, last)) {
			return "", false
		}
	}
	return where, where != ""
}

func panics(info *types.Info, n ast.Node) bool {
	s, ok := n.(*ast.ExprStmt)
	if !ok {
		return false
	}
	call, ok := s.X.(*ast.CallExpr)
	return ok && builtin(info, call) == "panic"
}

// failing reports whether n returns an error for certain.
func failing(info *types.Info, body *ast.BlockStmt, n ast.Node) bool {
	ret, ok := n.(*ast.ReturnStmt)
	if !ok || len(ret.Results) == 0 {
		return false
	}
	return certainError(info, body, ret, ret.Results[len(ret.Results)-1])
}

// certainError reports whether e, returned by ret, is an error that is not
// nil: a package variable, a newly made one, or one that an enclosing
// condition has found not to be nil.
func certainError(info *types.Info, body ast.Node, ret ast.Node, e ast.Expr) bool {
	t := info.TypeOf(e)
	if t == nil || !types.Implements(t, types.Universe.Lookup("error").Type().Underlying().(*types.Interface)) {
		return false
	}
	switch e := ast.Unparen(e).(type) {
	case *ast.CallExpr:
		fn := callee(info, e)
		if fn == nil || fn.Pkg() == nil {
			return false
		}
		full := fn.Pkg().Path() + "." + fn.Name()
		return full == "fmt.Errorf" || full == "errors.New"
	case *ast.UnaryExpr:
		return e.Op == token.AND
	case *ast.SelectorExpr:
		v, ok := info.Uses[e.Sel].(*types.Var)
		return ok && !v.IsField() // a package's error variable
	case *ast.Ident:
		v, ok := info.Uses[e].(*types.Var)
		if !ok {
			return false
		}
		return v.Pkg() != nil && v.Parent() == v.Pkg().Scope() || foundNotNil(info, body, ret, v)
	}
	return false
}

// foundNotNil reports whether at stands in the body of an if whose condition
// is v != nil.
func foundNotNil(info *types.Info, body ast.Node, at ast.Node, v *types.Var) bool {
	found := false
	ast.Inspect(body, func(n ast.Node) bool {
		s, ok := n.(*ast.IfStmt)
		if !ok || !within(s.Body, at) {
			return true
		}
		if b, ok := ast.Unparen(s.Cond).(*ast.BinaryExpr); ok && b.Op == token.NEQ && isNil(info, b.Y) {
			id, ok := ast.Unparen(b.X).(*ast.Ident)
			found = found || ok && info.Uses[id] == v
		}
		return true
	})
	return found
}

// shallow calls f for the nodes of a statement that run whenever it runs:
// not for function literals nor for the right operands of && and ||.
func shallow(n ast.Node, f func(ast.Node)) {
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case nil, *ast.FuncLit, *ast.BlockStmt, *ast.GoStmt:
			return false
		case *ast.BinaryExpr:
			if n.Op == token.LAND || n.Op == token.LOR {
				shallow(n.X, f)
				return false
			}
		}
		f(n)
		return true
	})
}

// synchronises says by what fn, or a method that it calls on the same
// receiver, synchronises goroutines; "" if by nothing.
func (p *Program) synchronises(fn *function, recv *types.Var, depth int) string {
	info, by := fn.info(), ""
	ast.Inspect(fn.decl.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SendStmt, *ast.SelectStmt:
			by = "a channel"
		case *ast.UnaryExpr:
			if n.Op == token.ARROW {
				by = "a channel"
			}
		case *ast.RangeStmt:
			if _, ok := info.TypeOf(n.X).Underlying().(*types.Chan); ok {
				by = "a channel"
			}
		case *ast.CallExpr:
			if s := p.callSynchronises(fn, n, recv, depth); s != "" {
				by = s
			}
		}
		return by == ""
	})
	return by
}

func (p *Program) callSynchronises(fn *function, call *ast.CallExpr, recv *types.Var, depth int) string {
	target := callee(fn.info(), call)
	if target == nil || target.Pkg() == nil {
		return ""
	}
	if path := target.Pkg().Path(); path == "sync" || path == "sync/atomic" || path == "golang.org/x/sync/semaphore" {
		return callName(target)
	}
	if slices.Contains([]string{"Lock", "Unlock", "RLock", "RUnlock", "TryLock"}, target.Name()) {
		return callName(target)
	}
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok || depth > 5 {
		return ""
	}
	if id := rootIdent(sel.X); id == nil || fn.info().Uses[id] != recv {
		return ""
	}
	if decl := p.function(target); decl != nil && decl.obj.Signature().Recv() != nil && decl != fn {
		return p.synchronises(decl, decl.obj.Signature().Recv(), depth+1)
	}
	return ""
}

// heldMutex returns the text of the receiver's mutex that is locked in a
// statement of the method's own list before use and unlocked by a defer, ""
// if there is none.
func (p *Program) heldMutex(m *method, use ast.Node) string {
	for i, s := range m.decl.Body.List {
		if i+1 >= len(m.decl.Body.List) || m.decl.Body.List[i+1].End() > use.Pos() {
			return ""
		}
		lock, ok := s.(*ast.ExprStmt)
		unlock, deferred := m.decl.Body.List[i+1].(*ast.DeferStmt)
		if !ok || !deferred {
			continue
		}
		mu := p.mutexCall(m, lock.X, "Lock")
		if mu != "" && p.mutexCall(m, unlock.Call, "Unlock") == mu && p.unlocks(m) == 1 {
			return mu
		}
	}
	return ""
}

// mutexCall returns the mutex in recv.mutex.name(), "" for anything else.
func (p *Program) mutexCall(m *method, e ast.Expr, name string) string {
	call, ok := e.(*ast.CallExpr)
	if !ok {
		return ""
	}
	sel, ok := call.Fun.(*ast.SelectorExpr)
	fn := callee(m.info(), call)
	if !ok || fn == nil || fn.Pkg() == nil || fn.Pkg().Path() != "sync" || fn.Name() != name {
		return ""
	}
	if id, ok := ast.Unparen(sel.X).(*ast.Ident); ok && m.info().Uses[id] == m.recv {
		return id.Name
	}
	if _, ptr := m.info().TypeOf(sel.X).Underlying().(*types.Pointer); !ptr && p.ownMemory(m.function, sel.X, m.recv) {
		return types.ExprString(sel.X)
	}
	return ""
}

func (p *Program) unlocks(m *method) int {
	n := 0
	ast.Inspect(m.decl.Body, func(node ast.Node) bool {
		if call, ok := node.(*ast.CallExpr); ok {
			if fn := callee(m.info(), call); fn != nil && fn.Name() == "Unlock" {
				n++
			}
		}
		return true
	})
	return n
}

// freshReceiver reports whether all uses of an unexported method are calls on
// a local variable that holds a newly made value which nothing else refers to.
func (p *Program) freshReceiver(m *method) bool {
	if m.obj.Exported() || p.inInterface(m) {
		return false
	}
	calls, fresh := 0, true
	for _, f := range m.file.pkg.files {
		ast.Inspect(f.syntax, func(n ast.Node) bool {
			id, ok := n.(*ast.Ident)
			if ok && f.pkg.TypesInfo.Uses[id] == m.obj {
				calls++
				fresh = fresh && p.freshCall(f, id)
			}
			return fresh
		})
	}
	return fresh && calls > 0
}

// inInterface reports whether an interface of the package has a method of
// this name.
func (p *Program) inInterface(m *method) bool {
	found := false
	for _, obj := range m.info().Defs {
		fn, ok := obj.(*types.Func)
		found = found || ok && fn.Name() == m.obj.Name() && isInterfaceMethod(fn)
	}
	return found
}

// freshCall reports whether name is the method in a call v.name() where v is a
// local variable, newly made, of which only fields have been used before.
func (p *Program) freshCall(f *file, name *ast.Ident) bool {
	info := f.pkg.TypesInfo
	sel, ok := f.parent(name).(*ast.SelectorExpr)
	if !ok {
		return false
	}
	call, ok := f.parent(sel).(*ast.CallExpr)
	x, isIdent := ast.Unparen(sel.X).(*ast.Ident)
	if !ok || call.Fun != sel || !isIdent || f.literal(call) != nil {
		return false
	}
	if _, spawned := f.parent(call).(*ast.GoStmt); spawned {
		return false
	}
	fn := p.functionAt(p.pos(call.Pos()))
	v, _ := info.Uses[x].(*types.Var)
	if fn == nil || v == nil || assigned(info, fn.decl.Body, v) || !madeHere(info, fn.decl.Body, v) {
		return false
	}
	made, loop := (&flow{p: p, fn: fn}).definition(v), f.loop(call)
	if loop != nil && !within(loop, made) {
		return false
	}
	ok = true
	ast.Inspect(fn.decl.Body, func(n ast.Node) bool {
		id, isIdent := n.(*ast.Ident)
		if isIdent && info.Uses[id] == v && id.Pos() < call.Pos() {
			s, isSel := f.parent(id).(*ast.SelectorExpr)
			ok = ok && isSel && info.Selections[s] != nil && info.Selections[s].Kind() == types.FieldVal && !addressed(f, s)
		}
		return ok
	})
	return ok
}

func addressed(f *file, e ast.Expr) bool {
	u, ok := f.parent(e).(*ast.UnaryExpr)
	return ok && u.Op == token.AND
}

// madeHere reports whether v is defined by v := &T{…} or v := new(T).
func madeHere(info *types.Info, body ast.Node, v *types.Var) bool {
	found := false
	ast.Inspect(body, func(n ast.Node) bool {
		a, ok := n.(*ast.AssignStmt)
		if !ok || a.Tok != token.DEFINE || len(a.Lhs) != len(a.Rhs) {
			return true
		}
		for i, l := range a.Lhs {
			id, ok := l.(*ast.Ident)
			if !ok || info.Defs[id] != v {
				continue
			}
			switch r := a.Rhs[i].(type) {
			case *ast.UnaryExpr:
				_, lit := r.X.(*ast.CompositeLit)
				found = found || r.Op == token.AND && lit
			case *ast.CallExpr:
				found = found || builtin(info, r) == "new"
			}
		}
		return true
	})
	return found
}
