package guard

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/internal/rulekit/flow"
)

// steps counts how a unit touches a piece of state: in one atomic step that reads and writes, in an atomic
// step that does one of them, and plainly.
type steps struct {
	whole, half, plain int
	at                 ast.Node // the last that is no whole step
}

// wholeSteps are the operations of package atomic that read and write.
const wholeSteps = "Add* CompareAndSwap* Swap* And* Or*"

// steps returns how a unit touches each piece of state that outlives its calls, by name.
func (p *program) steps(u *unit) map[string]*steps {
	out, atomics := make(map[string]*steps), make(map[ast.Node]bool)
	of := func(o types.Object) *steps {
		name := p.stateName(o)
		if out[name] == nil {
			out[name] = &steps{}
		}
		return out[name]
	}
	for c := range all[*ast.CallExpr](u) {
		x, op := atomicStep(u.info(), c)
		o := namedState(u.info(), x)
		if o == nil {
			continue
		}
		for n := range code.All[ast.Node](x) {
			atomics[n] = true
		}
		if s := of(o); flow.NameMatches(wholeSteps, op) {
			s.whole++
		} else {
			s.half++
			s.at = c
		}
	}
	for e := range all[ast.Expr](u) {
		if o := namedState(u.info(), e); o != nil && !atomics[e] {
			s := of(o)
			s.plain++
			s.at = e
		}
	}
	return out
}

// atomicStep returns what an operation of package atomic works on, and its name; nil for other calls.
func atomicStep(info *types.Info, c *ast.CallExpr) (x ast.Expr, op string) {
	fn := code.Callee(info, c)
	if fn == nil || fn.Pkg() == nil || fn.Pkg().Path() != "sync/atomic" {
		return nil, ""
	}
	if sel, ok := ast.Unparen(c.Fun).(*ast.SelectorExpr); ok && fn.Signature().Recv() != nil {
		return sel.X, fn.Name()
	}
	if len(c.Args) > 0 {
		if a, ok := ast.Unparen(c.Args[0]).(*ast.UnaryExpr); ok && a.Op == token.AND {
			return a.X, fn.Name()
		}
	}
	return nil, ""
}

// namedState returns the field or package variable that an expression names, nil for others.
func namedState(info *types.Info, e ast.Expr) types.Object {
	switch e := e.(type) {
	case *ast.SelectorExpr:
		if v, ok := info.Uses[e.Sel].(*types.Var); ok {
			return v
		}
	case *ast.Ident:
		if v, ok := info.Uses[e].(*types.Var); ok && !v.IsField() && !isLocal(v) {
			return v
		}
	}
	return nil
}

// looser names state that a unit touched in one atomic step in the base, and touches in several now, or plainly.
// A lock that is new there may do as well.
func (p losses) looser(u, old *unit) {
	if u.has(isLock) && !old.has(isLock) {
		return
	}
	was, now := p.base.steps(old), p.cand.steps(u)
	for _, name := range slices.Sorted(maps.Keys(now)) {
		n, b := now[name], was[name]
		short := name[strings.LastIndexByte(name, '.')+1:]
		switch {
		case b == nil || b.whole+b.half == 0:
		case n.plain > b.plain && n.whole+n.half < b.whole+b.half:
			p.add(model.SuspectSafeguard, n.at, u.name+" touches "+short+" plainly, which it did atomically in the base")
		case n.whole < b.whole && n.half > b.half:
			p.add(model.SuspectSafeguard, n.at, u.name+" does in several steps with "+short+" what was one atomic step in the base")
		}
	}
}

// later names state that is written after others are told, and was written before that in the base: who is told may
// read it at once.
func (p losses) later(u, old *unit) {
	was, now := p.base.tells(old), p.cand.tells(u)
	for _, key := range slices.Sorted(maps.Keys(now)) {
		w, told, _ := strings.Cut(key, " after ")
		if before := told + " after " + w; was[before] != nil && now[before] == nil && was[key] == nil {
			p.add(model.SuspectSafeguard, now[key], u.name+" writes "+w[strings.LastIndexByte(w, '.')+1:]+" after "+told+", and did so before in the base")
		}
	}
}

// tells returns which statements of one block, that write state or tell other goroutines something, follow
// which others, as "a after b".
func (p *program) tells(u *unit) map[string]ast.Node {
	out := make(map[string]ast.Node)
	for b := range all[*ast.BlockStmt](u) {
		var told, wrote []string
		for _, s := range b.List {
			if t := p.teller(u, s); t != "" {
				for _, w := range wrote {
					out[t+" after "+w] = s
				}
				told = append(told, t)
				continue
			}
			a, ok := s.(*ast.AssignStmt)
			if !ok {
				continue
			}
			for _, l := range a.Lhs {
				if o := namedState(u.info(), ast.Unparen(l)); o != nil {
					wrote = append(wrote, p.stateName(o))
					for _, t := range told {
						out[p.stateName(o)+" after "+t] = s
					}
				}
			}
		}
	}
	return out
}

// teller returns the text of a statement that lets other goroutines go on, "" for others.
func (p *program) teller(u *unit, s ast.Stmt) string {
	switch s := s.(type) {
	case *ast.SendStmt:
		return "a send to " + types.ExprString(s.Chan)
	case *ast.GoStmt:
		return "the start of a goroutine"
	case *ast.ExprStmt:
		c, ok := s.X.(*ast.CallExpr)
		if !ok {
			return ""
		}
		name := calleeName(u.info(), c)
		if code.IsBuiltin(u.info(), c, "close") || name == "(*"+condSignal || name == "(*"+condBroadcast || name == "(*sync.WaitGroup).Done" || strings.HasPrefix(name, "sync/atomic.Store") || strings.HasPrefix(name, "(*sync/atomic.") && strings.HasSuffix(name, ".Store") {
			return p.text(s)
		}
	}
	return ""
}
