package guard

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// A taint knows what counts calls in the candidate: state that is updated from
// itself and constants alone, the local variables that hold it, and the
// functions that return it.
type taint struct {
	p        *pair
	counters map[types.Object]bool
	lengths  map[types.Object]bool // slices whose length does
	funcs    map[string]bool       // by objectName
	locals   map[types.Object]bool
	base     *updates
}

func newTaint(p *pair) *taint {
	now := updatesOf(p.cand, p.isNewState)
	t := &taint{p: p, counters: now.counters(), lengths: now.lengths(), funcs: make(map[string]bool), locals: make(map[types.Object]bool), base: updatesOf(p.base, nil)}
	shifted := t.base.shifted()
	for o := range t.counters {
		if shifted[p.cand.stateName(o)] { // what the base shifts both ways holds bits
			delete(t.counters, o)
		}
	}
	for range 3 { // through a few variables and helpers
		for _, u := range p.cand.sorted() {
			t.spread(u)
		}
	}
	for _, u := range p.cand.sorted() {
		t.given(u)
	}
	return t
}

// stateOf returns the state that an expression names: a field, a package
// variable, or a variable of an enclosing function that a literal captures.
func stateOf(u *unit, e ast.Expr) types.Object {
	for {
		switch x := ast.Unparen(e).(type) {
		case *ast.IndexExpr:
			e = x.X
		case *ast.StarExpr:
			e = x.X
		case *ast.SelectorExpr:
			if v, ok := u.info().Uses[x.Sel].(*types.Var); ok {
				if v.IsField() {
					return v.Origin()
				}
				return v
			}
			return nil
		case *ast.Ident:
			v, ok := u.info().Uses[x].(*types.Var)
			if !ok || isLocal(v) && !capturedAt(u, v, x) {
				return nil
			}
			return v
		default:
			return nil
		}
	}
}

// capturedAt reports whether a local variable is used inside a function
// literal that outlives the call and does not declare it.
func capturedAt(u *unit, v *types.Var, at ast.Node) bool {
	captured := false
	inspectStack(u, func(n ast.Node, stack []ast.Node) {
		lit, ok := n.(*ast.FuncLit)
		if !ok || at.Pos() < lit.Pos() || at.End() > lit.End() || v.Pos() >= lit.Pos() && v.Pos() < lit.End() {
			return
		}
		switch parent := stack[len(stack)-1].(type) {
		case *ast.ReturnStmt, *ast.KeyValueExpr:
			captured = true
		case *ast.AssignStmt:
			for _, l := range parent.Lhs {
				captured = captured || outlives(u.info(), l)
			}
		}
	})
	return captured
}

// inspectStack walks a unit and gives each node with what it stands in.
func inspectStack(u *unit, visit func(n ast.Node, stack []ast.Node)) {
	for _, root := range u.nodes {
		var stack []ast.Node
		ast.Inspect(root, func(n ast.Node) bool {
			if n == nil {
				stack = stack[:len(stack)-1]
				return true
			}
			if len(stack) > 0 {
				visit(n, stack)
			}
			stack = append(stack, n)
			return true
		})
	}
}

// given notes the parameters that get a count from some call.
func (t *taint) given(u *unit) {
	for call := range all[*ast.CallExpr](u) {
		f := t.p.cand.decls[calleeName(u.info(), call)]
		for i, a := range call.Args {
			if f != nil && f.obj != nil && i < f.obj.Signature().Params().Len() && t.tainted(u, a) {
				t.locals[f.obj.Signature().Params().At(i)] = true
			}
		}
	}
}

// spread notes the local variables and functions that pass counters on.
func (t *taint) spread(u *unit) {
	for n := range all[ast.Stmt](u) {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for i, r := range n.Rhs {
				if i < len(n.Lhs) && t.tainted(u, r) {
					if id, ok := n.Lhs[i].(*ast.Ident); ok {
						if o := u.info().ObjectOf(id); o != nil && isLocal(o) {
							t.locals[o] = true
						}
					}
				}
			}
		case *ast.ReturnStmt:
			for _, r := range n.Results {
				if u.obj != nil && t.tainted(u, r) && !comparison(r) {
					t.funcs[objectName(u.obj)] = true
				}
			}
		}
	}
}

func comparison(e ast.Expr) bool {
	b, ok := ast.Unparen(e).(*ast.BinaryExpr)
	return ok && (b.Op == token.EQL || b.Op == token.NEQ || b.Op == token.LSS || b.Op == token.LEQ || b.Op == token.GTR || b.Op == token.GEQ)
}

// tainted reports whether the value of an expression tells how many calls
// there were: arithmetic on a counter and constants, and no more than that.
func (t *taint) tainted(u *unit, e ast.Expr) bool {
	switch x := ast.Unparen(e).(type) {
	case *ast.Ident:
		o := u.info().Uses[x]
		return o != nil && (t.locals[o] || t.counters[o])
	case *ast.SelectorExpr:
		o := stateOf(u, x)
		return o != nil && t.counters[o]
	case *ast.IndexExpr:
		return t.tainted(u, x.X)
	case *ast.StarExpr:
		return t.tainted(u, x.X)
	case *ast.UnaryExpr:
		return t.tainted(u, x.X)
	case *ast.BinaryExpr:
		return t.tainted(u, x.X) || t.tainted(u, x.Y)
	case *ast.CallExpr:
		if o, _ := atomicAdd(u, x); o != nil {
			return t.counters[o]
		}
		if tv := u.info().Types[x.Fun]; tv.IsType() && len(x.Args) == 1 {
			return t.tainted(u, x.Args[0])
		}
		some := func(e ast.Expr) bool { return t.tainted(u, e) }
		if name := calleeName(u.info(), x); t.funcs[name] {
			return true
		} else if passesOn(u, x) {
			return slices.ContainsFunc(x.Args, some)
		} else if code.IsBuiltin(u.info(), x, "len") {
			return t.lengths[stateOf(u, x.Args[0])]
		} else if hasAnyPrefix(name, "sync/atomic.Load") && len(x.Args) == 1 {
			if a, ok := ast.Unparen(x.Args[0]).(*ast.UnaryExpr); ok {
				return t.tainted(u, a.X)
			}
		} else if hasAnyPrefix(name, "(*sync/atomic.") && len(x.Args) == 0 {
			if sel, ok := ast.Unparen(x.Fun).(*ast.SelectorExpr); ok {
				return t.tainted(u, sel.X)
			}
		}
	}
	return false
}

// counts names places where behaviour depends on how often a function was
// called, or on the same memory or length coming again.
func (p *pair) counts(u *unit, t *taint) {
	in := inputsOf(p, u)
	inspectStack(u, func(n ast.Node, stack []ast.Node) {
		switch n := n.(type) {
		case *ast.BinaryExpr:
			p.countsIn(u, t, n, stack)
			p.sameAgain(u, in, n)
		case *ast.SwitchStmt:
			if n.Tag != nil && t.tainted(u, n.Tag) && p.isNew(u, n.Tag) {
				p.add(model.SuspectCount, n.Tag, "what it does depends on how often it was called")
			}
		case *ast.IfStmt:
			if c := ast.Unparen(n.Cond); t.tainted(u, c) && !isBinary(c) && p.isNew(u, n) {
				p.add(model.SuspectCount, n.Cond, "what it does changes from call to call")
			}
		case *ast.IndexExpr:
			p.keyedByIdentity(u, in, n)
			if b := basicOf(typeOf(u.info(), n)); b != nil && b.Kind() == types.Bool && t.tainted(u, n.Index) && p.isNew(u, n) {
				p.add(model.SuspectCount, n, "what it does depends on how often it was called")
			}
		case *ast.CallExpr:
			if name := calleeName(u.info(), n); (name == "(*sync.Map).Load" || name == "(*sync.Map).LoadOrStore" || name == "(*sync.Map).Swap") && p.isNew(u, n) {
				p.identityKey(in, n.Args[0], n)
			}
		}
	})
}

func isBinary(e ast.Expr) bool {
	b, ok := e.(*ast.BinaryExpr)
	return ok && b.Op != token.AND && b.Op != token.REM
}

func (p *pair) countsIn(u *unit, t *taint, b *ast.BinaryExpr, stack []ast.Node) {
	if !p.isNew(u, b) {
		return
	}
	fixed := func(e ast.Expr) bool {
		if constantOf(u.info(), e) != nil {
			return true
		}
		id, ok := ast.Unparen(e).(*ast.Ident)
		if !ok {
			return false
		}
		v, ok := u.info().Uses[id].(*types.Var)
		return ok && !isLocal(v) && !v.IsField()
	}
	if !(t.tainted(u, b.X) && fixed(b.Y) || t.tainted(u, b.Y) && fixed(b.X)) {
		return
	}
	switch b.Op {
	case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
		if p.countedBefore(u, b, t.base) {
			return
		}
		p.add(model.SuspectCount, b, "what it does depends on how often it was called")
	case token.REM, token.AND:
		if wideMask(u, b) {
			return
		}
		for _, s := range stack {
			switch s := s.(type) {
			case *ast.IndexExpr:
				return
			case *ast.AssignStmt:
				for _, l := range s.Lhs {
					if o := stateOf(u, l); o != nil && t.counters[o] {
						return // x = (x+1) & mask: the place where it matters is named
					}
				}
			}
		}
		p.add(model.SuspectCount, b, "every so many calls are treated in another way")
	}
}

// wideMask reports whether n & (1<<k - 1) leaves so much of a count that no program sees it come
// again: the bits above hold something else.
func wideMask(u *unit, b *ast.BinaryExpr) bool {
	return b.Op == token.AND && slices.ContainsFunc([]ast.Expr{b.X, b.Y}, func(e ast.Expr) bool {
		v := constantOf(u.info(), e)
		if v == nil || v.Kind() != constant.Int || constant.BitLen(v) < 31 {
			return false
		}
		next := constant.BinaryOp(v, token.ADD, constant.MakeInt64(1))
		return constant.BitLen(next) == constant.BitLen(v)+1 && constant.Sign(v) > 0
	})
}

// countedBefore reports whether the base compares the same state with the same
// constant, or with one next to it: a count that is taken before and not after it is
// compared. Whether a sum is 0 may be asked of each count, where none is negative.
func (p *pair) countedBefore(u *unit, b *ast.BinaryExpr, base *updates) bool {
	names, limit := p.cand.limit(u, b)
	if len(names) != 1 {
		return false
	}
	apart := func(x *ast.BinaryExpr, sum []string, at int64) bool {
		return at == 0 && limit == 0 && x.Op == b.Op && (b.Op == token.EQL || b.Op == token.NEQ || b.Op == token.GTR) && !slices.ContainsFunc(sum, func(s string) bool { return base.falls[s] })
	}
	for _, was := range p.base.sorted() {
		for x := range all[*ast.BinaryExpr](was) {
			also, at := p.base.limit(was, x)
			if comparison(x) && slices.Contains(also, names[0]) && at-limit <= 1 && limit-at <= 1 && (len(also) == 1 || apart(x, also, at)) {
				return true
			}
		}
	}
	return false
}

// limit returns the states whose sum a comparison holds against a whole number, and the
// number; none for any other.
func (p *program) limit(u *unit, b *ast.BinaryExpr) (names []string, n int64) {
	for _, s := range [][2]ast.Expr{{b.X, b.Y}, {b.Y, b.X}} {
		v := constantOf(u.info(), s[1])
		if v == nil || v.Kind() != constant.Int {
			continue
		}
		if n, exact := constant.Int64Val(v); exact {
			return p.addends(u, s[0]), n
		}
	}
	return nil, 0
}

// addends returns the states that an expression is the sum of; none for any other.
func (p *program) addends(u *unit, e ast.Expr) []string {
	if b, ok := ast.Unparen(e).(*ast.BinaryExpr); ok && b.Op == token.ADD {
		x, y := p.addends(u, b.X), p.addends(u, b.Y)
		if x == nil || y == nil {
			return nil
		}
		return append(x, y...)
	}
	o := stateOf(u, e)
	if v := code.Var(u.info(), code.RootIdent(e)); o == nil && v != nil {
		o = begunAs(u, v)
	}
	if o != nil {
		return []string{p.stateName(o)}
	}
	return nil
}

// begunAs returns the state that a local variable is a copy of at first: code that works on a field may do so on a variable,
// which it stores at the end. Nil for others.
func begunAs(u *unit, v *types.Var) types.Object {
	for a := range all[*ast.AssignStmt](u) {
		for i, l := range a.Lhs {
			if id, ok := l.(*ast.Ident); ok && len(a.Lhs) == len(a.Rhs) && u.info().Defs[id] == v {
				return stateOf(u, a.Rhs[i])
			}
		}
	}
	return nil
}

// sameAgain names comparisons of new state with where an input lies or how
// long it is: an input of the same place and length need not be the same.
func (p *pair) sameAgain(u *unit, in *inputs, b *ast.BinaryExpr) {
	if b.Op != token.EQL && b.Op != token.NEQ || !p.isNew(u, b) {
		return
	}
	for _, s := range [][2]ast.Expr{{b.X, b.Y}, {b.Y, b.X}} {
		o, ok := stateOf(u, s[0]).(*types.Var)
		if !ok || constantOf(u.info(), s[1]) != nil {
			continue
		}
		if !p.isNewState(o) && len(p.fresh(u, "write "+p.cand.stateName(o))) == 0 && !isLocal(o) {
			continue
		}
		switch in.identity(s[1]) {
		case "place":
			p.add(model.SuspectCount, b, "asks whether an input lies where the last one lay: its content may differ")
		case "length":
			p.add(model.SuspectCount, b, "asks whether an input is as long as an earlier one: its content may differ")
		}
	}
}

func (p *pair) keyedByIdentity(u *unit, in *inputs, ix *ast.IndexExpr) {
	if _, ok := typeOf(u.info(), ix.X).(*types.Map); !ok || !p.isNew(u, ix) {
		return
	}
	if o, ok := stateOf(u, ix.X).(*types.Var); ok && (p.isNewState(o) || isLocal(o)) {
		p.identityKey(in, ix.Index, ix)
	}
}

func (p *pair) identityKey(in *inputs, key ast.Expr, at ast.Node) {
	switch in.identity(key) {
	case "place":
		p.add(model.SuspectCount, at, "remembers answers by where an input lies: its content may differ the next time")
	case "length":
		p.add(model.SuspectCount, at, "remembers answers by the length of an input: its content may differ the next time")
	}
}
