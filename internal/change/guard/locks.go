package guard

import (
	"go/ast"
	"go/types"
	"maps"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// A hold is which lock is held: none, one for reading, or one for writing.
type hold int

const (
	free hold = iota
	forReading
	forWriting
)

// A touch is the least hold under which a function reads a piece of state, and
// under which it writes it; and where.
type touch struct {
	read, write     hold
	reads, writes   bool
	readAt, writeAt ast.Node
}

// narrowerLock names state that a function reads or writes outside a lock now
// and only inside in the base. What nobody writes but the function that makes
// the value needs none.
func (p losses) narrowerLock(u, old *unit) {
	before, after := p.base.touches(old), p.cand.touches(u)
	was, now := before.out, after.out
	if after.path.most > max(before.path.most, 1) && !after.asksAgain() {
		p.add(model.SuspectSafeguard, after.path.at, u.name+" gives the lock back between what the base did under one hold")
	}
	for _, name := range slices.Sorted(maps.Keys(now)) {
		t, b := now[name], was[name]
		if b == nil {
			continue
		}
		if call, ok := strings.CutPrefix(name, called); ok {
			if t.write == forReading && b.write == forWriting {
				p.add(model.SuspectSafeguard, t.writeAt, u.name+" calls "+call+" under a lock for reading, which was one for writing in the base")
			}
			continue
		}
		if !p.everWritten(name) {
			continue
		}
		short := name[strings.LastIndexByte(name, '/')+1:]
		_, short, _ = strings.Cut(short, ".")
		switch {
		case t.writes && b.writes && t.write < b.write && (t.write == free || b.write == forWriting):
			p.add(model.SuspectSafeguard, t.writeAt, u.name+" writes "+short+" outside the lock that it held in the base")
		case t.reads && b.reads && t.read == free && b.read > free:
			p.add(model.SuspectSafeguard, t.readAt, u.name+" reads "+short+" outside the lock that it held in the base")
		}
	}
}

// unguarded names new fields that one exported function writes under a lock and an exported method reads without. Those that
// are atomic by themselves need none. A function may have made what it reads.
func (p losses) unguarded() {
	fresh := make(map[string]bool)
	for v, name := range p.cand.fields {
		if p.cand.mine(v) && !p.base.hasField(name) && !keepsByItself(v.Type()) {
			fresh[name] = true
		}
	}
	if len(fresh) == 0 {
		return
	}
	locked, open := make(map[string]bool), make(map[string]ast.Node)
	for _, u := range p.cand.sorted() {
		if u.fn == nil || !u.fn.Name.IsExported() {
			continue
		}
		for name, t := range p.cand.touches(u).out {
			locked[name] = locked[name] || t.writes && t.write == forWriting
			if t.reads && t.read == free && u.fn.Recv != nil && open[name] == nil {
				open[name] = t.readAt
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(open)) {
		if fresh[name] && locked[name] {
			p.add(model.SuspectSafeguard, open[name], "reads "+name[strings.LastIndexByte(name, '.')+1:]+" without the lock that it is written under")
		}
	}
}

// everWritten reports whether a function of either side writes a piece of state.
func (p losses) everWritten(name string) bool {
	for _, side := range []*program{p.base, p.cand} {
		for _, u := range side.units {
			if !u.init && u.facts["write "+name] != nil {
				return true
			}
		}
	}
	return false
}

// called begins the names of calls among what is touched: of methods that may
// write, and whose code is not known.
const called = "call "

// touches walks a function, and those of the module that it calls. It notes what
// state they touch, and under which hold.
func (p *program) touches(u *unit) *holder {
	w := &holder{p: p, out: make(map[string]*touch), calling: map[*unit]bool{}, path: &way{asked: map[string]int{}}}
	w.function(u, free)
	return w
}

// A way counts how often a function itself takes a lock on one way through it,
// and what it asks under each hold.
type way struct {
	holds, most int
	at          ast.Node       // where the last hold begins
	asked       map[string]int // the set of holds under which an expression is worked out
}

// asksAgain reports whether a later hold asks something that an earlier one did,
// as a check that is made again does.
func (w *holder) asksAgain() bool {
	for _, holds := range w.path.asked {
		if holds&(holds-1) != 0 {
			return true
		}
	}
	return false
}

// A holder walks through a function and keeps count of the lock that is held.
// Which lock it is does not matter.
type holder struct {
	p       *program
	out     map[string]*touch
	calling map[*unit]bool
	path    *way // of the function itself; those that it calls have their own

	u      *unit
	own    map[types.Object]bool
	writes map[string][]ast.Node
	held   hold
}

func (w *holder) function(u *unit, held hold) {
	if u == nil || u.fn == nil || u.fn.Body == nil || w.calling[u] || len(w.calling) > 3 {
		return
	}
	inner := &holder{p: w.p, out: w.out, calling: w.calling, path: &way{asked: map[string]int{}}, u: u, own: ownLocals(u.info(), u.fn), writes: make(map[string][]ast.Node), held: held}
	w.p.writes(u, u.fn, func(o types.Object, at ast.Node) {
		name := w.p.stateName(o)
		inner.writes[name] = append(inner.writes[name], at)
	})
	if len(w.calling) == 0 {
		inner.path = w.path
	}
	w.calling[u] = true
	inner.list(u.fn.Body.List)
	delete(w.calling, u)
}

// list walks statements, and reports whether what follows them is not reached.
func (w *holder) list(list []ast.Stmt) (ended bool) {
	for _, s := range list {
		if w.stmt(s) {
			return true
		}
	}
	return false
}

func (w *holder) stmt(s ast.Stmt) (ended bool) {
	switch s := s.(type) {
	case *ast.ExprStmt:
		if c, ok := s.X.(*ast.CallExpr); ok && w.lockCall(c) {
			return false
		}
		w.visit(s)
		return ends([]ast.Stmt{s})
	case *ast.DeferStmt:
		if !w.unlocks(s) {
			w.visit(s.Call)
		}
	case *ast.GoStmt:
		held := w.held
		w.held = free
		w.visit(s.Call)
		w.held = held
	case *ast.BlockStmt:
		return w.list(s.List)
	case *ast.LabeledStmt:
		return w.stmt(s.Stmt)
	case *ast.IfStmt:
		w.visit(s.Init, s.Cond)
		w.ask(s.Cond)
		var elses []ast.Stmt
		if s.Else != nil {
			elses = []ast.Stmt{s.Else}
		}
		return w.ways([][]ast.Stmt{s.Body.List, elses})
	case *ast.ForStmt:
		w.visit(s.Init, s.Cond, s.Post)
		w.ways([][]ast.Stmt{s.Body.List, nil})
	case *ast.RangeStmt:
		w.visit(s.Key, s.Value, s.X)
		w.ways([][]ast.Stmt{s.Body.List, nil})
	case *ast.SwitchStmt:
		w.visit(s.Init, s.Tag)
		return w.clauses(s.Body)
	case *ast.TypeSwitchStmt:
		w.visit(s.Init, s.Assign)
		return w.clauses(s.Body)
	case *ast.SelectStmt:
		return w.clauses(s.Body)
	case *ast.ReturnStmt, *ast.BranchStmt:
		w.visit(s)
		return true
	default:
		w.visit(s)
	}
	return false
}

func (w *holder) clauses(body *ast.BlockStmt) bool {
	var ways [][]ast.Stmt
	whole := false
	for _, c := range body.List {
		switch c := c.(type) {
		case *ast.CaseClause:
			for _, e := range c.List {
				w.visit(e)
			}
			whole = whole || c.List == nil
			ways = append(ways, c.Body)
		case *ast.CommClause:
			w.visit(c.Comm)
			whole = true
			ways = append(ways, c.Body)
		}
	}
	if !whole {
		ways = append(ways, nil)
	}
	return w.ways(ways)
}

// ways walks alternatives: after them, what the least of them holds is held.
func (w *holder) ways(ways [][]ast.Stmt) (ended bool) {
	before, after, some := w.held, forWriting, false
	holds, most := w.path.holds, w.path.holds
	for _, list := range ways {
		w.held, w.path.holds = before, holds
		if !w.list(list) {
			after, some, most = min(after, w.held), true, max(most, w.path.holds)
		}
	}
	w.path.holds = most
	if w.held = before; some {
		w.held = after
	}
	return !some
}

// lockCall takes in a call that takes a lock or gives it back.
func (w *holder) lockCall(c *ast.CallExpr) bool {
	name := calleeName(w.u.info(), c)
	if w.held == free && isLock(name) {
		if w.path.holds++; w.path.holds > w.path.most {
			w.path.most, w.path.at = w.path.holds, c
		}
	}
	switch {
	case name == "(*sync.RWMutex).RLock":
		w.held = max(w.held, forReading)
	case isLock(name):
		w.held = forWriting
	case isUnlock(w.u.info(), c):
		w.held = free
	default:
		return false
	}
	return true
}

// unlocks reports whether a deferred call gives a lock back, itself or in a
// literal.
func (w *holder) unlocks(s *ast.DeferStmt) bool {
	return code.Any(s.Call, func(c *ast.CallExpr) bool { return isUnlock(w.u.info(), c) })
}

// visit notes what expressions touch.
func (w *holder) visit(nodes ...ast.Node) {
	for _, n := range nodes {
		if n == nil {
			continue
		}
		ast.Inspect(n, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncLit:
				held := w.held
				w.list(n.Body.List)
				w.held = held
				return false
			case *ast.CallExpr:
				w.ask(n)
				w.call(n)
			case *ast.IndexExpr:
				w.ask(n)
			case *ast.SelectorExpr:
				if sel := w.u.info().Selections[n]; sel != nil && sel.Kind() == types.FieldVal {
					if root := code.RootIdent(n); root == nil || !w.own[w.u.info().Uses[root]] {
						w.note(sel.Obj(), n)
					}
				}
			case *ast.Ident:
				if v, ok := w.u.info().Uses[n].(*types.Var); ok && !v.IsField() && !isLocal(v) {
					w.note(v, n)
				}
			}
			return true
		})
	}
}

// ask notes under which hold of the function itself an expression is worked out.
func (w *holder) ask(e ast.Expr) {
	if w.held != free {
		w.path.asked[types.ExprString(e)] |= 1 << min(w.path.holds, 30)
	}
}

// call follows a call into the module. A method of an interface, or one that may
// change what a pointer of another module leads to, counts as a write by itself.
func (w *holder) call(c *ast.CallExpr) {
	name := calleeName(w.u.info(), c)
	if v := w.p.decls[name]; v != nil {
		w.function(v, w.held)
		return
	}
	f, ok := ast.Unparen(c.Fun).(*ast.SelectorExpr)
	if !ok {
		return
	}
	sel := w.u.info().Selections[f]
	if sel == nil || sel.Kind() != types.MethodVal {
		return
	}
	if root := code.RootIdent(f); root == nil || w.own[w.u.info().Uses[root]] {
		return
	}
	if m := (&writer{p: w.p, info: w.u.info()}); types.IsInterface(sel.Recv()) || m.mutates(sel) {
		t := w.touched(called + types.ExprString(f))
		if !t.writes || w.held < t.write {
			t.writes, t.write, t.writeAt = true, w.held, c
		}
	}
}

func (w *holder) touched(name string) *touch {
	t := w.out[name]
	if t == nil {
		t = &touch{read: forWriting, write: forWriting}
		w.out[name] = t
	}
	return t
}

// note keeps the least hold under which a piece of state is touched.
func (w *holder) note(o types.Object, at ast.Node) {
	if !w.p.mine(o) || hasAnyPrefix(strings.TrimPrefix(o.Type().String(), "*"), "sync.", "sync/atomic.", "chan ") {
		return
	}
	name := w.p.stateName(o)
	t := w.touched(name)
	isWrite := slices.ContainsFunc(w.writes[name], func(n ast.Node) bool { return n.Pos() <= at.Pos() && at.End() <= n.End() })
	switch {
	case isWrite && (!t.writes || w.held < t.write):
		t.writes, t.write, t.writeAt = true, w.held, at
	case !isWrite && (!t.reads || w.held < t.read):
		t.reads, t.read, t.readAt = true, w.held, at
	}
}
