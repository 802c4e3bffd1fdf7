package code

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ast/inspector"

	"github.com/pawl-dev/pawl/internal/rulekit/index"
)

// Invariant reports whether an expression has the same value in each iteration of a
// loop, as far as the package shows: see [Invariance].
func Invariant(ix *index.Index, info *types.Info, x ast.Expr, loop ast.Node) bool {
	same, _ := (&Invariance{Index: ix, Info: info, Loop: loop}).Same(x)
	return same
}

// An Invariance tells which expressions have the same value in each iteration of a
// loop: constants, variables of the function that are declared outside the loop and
// that nothing can set while it runs, and operators on these. What else is, Known says;
// without it, no call is, no package variable, and nothing behind a pointer.
type Invariance struct {
	Index *index.Index
	Info  *types.Info
	Loop  ast.Node
	Known interface {
		// Computes reports whether a call gives the same result for the same operands.
		Computes(*ast.CallExpr) bool
		// Package and Field say so of a package variable, and of a field of what is the
		// same, with a doubt where it may be but cannot be shown.
		Package(*types.Var) (same bool, doubt string)
		Field(*ast.SelectorExpr) (same bool, doubt string)
	}
}

// Same reports whether all of some expressions are the same in each iteration. The
// doubt says why one that may be cannot be shown to be.
func (l *Invariance) Same(all ...ast.Expr) (same bool, doubt string) {
	for _, x := range all {
		if same, doubt = l.one(ast.Unparen(x)); !same {
			return false, doubt
		}
	}
	return true, ""
}

func (l *Invariance) one(x ast.Expr) (same bool, doubt string) {
	if l.Info.Types[x].Value != nil {
		return true, ""
	}
	switch x := x.(type) {
	case *ast.Ident:
		switch obj := l.Info.ObjectOf(x).(type) {
		case *types.Const, *types.Nil:
			return true, ""
		case *types.Var:
			return l.variable(obj)
		}
	case *ast.BinaryExpr:
		return l.Same(x.X, x.Y)
	case *ast.UnaryExpr:
		if x.Op != token.AND && x.Op != token.ARROW {
			return l.Same(x.X)
		}
	case *ast.SelectorExpr:
		sel := l.Info.Selections[x]
		if sel == nil || sel.Kind() != types.FieldVal || l.Known == nil && sel.Indirect() {
			return false, ""
		}
		if same, doubt = l.Same(x.X); same && l.Known != nil {
			return l.Known.Field(x)
		}
		return same, doubt
	case *ast.CallExpr:
		if l.Known != nil && (l.Known.Computes(x) || l.lengthOf(x)) {
			return l.Operands(x)
		}
	}
	return false, ""
}

// lengthOf reports whether a call asks for a length that goes with the value of a variable: not that of a map,
// of a channel, or of a type parameter that may be one.
func (l *Invariance) lengthOf(call *ast.CallExpr) bool {
	if Builtin(l.Info, call) != "len" {
		return false
	}
	switch Core(l.Info.TypeOf(call.Args[0])).(type) {
	case *types.Slice, *types.Array, *types.Basic:
		return true
	}
	return false
}

// Operands is Same for all that a call depends on, its receiver included. That must be
// a value in a variable, not one elsewhere.
func (l *Invariance) Operands(call *ast.CallExpr) (same bool, doubt string) {
	if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok && l.Info.Selections[sel] != nil {
		if _, ptr := l.Info.TypeOf(sel.X).Underlying().(*types.Pointer); ptr || len(l.Info.Selections[sel].Index()) > 1 {
			return false, ""
		}
		if same, doubt = l.Same(sel.X); !same {
			return false, doubt
		}
	}
	return l.Same(call.Args...)
}

// variable allows variables of the function that nothing sets while the loop runs.
func (l *Invariance) variable(v *types.Var) (same bool, doubt string) {
	if !Local(v) {
		if l.Known == nil || v.IsField() || v.Pkg() == nil {
			return false, ""
		}
		return l.Known.Package(v)
	}
	if Declares(l.Loop, v) {
		return false, ""
	}
	for _, cur := range l.Index.Uses(v) {
		switch useAt(l.Info, cur) {
		case assigning:
			if Within(l.Loop, cur.Node()) {
				return false, ""
			}
			if crossing(cur, v) {
				doubt = "a function literal assigns to " + v.Name()
			} else if at, ok := l.Index.Inspect.Root().FindByPos(l.Loop.Pos(), l.Loop.End()); !ok || crossing(at, v) {
				doubt = v.Name() + " belongs to the function around the literal, which assigns to it"
			}
		case referring:
			doubt = "the address of " + v.Name() + " is taken"
		}
	}
	return doubt == "", doubt
}

// crossing reports whether a function literal around cur uses the variable of a
// function around it.
func crossing(cur inspector.Cursor, v *types.Var) bool {
	for p := range cur.Enclosing((*ast.FuncLit)(nil)) {
		if !Declares(p.Node(), v) {
			return true
		}
	}
	return false
}

// Declares reports whether a piece of syntax declares an object.
func Declares(n ast.Node, obj types.Object) bool { return n.Pos() <= obj.Pos() && obj.Pos() < n.End() }

// MentionsOf reports whether a piece of syntax uses something that a node declares.
func MentionsOf(info *types.Info, n, home ast.Node) bool {
	return Any(n, func(id *ast.Ident) bool {
		obj := info.Uses[id]
		return obj != nil && Declares(home, obj)
	})
}

// Captured reports whether a function literal writes v or anyone takes its
// address, or that of a part of it, so that it may change while other code runs.
func Captured(ix *index.Index, info *types.Info, v *types.Var) bool {
	return slices.ContainsFunc(ix.Uses(v), func(cur inspector.Cursor) bool {
		use := useAt(info, cur)
		return use == referring || use == assigning && crossing(cur, v)
	})
}

// Changeable reports whether the value of x may be another when code has run that x does
// not name, since it reads what others know. What a call returns is not read again, and
// what a slice holds is not looked at.
func Changeable(ix *index.Index, info *types.Info, x ast.Expr) bool {
	found := false
	ast.Inspect(x, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.IndexExpr, *ast.StarExpr:
			found = true
		case *ast.CallExpr:
			if fun := info.Types[n.Fun]; !fun.IsType() && !fun.IsBuiltin() {
				return false
			}
		case *ast.Ident:
			v, ok := info.Uses[n].(*types.Var)
			found = found || ok && (!Local(v) || Captured(ix, info, v))
		}
		return !found
	})
	return found
}
