package guard

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// copies asks where the base handed on a copy of memory, and the change hands on the memory itself.
type copies struct {
	*pair
	was, now *origins
}

func newCopies(p *pair) copies { return copies{p, newOrigins(p.base), newOrigins(p.cand)} }

// gone names a place where a function hands on memory that is not its own, to what may keep or change it, and did
// not in the base, where it made a copy of memory of that type. What drives both sides cannot see it: who gets the
// memory is known at run time only, or uses it after the call. It does see what a result shares memory with.
func (p copies) gone(u *unit) {
	old := p.base.units[u.key]
	if old == nil || u.fn == nil || old.fn == nil || u.fn.Body == nil || old.fn.Body == nil || u.obj == nil || old.obj == nil {
		return
	}
	made := p.was.copied(old)
	if len(made) == 0 {
		return
	}
	still := p.now.copied(u)
	had := make(map[string]int)
	for _, h := range p.was.handings(old) {
		if p.was.origin(old).lent(h) {
			had[h.to+" "+h.typ]++
		}
	}
	for _, h := range p.now.handings(u) {
		key := h.to + " " + h.typ
		if isReturn(h.to) || made[h.typ] <= still[h.typ] || !p.now.origin(u).lent(h) {
			continue
		}
		if had[key]--; had[key] < 0 {
			p.add(model.SuspectSafeguard, h.what, u.name+" made a copy in the base, and now hands on the memory itself: "+h.why)
		}
	}
}

// copied counts the copies of memory that a function makes, by the type of what they make.
func (o *origins) copied(u *unit) map[string]int {
	g, out := o.origin(u), make(map[string]int)
	for n := range code.All[ast.Node](u.fn.Body) {
		if typ := g.copies(n); typ != "" {
			out[typ]++
		}
	}
	return out
}

var copierName = code.Set("slices.Clone", "bytes.Clone", "maps.Clone", "slices.Concat", "slices.Collect", "slices.Sorted")

// copies returns the type of the copy that a node makes of memory, "" where it makes none.
func (g *origin) copies(n ast.Node) string {
	info := g.u.info()
	switch n := n.(type) {
	case *ast.UnaryExpr:
		if n.Op == token.AND && g.holdsCopy(code.Var(info, n.X)) {
			return memoryType(info.TypeOf(n))
		}
	case *ast.AssignStmt: // element by element
		for i, l := range n.Lhs {
			ix, ok := ast.Unparen(l).(*ast.IndexExpr)
			if ok && len(n.Lhs) == len(n.Rhs) && g.own(ix.X) && !g.own(n.Rhs[i]) && g.Loop(n) != nil {
				return memoryType(info.TypeOf(ix.X))
			}
		}
	case *ast.CallExpr:
		return g.copyCall(n)
	}
	return ""
}

func (g *origin) copyCall(c *ast.CallExpr) string {
	info := g.u.info()
	typ := memoryType(info.TypeOf(c))
	if info.Types[c.Fun].IsType() {
		from, to := info.TypeOf(c.Args[0]), info.TypeOf(c)
		if code.IsString(from) != code.IsString(to) && info.Types[c.Args[0]].Value == nil {
			return typ + memoryTypeOfText(from, to)
		}
		return ""
	}
	switch code.Builtin(info, c) {
	case "":
	case "append":
		if len(c.Args) > 1 && g.own(c.Args[0]) && (c.Ellipsis.IsValid() || g.Loop(c) != nil && g.ranged(c.Args[1])) {
			return typ
		}
		return ""
	case "copy":
		if g.own(c.Args[0]) {
			return memoryType(info.TypeOf(c.Args[0]))
		}
		return ""
	default:
		return ""
	}
	name := calleeName(info, c)
	if copierName[name] {
		return typ
	}
	fn := code.Callee(info, c)
	if fn == nil || typ == "" {
		return ""
	}
	if name := strings.ToLower(fn.Name()); strings.Contains(name, "clone") || strings.Contains(name, "copy") {
		return typ
	}
	return ""
}

// memoryTypeOfText is the type of bytes that become a text.
func memoryTypeOfText(from, to types.Type) string {
	if code.IsString(to) {
		return memoryType(from)
	}
	return ""
}

// own reports whether memory was made in this function.
func (g *origin) own(e ast.Expr) bool {
	for o := range g.roots(e) {
		if o.foreign() {
			return false
		}
	}
	return true
}

// ranged reports whether an expression is the value of a range loop.
func (g *origin) ranged(e ast.Expr) bool {
	v := code.Var(g.u.info(), e)
	return v != nil && slices.ContainsFunc(g.given[v], func(s given) bool {
		r, ok := g.Parent(s.from).(*ast.RangeStmt)
		return ok && r.X == s.from
	})
}

// holdsCopy reports whether a local variable is a struct that was read from memory.
func (g *origin) holdsCopy(v *types.Var) bool {
	if v == nil || !isLocal(v) {
		return false
	}
	if _, ok := v.Type().Underlying().(*types.Struct); !ok {
		return false
	}
	return slices.ContainsFunc(g.given[v], func(s given) bool {
		switch x := ast.Unparen(s.from).(type) {
		case *ast.CompositeLit, *ast.CallExpr:
			return false
		default:
			return x != nil
		}
	})
}
