package text

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

// hoist finds the operands that must be evaluated before anything is written:
// they might panic, be changed by what is written before, or change it. Where
// one calls what may have an effect, all go with it, so that their order stays.
func (w *formatWriter) hoist() *prove.Reason {
	fresh := w.kind.fresh() // a panic leaves nothing behind, and no operand knows the destination
	alone := len(w.pieces) == 1 && w.kind == toSlice && w.ownVariable(w.dst)
	var first, all []ast.Expr
	calm := true
	for _, f := range w.pieces {
		if why := w.mayBeNil(f); why != nil && !fresh {
			return why
		}
		if f.bytes && !fresh {
			return prove.Refuse(types.ExprString(f.operands[0]) + " may be a part of the destination")
		}
		for _, e := range f.operands {
			again := prove.Retyped(w.fn.Info(), e)
			if w.fn.Info().Types[e].Value != nil || alone && !again && !f.variable {
				continue
			}
			calm = calm && w.calm(e) && !again
			if len(w.pieces) > 1 && !fresh && !w.steady(e) || (f.stands() && !plainPath(e) || f.variable && !plainPath(e)) {
				first = append(first, e)
			}
			if !w.ownVariable(e) {
				all = append(all, e)
			}
		}
	}
	if !calm {
		if len(w.pieces) > 1 && slices.ContainsFunc(w.pieces, func(f formatPiece) bool { return f.loop }) {
			return prove.Refuse("another operand may change what is joined")
		}
		first = all
	}
	if len(first) > 0 && w.stmt == nil {
		return prove.Refuse("its operands are not plain variables, and there is no statement before which they could be evaluated")
	}
	for _, e := range first {
		if w.names[e] == "" { // what fills up to a width has the same operand
			w.names[e] = w.freeName(e)
		}
	}
	return nil
}

// mayBeNil says why calling a method would panic after a part has been written.
func (w *formatWriter) mayBeNil(f formatPiece) *prove.Reason {
	if len(w.pieces) == 1 || !strings.HasPrefix(f.append, "$1.") {
		return nil
	}
	pure, x := &prove.Purity{Prog: w.p, Fn: w.fn, Call: w.call}, ast.Unparen(f.operands[0])
	if !pure.IsPointer(x) {
		return nil
	}
	if id, ok := x.(*ast.Ident); ok && pure.Stable(id) && pure.Before(x) {
		return nil
	}
	return prove.Refuse(types.ExprString(x) + " may be nil, which would show after a part has been written")
}

// calm reports whether evaluating e calls nothing that could know the
// destination.
func (w *formatWriter) calm(e ast.Expr) bool {
	info := w.fn.Info()
	return !code.Any(e, func(n ast.Expr) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return true
		case *ast.UnaryExpr:
			return n.Op == token.ARROW
		case *ast.CallExpr:
			fn := code.Callee(info, n)
			if b := code.Builtin(info, n); info.Types[n.Fun].IsType() || b == "len" || b == "cap" || b == "min" || b == "max" {
				return false
			}
			return fn == nil || !effects.Computes(fn) && (fn.Pkg() == nil || fn.Pkg().Path() != "time" || fn.Name() == "Sleep" || code.TakesFunction(fn))
		}
		return false
	})
}

// steady reports whether e cannot panic and has the same value after a part
// of the text has been written.
func (w *formatWriter) steady(e ast.Expr) bool {
	info := w.fn.Info()
	head := w.pieces[0].operands
	if len(head) == 1 && e == head[0] && w.calm(e) {
		return true // it is evaluated before anything is written
	}
	pure := &prove.Purity{Prog: w.p, Fn: w.fn, Call: w.call}
	if pure.Check(e) != nil {
		if len(head) != 1 {
			return false
		}
		// The first operand may go through the same pointers.
		pure.Call = &ast.CallExpr{Fun: w.call.Fun, Args: head}
		if pure.Check(e) != nil {
			return false
		}
	}
	own := w.destination()
	return !code.Any(e, func(n ast.Expr) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			return code.Builtin(info, n) != "" && !code.IsString(info.TypeOf(n.Args[0]))
		case *ast.Ident:
			return own != nil && info.Uses[n] == own
		}
		return false
	})
}

// destination returns the variable or the field that is written to, nil for
// anything else.
func (w *formatWriter) destination() types.Object {
	e := ast.Unparen(w.dst)
	if addr, ok := e.(*ast.UnaryExpr); ok {
		e = ast.Unparen(addr.X)
	}
	switch e := e.(type) {
	case *ast.Ident:
		return w.fn.Info().Uses[e]
	case *ast.SelectorExpr:
		return w.fn.Info().Uses[e.Sel]
	}
	return nil
}

// ownVariable reports whether e is a variable of the function that nothing
// else can write to.
func (w *formatWriter) ownVariable(e ast.Expr) bool {
	id, ok := ast.Unparen(e).(*ast.Ident)
	if !ok {
		return false
	}
	v, ok := w.fn.Info().Uses[id].(*types.Var)
	return ok && v.Pkg() != nil && v.Parent() != v.Pkg().Scope() && w.private(v)
}

// private reports whether a local variable is neither captured by a function
// literal nor has its address taken.
func (w *formatWriter) private(v *types.Var) bool {
	return !code.Any(w.fn.Decl, func(id *ast.Ident) bool {
		lit := w.fn.File.Literal(id)
		return w.fn.Info().Uses[id] == v && (lit != nil && !code.Declares(lit, v) || prove.Addressed(w.fn.File, id))
	})
}

// freeName names the variable that holds an operand after what it is.
func (w *formatWriter) freeName(e ast.Expr) string {
	want := "value"
	switch e := ast.Unparen(e).(type) {
	case *ast.SelectorExpr:
		want = code.LowerName(e.Sel.Name)
	case *ast.CallExpr:
		if fn := code.Callee(w.fn.Info(), e); fn != nil && fn.Signature().Recv() != nil {
			want = code.LowerName(fn.Name())
		} else if code.IsString(w.fn.Info().TypeOf(e)) {
			want = "text"
		} else if code.Builtin(w.fn.Info(), e) == "len" {
			want = "n"
		}
	case *ast.Ident:
		want = e.Name
	}
	if types.Universe.Lookup(want) != nil || token.IsKeyword(want) || want == "" {
		want = "value"
	}
	return w.free(want)
}

// free returns a name that means nothing in the function yet.
func (w *formatWriter) free(want string) string {
	info := w.fn.Info()
	if w.taken == nil {
		w.taken = map[string]bool{}
		for id := range code.All[*ast.Ident](w.fn.Decl) {
			w.taken[id.Name] = w.taken[id.Name] || !isMember(info.ObjectOf(id))
		}
	}
	for i := 1; ; i++ {
		name := prove.Numbered(want, i)
		if !w.taken[name] && info.Scopes[w.fn.File.Syntax].Lookup(name) == nil && w.fn.Obj.Pkg().Scope().Lookup(name) == nil {
			w.taken[name] = true
			return name
		}
	}
}

// isMember reports whether an object is only reached through a selector.
func isMember(obj types.Object) bool {
	switch obj := obj.(type) {
	case *types.Var:
		return obj.IsField()
	case *types.Func:
		return obj.Signature().Recv() != nil
	}
	return false
}

func (w *formatWriter) operand(e ast.Expr) string {
	if name := w.names[e]; name != "" {
		return name
	}
	return w.p.Source(w.fn.File, e)
}

// lead returns the statements that evaluate operands first: those that call, in their order, and
// then the others, as the compiler does. The language says nothing about the order of the two.
func (w *formatWriter) lead() []string {
	var calls, others []string
	for _, f := range w.pieces {
		for _, e := range f.operands {
			name := w.names[e]
			if name == "" {
				continue
			}
			line := name + " := " + w.p.Source(w.fn.File, e)
			if w.calm(e) {
				others = append(others, line)
			} else {
				calls = append(calls, line)
			}
		}
	}
	return slices.Compact(append(calls, others...))
}
