package guard

import (
	"go/ast"
	"go/types"
	"maps"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
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
	was, now := p.base.touches(old), p.cand.touches(u)
	for _, name := range slices.Sorted(maps.Keys(now)) {
		t, b := now[name], was[name]
		if b == nil || !p.everWritten(name) {
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

// touches returns what state of the module a function touches, and under which
// hold: by itself, and in functions of the module that it calls.
func (p *program) touches(u *unit) map[string]*touch {
	w := &holder{p: p, out: make(map[string]*touch), calling: map[*unit]bool{}}
	w.function(u, free)
	return w.out
}

// A holder walks through a function and keeps count of the lock that is held.
// Which lock it is does not matter.
type holder struct {
	p       *program
	out     map[string]*touch
	calling map[*unit]bool

	u      *unit
	own    map[types.Object]bool
	writes map[string][]ast.Node
	held   hold
}

func (w *holder) function(u *unit, held hold) {
	if u == nil || u.fn == nil || u.fn.Body == nil || w.calling[u] || len(w.calling) > 3 {
		return
	}
	inner := &holder{p: w.p, out: w.out, calling: w.calling, u: u, own: ownLocals(u.info(), u.fn), writes: make(map[string][]ast.Node), held: held}
	w.p.writes(u, u.fn, func(o types.Object, at ast.Node) {
		name := w.p.stateName(o)
		inner.writes[name] = append(inner.writes[name], at)
	})
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
	for _, list := range ways {
		w.held = before
		if !w.list(list) {
			after, some = min(after, w.held), true
		}
	}
	if w.held = before; some {
		w.held = after
	}
	return !some
}

// lockCall takes in a call that takes a lock or gives it back.
func (w *holder) lockCall(c *ast.CallExpr) bool {
	switch name := calleeName(w.u.info(), c); {
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
	found := false
	ast.Inspect(s.Call, func(n ast.Node) bool {
		c, ok := n.(*ast.CallExpr)
		found = found || ok && isUnlock(w.u.info(), c)
		return !found
	})
	return found
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
				if v := w.p.decls[calleeName(w.u.info(), n)]; v != nil {
					w.function(v, w.held)
				}
			case *ast.SelectorExpr:
				if sel := w.u.info().Selections[n]; sel != nil && sel.Kind() == types.FieldVal {
					if root := rootIdent(n); root == nil || !w.own[w.u.info().Uses[root]] {
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

// note keeps the least hold under which a piece of state is touched.
func (w *holder) note(o types.Object, at ast.Node) {
	if !w.p.mine(o) || hasAnyPrefix(strings.TrimPrefix(o.Type().String(), "*"), "sync.", "sync/atomic.", "chan ") {
		return
	}
	name := w.p.stateName(o)
	t := w.out[name]
	if t == nil {
		t = &touch{read: forWriting, write: forWriting}
		w.out[name] = t
	}
	isWrite := slices.ContainsFunc(w.writes[name], func(n ast.Node) bool { return n.Pos() <= at.Pos() && at.End() <= n.End() })
	switch {
	case isWrite && (!t.writes || w.held < t.write):
		t.writes, t.write, t.writeAt = true, w.held, at
	case !isWrite && (!t.reads || w.held < t.read):
		t.reads, t.read, t.readAt = true, w.held, at
	}
}
