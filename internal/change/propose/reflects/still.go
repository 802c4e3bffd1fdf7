package reflects

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// A still looks for what may change a map, or a variable that holds one. New maps of
// the function itself do not count.
type still struct {
	p    *prove.Program
	seen map[*prove.Function]bool
}

// check returns what in a part of a function may change a map, nil if nothing does.
func (s *still) check(fn *prove.Function, part ast.Node) (why *prove.Reason) {
	ast.Inspect(part, func(n ast.Node) bool {
		if why != nil || n == nil {
			return false
		}
		switch n := n.(type) {
		case *ast.GoStmt, *ast.DeferStmt, *ast.SendStmt, *ast.SelectStmt:
			why = prove.Refuse("another goroutine may, or what is deferred")
		case *ast.UnaryExpr:
			if n.Op == token.ARROW {
				why = prove.Refuse("another goroutine may while it waits")
			}
		case *ast.RangeStmt:
			why = s.ranges(fn, part, n)
		case *ast.CallExpr:
			why = s.call(fn, part, n)
		}
		for _, to := range code.Assigned(n) {
			if why == nil {
				why = s.writes(fn, part, to)
			}
		}
		return why == nil
	})
	return why
}

func (s *still) ranges(fn *prove.Function, part ast.Node, n *ast.RangeStmt) *prove.Reason {
	if prove.OthersRange(fn.Info(), n) {
		return prove.Refuse("it ranges over a function or channel")
	}
	return nil
}

// writes looks at what is assigned to.
func (s *still) writes(fn *prove.Function, part ast.Node, e ast.Expr) *prove.Reason {
	e = ast.Unparen(e)
	info := fn.Info()
	if id, ok := e.(*ast.Ident); ok {
		v, _ := info.ObjectOf(id).(*types.Var)
		if v == nil || !holdsMap(v.Type()) || v.Parent() != v.Pkg().Scope() && !code.AddressTaken(info, fn.Decl.Body, v) {
			return nil
		}
		return prove.Refuse(id.Name + " may be the variable that holds it")
	}
	if x, ok := e.(*ast.IndexExpr); ok {
		if code.May[*types.Map](info.TypeOf(x.X)) {
			return s.own(fn, part, x.X, types.ExprString(e)+" is assigned to")
		}
	}
	if holdsMap(info.TypeOf(e)) {
		return prove.Refuse(types.ExprString(e) + " may be the variable that holds it")
	}
	return nil
}

// holdsMap reports whether a variable of a type is, or has within itself, one of a map.
func holdsMap(t types.Type) bool {
	return code.Inside(t, func(t types.Type) bool {
		_, isMap := t.Underlying().(*types.Map)
		return isMap || code.IsTypeParam(t)
	})
}

func (s *still) call(fn *prove.Function, part ast.Node, call *ast.CallExpr) *prove.Reason {
	info := fn.Info()
	if info.Types[call.Fun].IsType() {
		return nil
	}
	switch code.Builtin(info, call) {
	case "":
	case "delete", "clear":
		return s.own(fn, part, call.Args[0], types.ExprString(call)+" is called")
	case "append", "copy":
		if slice, ok := code.Core(info.TypeOf(call.Args[0])).(*types.Slice); ok && holdsMap(slice.Elem()) {
			return prove.Refuse(types.ExprString(call) + " may write the variable that holds it")
		}
		return nil
	default:
		return nil
	}
	target := code.Callee(info, call)
	if target == nil || target.Pkg() == nil {
		if _, lit := ast.Unparen(call.Fun).(*ast.FuncLit); lit {
			return nil // its body is looked at as well
		}
		return prove.Refuse("it calls " + types.ExprString(call.Fun))
	}
	if target.Pkg().Path() == "reflect" {
		return s.reflect(fn, part, call, target)
	}
	if prove.HarmlessCall(info, call) || prove.Computes(info, call) || formatsBasic(info, call, target) {
		return nil
	}
	next := s.p.Function(target)
	if next == nil || next.Decl.Body == nil || code.IsInterfaceMethod(target) {
		return prove.Refuse("it calls " + code.CallName(target))
	}
	if s.seen[next] {
		return nil
	}
	s.seen[next] = true
	return s.check(next, next.Decl.Body)
}

// formatsBasic reports whether a call formats values that have no methods.
func formatsBasic(info *types.Info, call *ast.CallExpr, target *types.Func) bool {
	switch target.FullName() {
	case "errors.New":
		return true
	case "fmt.Errorf", "fmt.Sprintf", "fmt.Sprint":
		return !slices.ContainsFunc(call.Args, func(a ast.Expr) bool {
			_, basic := types.Unalias(info.TypeOf(a)).(*types.Basic)
			return !basic
		})
	}
	return false
}

// The functions and methods of package reflect that run other code, write to a map, or to what may be a variable
// that holds one.
var reflectWrites = code.Set("Set SetZero SetIterKey SetIterValue SetMapIndex Clear Call CallSlice Send Recv TrySend TryRecv Close",
	"Seq Seq2 Copy Append AppendSlice Select MakeFunc Swapper Grow")

func (s *still) reflect(fn *prove.Function, part ast.Node, call *ast.CallExpr, target *types.Func) *prove.Reason {
	if !reflectWrites[target.Name()] {
		return nil
	}
	sel, method := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if method && (target.Name() == "Set" || target.Name() == "SetMapIndex") {
		return s.own(fn, part, sel.X, types.ExprString(call.Fun)+" is called")
	}
	return prove.Refuse("it calls " + code.CallName(target))
}

// own returns nil if e is a new map, or a new reflect.Value, that nothing else knows up to
// the end of part: a variable of the function, made once and used only as it is here.
func (s *still) own(fn *prove.Function, part ast.Node, e ast.Expr, what string) *prove.Reason {
	info := fn.Info()
	refuse := prove.Refuse(what)
	id, ok := ast.Unparen(e).(*ast.Ident)
	if !ok {
		return refuse
	}
	v, ok := info.ObjectOf(id).(*types.Var)
	if !ok || !isMade(fn, v) || code.AddressTaken(info, fn.Decl.Body, v) {
		return refuse
	}
	if code.Declares(part, v) && !code.Reassigned(info, part, v) {
		return nil // it is newer than the map that is ranged over
	}
	for n := fn.File.Parent(part); n != nil; n = fn.File.Parent(n) {
		switch n.(type) {
		case *ast.ForStmt, *ast.RangeStmt, *ast.FuncLit:
			if !code.Declares(n, v) && n.End() > part.End() {
				return refuse // what comes behind the part may have run before
			}
		}
	}
	for use := range code.All[*ast.Ident](fn.Decl.Body) {
		if use.Pos() < part.End() && info.Uses[use] == v && !keepsOwn(fn, use) {
			return refuse
		}
	}
	return nil
}

// isMade reports whether a variable is defined as a new map, or as a value that reflection made anew.
func isMade(fn *prove.Function, v *types.Var) bool {
	switch made := ast.Unparen(fn.Value(v)).(type) {
	case *ast.CompositeLit:
		return true
	case *ast.CallExpr:
		if code.Builtin(fn.Info(), made) == "make" {
			return true
		}
		if isMethod(fn, made, "Elem") {
			inner, ok := ast.Unparen(ast.Unparen(made.Fun).(*ast.SelectorExpr).X).(*ast.CallExpr)
			return ok && code.IsFunc(fn.Info(), inner, "reflect", "New")
		}
		target := code.Callee(fn.Info(), made)
		return target != nil && strings.HasPrefix(target.FullName(), "reflect.MakeMap")
	}
	return false
}

// keepsOwn reports whether a use of a new map or value gives it to nobody.
func keepsOwn(fn *prove.Function, id *ast.Ident) bool {
	switch up := fn.File.Parent(id).(type) {
	case *ast.IndexExpr:
		return up.X == id
	case *ast.RangeStmt:
		return up.X == id
	case *ast.CallExpr:
		switch code.Builtin(fn.Info(), up) {
		case "len", "delete", "clear":
			return true
		}
	case *ast.SelectorExpr:
		call, ok := fn.File.Parent(up).(*ast.CallExpr)
		return ok && call.Fun == up && code.Set("Set SetMapIndex Len Kind Type SetInt SetUint SetString SetBool SetFloat IsNil IsZero")[up.Sel.Name]
	}
	return false
}
