package sizes

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/internal/rulekit/flow"
)

// A whose tells what names a slice that is a field or a package variable, or an entry of a map.
type whose struct {
	field *types.Var // that the slice or the map is, or the package variable, nil where it is none
	named ast.Expr   // the slice or the map
	entry bool
}

func (c counter) whose() (w whose) {
	info := c.fn.Info()
	if w.named, _ = mapElement(info, c.to); w.named != nil {
		w.entry = true
	} else {
		w.named = c.to
	}
	w.field = named(info, w.named)
	return w
}

// named returns the field or package variable that an expression is, nil for others.
func named(info *types.Info, e ast.Expr) *types.Var {
	if sel, ok := ast.Unparen(e).(*ast.SelectorExpr); ok {
		v, _ := info.Uses[sel.Sel].(*types.Var)
		return v
	}
	if v := code.Var(info, e); v != nil && !code.Local(v) && !v.IsField() {
		return v
	}
	return nil
}

// is reports whether an expression names the slice, or an entry of the same map.
func (w whose) is(info *types.Info, e ast.Expr) bool {
	if w.entry {
		if e, _ = mapElement(info, e); e == nil {
			return false
		}
	}
	return w.names(info, e)
}

// names reports whether an expression is the slice, or the map. It may be of another check of the field's package.
func (w whose) names(info *types.Info, e ast.Expr) bool {
	if w.field == nil {
		return code.SameVariable(info, e, w.named)
	}
	v := named(info, e)
	return v != nil && v.Pos() == w.field.Pos() && v.Name() == w.field.Name()
}

// shows says where code tells how much room the slice has, or what has its memory as well: it asks for the capacity, or
// append, or a function that appends, makes something other than the slice itself of it. Of a field or a package variable, and of
// the entries of a map that is one, all code that was loaded is looked at, and else the function.
func (c counter) shows() *prove.Reason {
	w := c.whose()
	if v := code.Var(c.fn.Info(), c.to); v != nil && w.field == nil {
		fl := c.flow(c.fn)
		fl.Track(v)
		fl.Drain()
		return c.told(w, c.fn, fl, nil)
	}
	if w.field == nil {
		return c.shownIn(w, c.fn.File, c.fn.Decl.Body, newSharing())
	}
	if why := prove.Promoting(w.field); why != nil {
		return why
	}
	type question struct {
		field token.Pos
		entry bool
	}
	return prove.Remember(c.p, question{w.field.Pos(), w.entry}, func() *prove.Reason {
		all := newSharing()
		for all.more = true; all.more; { // once more, for what functions return, are given and do
			all.more = false
			for _, k := range c.p.Packages {
				for _, f := range k.Files {
					if why := c.shownIn(w, f, f.Syntax, all); why != nil {
						return why
					}
				}
			}
		}
		return nil
	})
}

// A sharing is what was found of functions that have to do with the slice.
type sharing struct {
	giving map[*types.Func]uint64 // they return it: which results, as bits
	given  map[*prove.Function][]*types.Var
	adds   map[*types.Func]bool // to a slice that others may know
	writes map[*types.Func]bool // elements, or cut it
	more   bool                 // something was found of a function since this was reset
}

func newSharing() *sharing {
	return &sharing{map[*types.Func]uint64{}, map[*prove.Function][]*types.Var{}, map[*types.Func]bool{}, map[*types.Func]bool{}, false}
}

// shownIn follows what names the slice in a piece of syntax, and what calls give of functions that return it. It notes such
// functions, and what else they do with it.
func (c counter) shownIn(w whose, f *prove.File, in ast.Node, all *sharing) *prove.Reason {
	info := f.Pkg.TypesInfo
	var fns []*prove.Function
	flows := map[*prove.Function]*flow.Flow{} // all that a function has of the slice is looked at together
	of := func(fn *prove.Function) *flow.Flow {
		if flows[fn] == nil {
			flows[fn], fns = c.flow(fn), append(fns, fn)
		}
		return flows[fn]
	}
	for fn, params := range all.given {
		for _, v := range params {
			if fn.File == f {
				of(fn).Track(v)
			}
		}
	}
	for n := range code.All[ast.Node](in) {
		if !c.reads(w, f, n, all.giving) {
			continue
		}
		fn := c.p.FunctionAt(c.p.Pos(n.Pos()))
		if fn == nil {
			continue
		}
		if v := given(info, f, n); v != nil {
			of(fn).Track(v)
		} else if call, ok := n.(*ast.CallExpr); ok {
			of(fn).Given(call, all.giving[code.Callee(info, call)])
		} else if e, ok := n.(ast.Expr); ok {
			of(fn).Expr(e)
		}
	}
	for _, fn := range fns {
		fl := flows[fn]
		fl.Drain()
		if why := c.told(w, fn, fl, all); why != nil {
			return why
		}
	}
	return nil
}

// reads reports whether a node reads the slice, ranges over the map that it is an entry of, or calls a function that gives it.
func (c counter) reads(w whose, f *prove.File, n ast.Node, giving map[*types.Func]uint64) bool {
	info := f.Pkg.TypesInfo
	switch n := n.(type) {
	case *ast.RangeStmt:
		return w.entry && w.names(info, n.X)
	case *ast.CallExpr:
		return giving[code.Callee(info, n)] != 0
	case ast.Expr:
		a, ok := f.Parent(n).(*ast.AssignStmt)
		return w.is(info, n) && !(ok && slices.Contains(a.Lhs, n))
	}
	return false
}

// given returns the variable that a node gives the slice to: the value of a range statement, and v in v, ok := m[k].
func given(info *types.Info, f *prove.File, n ast.Node) *types.Var {
	if r, ok := n.(*ast.RangeStmt); ok {
		return code.Var(info, r.Value)
	}
	_, call := n.(*ast.CallExpr)
	if a, ok := f.Parent(n).(*ast.AssignStmt); ok && !call && len(a.Lhs) == 2 && len(a.Rhs) == 1 {
		return code.Var(info, a.Lhs[0])
	}
	return nil
}

// flow follows memory into literals as well, whenever they run.
func (c counter) flow(fn *prove.Function) *flow.Flow {
	fl := c.p.Flow(fn)
	fl.Now = func(*ast.FuncLit) bool { return true }
	return fl
}

// told looks at what a function has of the slice, and notes it.
func (c counter) told(w whose, fn *prove.Function, fl *flow.Flow, all *sharing) *prove.Reason {
	s := &prove.Shared{File: fn.File, Flow: fl, Is: func(to ast.Expr) bool { return w.is(fn.Info(), to) }}
	if all != nil {
		all.note(c.p, w, fn, s)
		s.Adds, s.Writes = all.leads(c.p, fn, all.adds), all.leads(c.p, fn, all.writes)
	}
	return c.p.ShowsRoom(s)
}

func (all *sharing) note(p *prove.Program, w whose, fn *prove.Function, s *prove.Shared) {
	giving, adds, writes := all.giving[fn.Obj], all.adds[fn.Obj], all.writes[fn.Obj]
	all.giving[fn.Obj] |= s.Flow.Results
	for _, h := range s.Flow.Calls {
		to := p.Function(h.Fn)
		if to == nil || code.IsInterfaceMethod(h.Fn) || h.Index < 0 || slices.Contains(s.Flow.Extends, h.Call) {
			continue // what extends it gives it back
		}
		if v := to.Obj.Signature().Params().At(h.Index); !slices.Contains(all.given[to], v) {
			all.given[to], all.more = append(all.given[to], v), true
		}
	}
	all.adds[fn.Obj] = all.adds[fn.Obj] || slices.ContainsFunc(s.Flow.Extends, func(call *ast.CallExpr) bool { return !w.fresh(fn, call) })
	all.writes[fn.Obj] = all.writes[fn.Obj] || s.ChangesElements()
	all.more = all.more || giving != all.giving[fn.Obj] || adds != all.adds[fn.Obj] || writes != all.writes[fn.Obj]
}

// fresh reports whether a call appends to the slice of a struct that the function has made.
func (w whose) fresh(fn *prove.Function, call *ast.CallExpr) bool {
	to := flow.Extended(fn.Info(), call)
	if w.entry && to != nil {
		to, _ = mapElement(fn.Info(), to)
	}
	sel, ok := ast.Unparen(to).(*ast.SelectorExpr)
	return ok && fn.Fresh(sel.X)
}

// leads tells which calls of a function come to one of some others.
func (all *sharing) leads(p *prove.Program, fn *prove.Function, to map[*types.Func]bool) func(*ast.CallExpr) bool {
	return func(call *ast.CallExpr) bool {
		return p.Runs(fn, call, func(called *prove.Function) bool { return to[called.Obj] })
	}
}
