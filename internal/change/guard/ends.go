package guard

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/internal/rulekit/flow"
)

// ends names what a unit of the base did however a function that it was given ends, and does not any more.
func (p losses) ends(u, old *unit) {
	const caught = "expr recover()"
	if len(old.facts[caught]) > 0 && len(u.facts[caught]) == 0 && p.spare[caught] > 0 {
		p.add(model.SuspectSafeguard, u.fn.Name, u.name+" caught panics in the base, and does not now")
	}
	if !givenFunction(u) {
		return
	}
	was, now := p.base.calledLast(old), p.cand.calledLast(u)
	for c := range all[*ast.CallExpr](u) {
		text := p.cand.text(c)
		if was[text] > now[text] && !deferred(u, c) {
			p.add(model.SuspectSafeguard, c, u.name+" deferred "+text+" in the base, and leaves it out now where a function that it was given panics")
		}
	}
}

// givenFunction reports whether a unit calls a function that is a value.
func givenFunction(u *unit) bool {
	for c := range all[*ast.CallExpr](u) {
		_, lit := ast.Unparen(c.Fun).(*ast.FuncLit)
		if code.Callee(u.info(), c) == nil && !lit && !u.info().Types[c.Fun].IsType() && code.Builtin(u.info(), c) == "" {
			return true
		}
	}
	return false
}

// calledLast counts the calls that a unit defers, by their text.
func (p *program) calledLast(u *unit) map[string]int {
	out := make(map[string]int)
	for d := range all[*ast.DeferStmt](u) {
		out[p.text(d.Call)]++
	}
	return out
}

func deferred(u *unit, c *ast.CallExpr) bool {
	for d := range all[*ast.DeferStmt](u) {
		if d.Pos() <= c.Pos() && c.End() <= d.End() {
			return true
		}
	}
	return false
}

// asks names what a unit of the base asked, and now takes for given: what an error wraps, a context, a clock.
func (p losses) asks(u, old *unit) {
	lost := func(name string) bool {
		return len(u.facts["use "+name]) < len(old.facts["use "+name]) && p.spare["use "+name] > 0
	}
	if lost("errors.Is") || lost("errors.As") {
		if at := p.comparesError(u); at != nil {
			p.add(model.SuspectSafeguard, at, u.name+" asked in the base what an error wraps, too, and compares the error alone now")
		}
	}
	if contexts(u) == 0 && contexts(old) > 0 && p.spare["go"] == 0 {
		p.add(model.SuspectSafeguard, u.fn.Name, u.name+" handed its context on in the base, and does not now")
	}
	still := polls(u) + contexts(u) + selects(u, false)
	if polls(u) < polls(old) && still < polls(old)+contexts(old)+selects(old, false) && p.polls(p.cand) < p.polls(p.base) {
		p.add(model.SuspectSafeguard, u.fn.Name, u.name+" asks its context in fewer places than in the base")
	}
	if clocks(u) >= clocks(old) {
		return
	}
	for _, name := range strings.Fields("Now Since Until Sleep After NewTimer AfterFunc NewTicker Tick") {
		if f := p.fresh(u, "use time."+name); len(f) > 0 {
			p.add(model.SuspectSafeguard, f[0].node, u.name+" asked a clock in the base that may be set, and asks that of the machine now")
			return
		}
	}
}

// comparesError returns a new comparison of an error with one that is not nil, or a new look at its type; nil if there is none.
func (p losses) comparesError(u *unit) ast.Node {
	for e := range all[ast.Expr](u) {
		var x ast.Expr
		switch e := e.(type) {
		case *ast.BinaryExpr:
			if (e.Op == token.EQL || e.Op == token.NEQ) && !u.info().Types[e.Y].IsNil() {
				x = e.X
			}
		case *ast.TypeAssertExpr:
			x = e.X
		}
		if x != nil && code.IsError(u.info().TypeOf(x)) && p.isNew(u, e) {
			return e
		}
	}
	return nil
}

func isContext(t types.Type) bool {
	n, ok := types.Unalias(t).(*types.Named)
	return ok && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == "context" && n.Obj().Name() == "Context"
}

// contexts counts where a unit hands a context on that it was given, or asks it.
func contexts(u *unit) (n int) {
	for id := range all[*ast.Ident](u) {
		if v, ok := u.info().Uses[id].(*types.Var); ok && v.Kind() == types.ParamVar && isContext(v.Type()) {
			n++
		}
	}
	return n
}

// polls counts where a unit asks whether a context has ended, and does not wait for that.
func polls(u *unit) (n int) {
	for _, name := range []string{"(context.Context).Err", "context.Cause"} {
		for _, f := range u.facts["use "+name] {
			if !returned(u, f.node) {
				n++
			}
		}
	}
	return n + selects(u, true)
}

// selects counts the select statements that ask whether something has ended, by a channel of nothing, and go on otherwise, or wait.
func selects(u *unit, goOn bool) (n int) {
	for s := range all[*ast.SelectStmt](u) {
		asks, otherwise := false, false
		for _, c := range s.Body.List {
			comm, _ := c.(*ast.CommClause)
			otherwise = otherwise || comm.Comm == nil
			asks = asks || comm.Comm != nil && code.Any(comm.Comm, func(e *ast.UnaryExpr) bool {
				of, ok := typeOf(u.info(), e.X).(*types.Chan)
				return e.Op == token.ARROW && ok && types.Identical(of.Elem().Underlying(), types.NewStruct(nil, nil))
			})
		}
		if asks && otherwise == goOn {
			n++
		}
	}
	return n
}

func returned(u *unit, n ast.Node) bool {
	for r := range all[*ast.ReturnStmt](u) {
		if r.Pos() <= n.Pos() && n.End() <= r.End() {
			return true
		}
	}
	return false
}

func (p losses) polls(side *program) (n int) {
	for _, u := range side.sorted() {
		n += polls(u)
	}
	return n
}

// clocks counts the calls that are known at run time only of what tells the time or waits.
func clocks(u *unit) (n int) {
	for c := range all[*ast.CallExpr](u) {
		fn := code.Callee(u.info(), c)
		if fn != nil && !code.IsInterfaceMethod(fn) || u.info().Types[c.Fun].IsType() {
			continue
		}
		sig, ok := typeOf(u.info(), c.Fun).(*types.Signature)
		if !ok || fn != nil && !flow.NameMatches("Now Since Until Sleep After NewTimer AfterFunc NewTicker Tick", fn.Name()) {
			continue
		}
		for i := range sig.Results().Len() {
			if ofTime(sig.Results().At(i).Type()) {
				n++
			}
		}
		if sig.Params().Len() > 0 && ofTime(sig.Params().At(0).Type()) {
			n++
		}
	}
	return n
}

// ofTime reports whether a type is a time or a duration.
func ofTime(t types.Type) bool {
	name := types.TypeString(t, nil)
	return name == "time.Time" || name == "time.Duration"
}
