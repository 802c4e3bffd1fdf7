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

// Extensions follow a slice through the functions that append to it. What is appended to a nil slice has memory of its own
// each time; where there is room, a second append to the same slice would overwrite what the first has written.
type extensions struct {
	p    *prove.Program
	seen map[*types.Var]bool
	asks string // where a function asks whether there is room
}

// linear says where a variable is not extended into itself or into the result.
func (r *extensions) linear(fn *prove.Function, v *types.Var) *prove.Reason {
	if r.seen[v] {
		return nil
	}
	r.seen[v] = true
	if fl := r.p.FlowOf(fn, v); len(fl.Vars) > 1 {
		return r.shared(fn, fl)
	}
	returned := map[ast.Node]bool{}
	for id := range prove.UsesIn(fn.Info(), fn.Decl.Body, v) {
		if fn.File.Literal(id) != nil {
			return prove.Refusef("a function literal uses it at %s", r.p.Pos(id.Pos()))
		}
		if why := r.use(fn, v, id, returned); why != nil {
			return why
		}
	}
	return nil
}

// shared says where one of several variables that share the memory is extended.
func (r *extensions) shared(fn *prove.Function, fl *flow.Flow) *prove.Reason {
	if fl.CapSeen {
		return prove.Refuse("its capacity is asked for in " + fn.Obj.Name())
	}
	for _, call := range fl.Extends {
		if code.Builtin(fn.Info(), call) != "" || extended(r.p, fn.Info(), call) != nil {
			return prove.Refusef("append makes another slice of its memory at %s", r.p.Pos(call.Pos()))
		}
	}
	for _, h := range fl.Calls {
		if decl, param := r.parameter(fn, h.Call, h.Index); decl != nil {
			if why := r.linear(decl, param); why != nil {
				return why
			}
		}
	}
	return nil
}

// use looks at one use of the variable.
func (r *extensions) use(fn *prove.Function, v *types.Var, id *ast.Ident, returned map[ast.Node]bool) *prove.Reason {
	e, up := ast.Node(id), fn.File.Parent(id)
	for {
		slice, cut := up.(*ast.SliceExpr)
		if _, paren := up.(*ast.ParenExpr); !paren && (!cut || slice.X != e) {
			break
		}
		e, up = up, fn.File.Parent(up)
	}
	switch up := up.(type) {
	case *ast.AssignStmt:
		return r.set(fn, v, id, up)
	case *ast.CallExpr:
		if code.Builtin(fn.Info(), up) == "cap" {
			return r.asked(fn, v, up)
		}
		return r.handed(fn, v, e, up, returned)
	}
	return nil
}

// handed follows an argument of a call.
func (r *extensions) handed(fn *prove.Function, v *types.Var, e ast.Node, call *ast.CallExpr, returned map[ast.Node]bool) *prove.Reason {
	at := slices.IndexFunc(call.Args, func(a ast.Expr) bool { return a == e })
	decl, param := r.parameter(fn, call, at)
	if decl != nil {
		if why := r.linear(decl, param); why != nil {
			return why
		}
	}
	if extended(r.p, fn.Info(), call) != e {
		return nil
	}
	if decl != nil {
		if fl := r.p.FlowOf(decl, param); len(fl.Leaks) > 0 {
			return prove.Refusef("%s is %s in %s", param.Name(), fl.Leaks[0].Why, decl.Obj.Name())
		}
	}
	switch up := fn.File.Parent(call).(type) {
	case *ast.ExprStmt:
		return nil // nobody sees the result
	case *ast.AssignStmt:
		if l, ok := up.Lhs[0].(*ast.Ident); ok && len(up.Rhs) == 1 && fn.Info().ObjectOf(l) == v {
			return nil
		}
	case *ast.ReturnStmt:
		if !returned[up] {
			returned[up] = true
			return nil
		}
	case *ast.CallExpr:
		if code.IsString(fn.Info().TypeOf(up)) && fn.Info().Types[up.Fun].IsType() {
			return nil // it is copied at once
		}
		if extended(r.p, fn.Info(), up) == call {
			return r.handed(fn, v, call, up, returned)
		}
	}
	return prove.Refusef("it is extended into something else at %s", r.p.Pos(call.Pos()))
}

// parameter returns the function of the module that a call calls, and its parameter that the argument is for.
func (r *extensions) parameter(fn *prove.Function, call *ast.CallExpr, at int) (*prove.Function, *types.Var) {
	target := code.Callee(fn.Info(), call)
	if target == nil || at < 0 || !r.p.InModule(target) || target.Signature().Variadic() || at >= target.Signature().Params().Len() {
		return nil, nil
	}
	decl := r.p.Function(target)
	if decl == nil {
		return nil, nil
	}
	return decl, decl.Obj.Signature().Params().At(at)
}

// set looks at an assignment to the variable: of what it is cut or extended to, or of more room that has been made.
func (r *extensions) set(fn *prove.Function, v *types.Var, id *ast.Ident, a *ast.AssignStmt) *prove.Reason {
	if !slices.Contains(a.Lhs, ast.Expr(id)) {
		return nil // the flow tells what shares its memory
	}
	info, from := fn.Info(), ast.Unparen(a.Rhs[0])
	for len(a.Rhs) == 1 && a.Lhs[0] == ast.Expr(id) {
		switch e := from.(type) {
		case *ast.SliceExpr:
			from = ast.Unparen(e.X)
			continue
		case *ast.CallExpr:
			if code.Builtin(info, e) == "make" && r.within(fn, v, a) {
				return nil
			}
			if to := extended(r.p, info, e); to != nil {
				from = ast.Unparen(to)
				continue
			}
		case *ast.Ident:
			made := code.Var(info, e)
			if made == v || made != nil && r.fresh(fn, made) && r.within(fn, v, a) {
				return nil
			}
		}
		break
	}
	return prove.Refusef("it is set at %s", r.p.Pos(a.Pos()))
}

// fresh reports whether a variable is declared with a slice of its own.
func (r *extensions) fresh(fn *prove.Function, v *types.Var) bool {
	_, _, value := code.Declared(declaring(fn, v))
	call, ok := value.(*ast.CallExpr)
	return ok && code.Builtin(fn.Info(), call) == "make"
}

// declaring returns the statement that declares a variable, nil for a parameter.
func declaring(fn *prove.Function, v *types.Var) ast.Stmt {
	for n := fn.Declaration(v); n != nil; n = fn.File.Parent(n) {
		if s, ok := n.(ast.Stmt); ok {
			return s
		}
	}
	return nil
}

// asked looks at a call of cap: that there is too little room may be asked, where more is made.
func (r *extensions) asked(fn *prove.Function, v *types.Var, call *ast.CallExpr) *prove.Reason {
	if !r.within(fn, v, call) {
		return prove.Refusef("its capacity is asked for at %s", r.p.Pos(call.Pos()))
	}
	r.asks = "; " + fn.Obj.Name() + " asks for it to make more"
	return nil
}

// within reports whether a node is in an if statement that asks for the capacity and sets the variable.
func (r *extensions) within(fn *prove.Function, v *types.Var, n ast.Node) bool {
	for ; n != nil; n = fn.File.Parent(n) {
		test, ok := n.(*ast.IfStmt)
		if ok && test.Else == nil && code.Any(test.Cond, func(c *ast.CallExpr) bool {
			return code.Builtin(fn.Info(), c) == "cap" && code.Var(fn.Info(), c.Args[0]) == v
		}) {
			return code.Any(test.Body, func(a *ast.AssignStmt) bool { return a.Tok == token.ASSIGN && code.Var(fn.Info(), a.Lhs[0]) == v })
		}
	}
	return false
}
