package detours

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/internal/rulekit/effects"
)

// element returns the name of the element that s[i] or s[j] is, "" for anything else.
func (o *order) element(e ast.Expr) string {
	x, ok := e.(*ast.IndexExpr)
	if !ok || !code.SameVariable(o.fn.Info(), x.X, o.slice) && (o.also == nil || !prove.IsUseOf(o.fn.Info(), x.X, o.also)) {
		return ""
	}
	switch {
	case prove.IsUseOf(o.fn.Info(), x.Index, o.i):
		return o.a
	case prove.IsUseOf(o.fn.Info(), x.Index, o.j):
		return o.b
	}
	return ""
}

// text is an expression with the names of the elements in it.
func (o *order) text(e ast.Expr) string { return o.render(e, o.a, o.b) }

// mirrored reports whether r is of one element what l is of the other.
func (o *order) mirrored(l, r ast.Expr) bool {
	return o.mentions(l) && o.render(l, o.a, o.b) == o.render(r, o.b, o.a) && o.text(l) != o.text(r)
}

func (o *order) render(e ast.Expr, a, b string) string {
	f, out, at := o.fn.File, &strings.Builder{}, o.p.Offset(e.Pos())
	put := func(n ast.Node, name string) {
		out.Write(f.Src[at:o.p.Offset(n.Pos())])
		out.WriteString(name)
		at = o.p.Offset(n.End())
	}
	names := map[string]string{o.a: a, o.b: b}
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.IndexExpr:
			if name := o.element(n); name != "" {
				put(n, names[name])
				return false
			}
		case *ast.Ident:
			if name := names[n.Name]; name != "" && o.local(n) {
				put(n, name)
			} else if value := o.values[o.fn.Info().Uses[n]]; value != nil {
				text := o.render(value, a, b)
				if _, binary := value.(*ast.BinaryExpr); binary && ast.Expr(n) != e {
					text = "(" + text + ")"
				}
				put(n, text)
			}
		}
		return true
	})
	out.Write(f.Src[at:o.p.Offset(e.End())])
	return out.String()
}

// local reports whether an identifier is a variable, and no field or method.
func (o *order) local(id *ast.Ident) bool {
	v, ok := o.fn.Info().Uses[id].(*types.Var)
	return ok && !v.IsField()
}

// mentions reports whether an expression depends on the elements.
func (o *order) mentions(e ast.Expr) bool {
	return code.Any(e, func(id *ast.Ident) bool {
		obj := o.fn.Info().Uses[id]
		return obj == o.i || obj == o.j || o.also != nil && obj == o.also || o.values[obj] != nil || o.local(id) && (id.Name == o.a || id.Name == o.b)
	})
}

// equality returns the operands of l == r or l != r, where that is to be neither more
// nor less: moments may be the same and differ in their place.
func (o *order) equality(e ast.Expr, op token.Token) (l, r ast.Expr, ok bool) {
	b, ok := ast.Unparen(e).(*ast.BinaryExpr)
	if !ok || b.Op != op {
		return nil, nil, false
	}
	_, basic := o.fn.Info().TypeOf(b.X).Underlying().(*types.Basic)
	return b.X, b.Y, basic
}

// same reports whether a comparison is of the keys l and r, in this order or turned
// round.
func (o *order) same(c *comparison, l, r ast.Expr) bool {
	cl, cr, tl, tr := o.text(c.l), o.text(c.r), o.text(l), o.text(r)
	return cl == tl && cr == tr || cl == tr && cr == tl
}

// readable says why a key cannot be taken of a copy of the element; quiet says that what it
// calls must not be noticed, since it would be called more or less often.
func (o *order) readable(e ast.Expr, quiet bool) *prove.Reason {
	info := o.fn.Info()
	var why *prove.Reason
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.IndexExpr:
			if o.element(n) != "" {
				return false
			}
		case *ast.Ident:
			if obj := info.Uses[n]; obj == o.i || obj == o.j {
				why = prove.Refuse(n.Name + " is not only an index of " + types.ExprString(o.slice))
			} else if o.also != nil && obj == o.also {
				why = prove.Refuse(n.Name + " is used as a whole")
			} else if value := o.values[obj]; value != nil {
				why = o.readable(value, quiet)
			}
		case *ast.SliceExpr:
			if n != e && code.May[*types.Array](info.TypeOf(n.X)) {
				why = prove.Refuse(types.ExprString(n) + " is handed on, which would be a part of a copy")
			}
		case *ast.FuncLit:
			why = prove.Refuse("a function literal is called to compare")
		case *ast.UnaryExpr:
			if n.Op == token.AND || n.Op == token.ARROW {
				why = prove.Refuse(types.ExprString(n) + " does more than read")
			}
		case *ast.CallExpr:
			why = o.called(n, quiet)
		}
		return why == nil
	})
	return why
}

// called says why a call cannot be made on copies of the elements.
func (o *order) called(call *ast.CallExpr, quiet bool) *prove.Reason {
	info := o.fn.Info()
	if info.Types[call.Fun].IsType() || code.Builtin(info, call) == "len" {
		return nil
	}
	fn := code.Callee(info, call)
	if fn == nil || fn.Pkg() == nil {
		return prove.Refuse(types.ExprString(call.Fun) + " is not known: it may write to the slice")
	}
	if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok && code.Addressing(info, sel) {
		return prove.Refuse(types.ExprString(call.Fun) + " is given the address of an element, which would be that of a copy")
	}
	if effects.Computes(fn) {
		return nil
	}
	if quiet {
		return prove.Refuse(types.ExprString(call) + " may do something, and would be called less often, or in another order")
	}
	if name := code.CallName(fn); !slices.Contains(o.calls, name) {
		o.calls = append(o.calls, name)
	}
	return nil
}
