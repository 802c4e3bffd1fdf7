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

// A whose tells what names a slice that is a field, or an entry of a map.
type whose struct {
	field *types.Var // that the slice or the map is, nil where it is none
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
	if sel, ok := ast.Unparen(w.named).(*ast.SelectorExpr); ok && info.Selections[sel] != nil {
		w.field, _ = info.Uses[sel.Sel].(*types.Var)
	}
	return w
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
	sel, ok := ast.Unparen(e).(*ast.SelectorExpr)
	if !ok {
		return false
	}
	v, ok := info.Uses[sel.Sel].(*types.Var)
	return ok && v.IsField() && v.Pos() == w.field.Pos() && v.Name() == w.field.Name()
}

// shows says where code tells how much room the slice has, or what has its memory as well: it asks for the capacity, or
// append, or a function that appends, makes something other than the slice itself of it. Of a field, and of the entries of
// a map that is one, all code that was loaded is looked at, and else the function.
func (c counter) shows() *prove.Reason {
	w := c.whose()
	if v := code.Var(c.fn.Info(), c.to); v != nil {
		return c.told(w, c.fn.File, c.p.FlowOf(c.fn, v))
	}
	giving := map[*types.Func]bool{}
	if w.field == nil {
		return c.shownIn(w, c.fn.File, c.fn.Decl.Body, giving)
	}
	type question struct {
		field token.Pos
		entry bool
	}
	return prove.Remember(c.p, question{w.field.Pos(), w.entry}, func() *prove.Reason {
		for range 2 { // once more, for what functions return
			for _, k := range c.p.Packages {
				for _, f := range k.Files {
					if why := c.shownIn(w, f, f.Syntax, giving); why != nil {
						return why
					}
				}
			}
		}
		return nil
	})
}

// shownIn follows what names the slice in a piece of syntax, and what calls give of functions that return it. It notes such
// functions.
func (c counter) shownIn(w whose, f *prove.File, in ast.Node, giving map[*types.Func]bool) *prove.Reason {
	info := f.Pkg.TypesInfo
	var fns []*prove.Function
	flows := map[*prove.Function]*flow.Flow{} // all that a function has of the slice is looked at together
	for n := range code.All[ast.Node](in) {
		if !c.reads(w, f, n, giving) {
			continue
		}
		fn := c.p.FunctionAt(c.p.Pos(n.Pos()))
		if fn == nil {
			continue
		}
		fl := flows[fn]
		if fl == nil {
			fl = c.p.Flow(fn)
			flows[fn], fns = fl, append(fns, fn)
		}
		if v := given(info, f, n); v != nil {
			fl.Track(v)
		} else if e, ok := n.(ast.Expr); ok {
			fl.Expr(e)
		}
	}
	for _, fn := range fns {
		fl := flows[fn]
		fl.Drain()
		if why := c.told(w, f, fl); why != nil {
			return why
		}
		if fl.Results != 0 {
			giving[fn.Obj] = true
		}
	}
	return nil
}

// reads reports whether a node reads the slice, ranges over the map that it is an entry of, or calls a function that gives it.
func (c counter) reads(w whose, f *prove.File, n ast.Node, giving map[*types.Func]bool) bool {
	info := f.Pkg.TypesInfo
	switch n := n.(type) {
	case *ast.RangeStmt:
		return w.entry && w.names(info, n.X)
	case *ast.CallExpr:
		return giving[code.Callee(info, n)]
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
	if a, ok := f.Parent(n).(*ast.AssignStmt); ok && len(a.Lhs) == 2 && len(a.Rhs) == 1 {
		return code.Var(info, a.Lhs[0])
	}
	return nil
}

func (c counter) told(w whose, f *prove.File, fl *flow.Flow) *prove.Reason {
	return c.p.ShowsRoom(f, fl, func(to ast.Expr) bool { return w.is(f.Pkg.TypesInfo, to) })
}
