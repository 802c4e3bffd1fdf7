package code

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// A Grade says how much a program loses when an expression is not evaluated.
type Grade int

// The grades, in order.
const (
	NoLoss    Grade = iota
	PanicLoss       // nothing but a panic, perhaps
	AnyLoss         // an effect, perhaps
)

// A Loss is what is lost, with the reason for a user; that of NoLoss is empty.
type Loss struct {
	Grade Grade
	Why   string
}

// An Eval says what evaluating expressions does beyond computing a value.
type Eval struct {
	Info *types.Info
	// Call says so of a call, its operands aside. It is not asked about conversions, nor
	// about builtins that only compute.
	Call func(*ast.CallExpr) Loss
	// NotNil reports whether a pointer is known not to be nil. An Eval without it knows
	// of none.
	NotNil func(x ast.Expr) bool
	// InBounds reports whether an index or a slice expression cannot panic, its operands aside. An
	// Eval without it knows of none.
	InBounds func(x ast.Expr) bool
	// Plain counts new values, of functions too, and addresses among the effects.
	Plain bool
}

// Of returns the worst that evaluating expressions does; nil ones do nothing.
func (v *Eval) Of(all ...ast.Expr) (worst Loss) {
	for _, e := range all {
		if e != nil {
			worst = worst.or(v.one(e))
		}
	}
	return worst
}

// or returns the worse of two losses, the first of equal ones.
func (l Loss) or(other Loss) Loss {
	if other.Grade > l.Grade {
		return other
	}
	return l
}

func (v *Eval) one(e ast.Expr) Loss {
	if tv := v.Info.Types[e]; tv.Value != nil || tv.IsType() {
		return Loss{}
	}
	what := types.ExprString(e)
	unknown := "evaluating " + what + " may have an effect or panic"
	switch e := e.(type) {
	case *ast.ParenExpr:
		return v.one(e.X)
	case *ast.Ident, *ast.BasicLit:
		return Loss{}
	case *ast.SelectorExpr:
		return v.selector(e, what)
	case *ast.StarExpr:
		return v.one(e.X).or(v.pointer(e.X))
	case *ast.UnaryExpr:
		if e.Op == token.ARROW || e.Op == token.AND && v.Plain {
			return Loss{AnyLoss, what + " does more than read"}
		}
		return v.one(e.X)
	case *ast.BinaryExpr:
		return v.binary(e, what)
	case *ast.CallExpr:
		return v.call(e, what)
	case *ast.IndexExpr:
		return v.Of(e.X, e.Index).or(v.bounds(e, unknown))
	case *ast.SliceExpr:
		return v.Of(e.X, e.Low, e.High, e.Max).or(v.bounds(e, unknown))
	case *ast.TypeAssertExpr:
		return v.one(e.X).or(Loss{PanicLoss, unknown})
	case *ast.FuncLit:
		if !v.Plain {
			return Loss{}
		}
	case *ast.CompositeLit:
		if !v.Plain {
			return v.elements(e)
		}
	}
	return Loss{AnyLoss, unknown}
}

func (v *Eval) bounds(x ast.Expr, unknown string) Loss {
	if v.InBounds != nil && v.InBounds(x) {
		return Loss{}
	}
	return Loss{PanicLoss, unknown}
}

// elements is for what a composite literal holds.
func (v *Eval) elements(lit *ast.CompositeLit) (worst Loss) {
	_, isMap := Core(v.Info.TypeOf(lit)).(*types.Map)
	for _, e := range lit.Elts {
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			if isMap {
				worst = worst.or(v.key(kv.Key))
			}
			e = kv.Value
		}
		worst = worst.or(v.one(e))
	}
	return worst
}

// key is for what is hashed: of an interface, or of a type parameter that may be one, some values cannot be.
func (v *Eval) key(e ast.Expr) Loss {
	if Inside(v.Info.TypeOf(e), types.IsInterface) {
		return Loss{PanicLoss, types.ExprString(e) + " may be no key of a map"}.or(v.one(e))
	}
	return v.one(e)
}

func (v *Eval) binary(e *ast.BinaryExpr, what string) Loss {
	worst := v.Of(e.X, e.Y)
	switch e.Op {
	case token.QUO, token.REM, token.SHL, token.SHR:
		return Loss{PanicLoss, what + " may panic"}.or(worst)
	case token.EQL, token.NEQ:
		if !IsNil(v.Info, e.X) && !IsNil(v.Info, e.Y) && (Inside(v.Info.TypeOf(e.X), types.IsInterface) || Inside(v.Info.TypeOf(e.Y), types.IsInterface)) {
			return Loss{PanicLoss, what + " may panic"}.or(worst)
		}
	}
	return worst
}

// call knows conversions, though those of a slice may panic, and some builtins.
func (v *Eval) call(e *ast.CallExpr, what string) Loss {
	operands := v.Of(e.Args...)
	switch b := Builtin(v.Info, e); {
	case b == "len" || b == "cap" || b == "min" || b == "max":
		return operands
	case !v.Info.Types[e.Fun].IsType():
		if sel, ok := ast.Unparen(e.Fun).(*ast.SelectorExpr); ok && v.Info.Selections[sel] != nil {
			operands = v.receiver(sel).or(operands)
		}
		return v.Call(e).or(operands)
	}
	to := v.Info.TypeOf(e)
	switch {
	case slices.ContainsFunc(Kinds(to), func(t types.Type) bool { return t == types.Typ[types.UnsafePointer] }):
		return Loss{AnyLoss, what + " uses unsafe"}
	case May[*types.Slice](v.Info.TypeOf(e.Args[0])) && (May[*types.Array](to) || May[*types.Pointer](to)):
		return Loss{PanicLoss, what + " may panic"}.or(operands)
	}
	return operands
}

// receiver is for what a method is called on. One that has a value for its receiver reads it, by way of a pointer, too.
func (v *Eval) receiver(sel *ast.SelectorExpr) Loss {
	s, worst := v.Info.Selections[sel], v.one(sel.X)
	fn, _ := s.Obj().(*types.Func)
	if fn == nil || IsInterfaceMethod(fn) {
		return worst // as the call itself
	}
	_, ptr := v.Info.TypeOf(sel.X).Underlying().(*types.Pointer)
	_, takes := fn.Signature().Recv().Type().Underlying().(*types.Pointer)
	switch {
	case ThroughPointer(s) && !(takes && len(s.Index()) == 2 && !ptr):
		return worst.or(Loss{PanicLoss, types.ExprString(sel) + " goes through an embedded pointer that may be nil"})
	case ptr && (!takes || len(s.Index()) > 1):
		return worst.or(v.pointer(sel.X))
	}
	return worst
}

// selector allows package variables, and fields that are not behind a pointer
// that could be nil.
func (v *Eval) selector(e *ast.SelectorExpr, what string) Loss {
	s := v.Info.Selections[e]
	if s == nil {
		return Loss{} // of a package
	}
	if s.Kind() != types.FieldVal {
		return v.one(e.X).or(Loss{PanicLoss, what + " makes a method value"})
	}
	worst := v.one(e.X)
	if ThroughPointer(s) {
		return worst.or(Loss{PanicLoss, what + " goes through an embedded pointer that may be nil"})
	}
	if _, ptr := v.Info.TypeOf(e.X).Underlying().(*types.Pointer); ptr {
		return worst.or(v.pointer(e.X))
	}
	return worst
}

func (v *Eval) pointer(x ast.Expr) Loss {
	if v.NotNil != nil && v.NotNil(x) {
		return Loss{}
	}
	return Loss{PanicLoss, types.ExprString(x) + " may be nil: an argument that is not evaluated no longer panics"}
}

// Acts reports whether evaluating expressions calls what may have an effect, or waits.
func Acts(info *types.Info, all ...ast.Expr) bool {
	eval := &Eval{Info: info, Call: func(*ast.CallExpr) Loss { return Loss{Grade: AnyLoss} }}
	return eval.Of(all...).Grade == AnyLoss
}
