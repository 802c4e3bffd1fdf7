package reflects

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// A borrowed looks for what may have a reflect.Value, or the address of what it holds, when the code that was given it is done.
type borrowed struct {
	p    *prove.Program
	fn   *prove.Function // has the loop that makes it
	loop ast.Stmt
	seen map[ast.Node]bool // functions and literals
}

// isValue reports whether a type is reflect.Value, or has one in itself or in its elements.
func isValue(t types.Type) bool {
	if t == nil {
		return false
	}
	if results, ok := t.(*types.Tuple); ok {
		return slices.ContainsFunc(slices.Collect(results.Variables()), func(v *types.Var) bool { return isValue(v.Type()) })
	}
	return code.Deep(t, false, func(t types.Type, in func(types.Type) bool) bool {
		if code.IsNamed(t, "reflect", "Value") {
			return true
		}
		switch u := t.Underlying().(type) {
		case *types.Slice, *types.Array, *types.Map, *types.Struct:
			return code.Parts(u, in)
		}
		return false
	})
}

// use says why a use of the value in the loop may keep it.
func (b *borrowed) use(fn *prove.Function, id *ast.Ident) *prove.Reason {
	f, info := fn.File, fn.Info()
	if f.Literal(id) != f.Literal(fn.Declaration(info.Uses[id])) {
		return prove.Refuse("a function literal has " + id.Name)
	}
	e := ast.Expr(id)
	for { // the end of a chain such as v.Field(0).Elem().Set
		sel, ok := f.Parent(e).(*ast.SelectorExpr)
		if !ok || sel.X != e {
			break
		}
		call, ok := f.Parent(sel).(*ast.CallExpr)
		if !ok || call.Fun != ast.Expr(sel) {
			return prove.Refuse(types.ExprString(sel) + " is kept as a function")
		}
		if why := b.method(fn, call); why != nil {
			return why
		}
		if f.Later(call) {
			return prove.Refusef("%s is called later (%s)", types.ExprString(sel), b.p.Pos(call.Pos()))
		}
		if !isValue(info.TypeOf(call)) {
			return nil
		}
		e = call
	}
	call, ok := f.Parent(e).(*ast.CallExpr)
	if !ok || call.Fun == e {
		if _, statement := f.Parent(e).(*ast.ExprStmt); statement {
			return nil
		}
		return prove.Refusef("%s is used in another way than to be filled and copied (%s)", id.Name, b.p.Pos(id.Pos()))
	}
	if f.Later(call) {
		return prove.Refusef("%s gets it, and runs later (%s)", types.ExprString(call.Fun), b.p.Pos(call.Pos()))
	}
	if target := code.Callee(info, call); isValue(info.TypeOf(call)) && !(target != nil && target.Pkg() != nil && target.Pkg().Path() == "reflect" && (target.Name() == "Append" || target.Name() == "AppendSlice")) {
		return prove.Refusef("%s may be what %s returns (%s)", id.Name, types.ExprString(call.Fun), b.p.Pos(call.Pos()))
	}
	return b.call(fn, call)
}

// check says what in a function, or in a literal of it, may keep a reflect.Value.
func (b *borrowed) check(fn *prove.Function, in ast.Node) (why *prove.Reason) {
	if b.seen[in] {
		return nil
	}
	b.seen[in] = true
	info, f := fn.Info(), fn.File
	ast.Inspect(in, func(n ast.Node) bool {
		if why != nil || n == nil {
			return false
		}
		switch n := n.(type) {
		case *ast.GoStmt, *ast.SendStmt:
			why = prove.Refusef("%s may hand it to another goroutine (%s)", fn.Obj.Name(), b.p.Pos(n.Pos()))
		case *ast.FuncLit:
			if !f.InPlace(n) && code.Any(n, func(id *ast.Ident) bool {
				v := code.Var(info, id)
				return v != nil && isValue(v.Type()) && !code.Declares(n, v)
			}) {
				why = prove.Refusef("a function literal may have it (%s)", b.p.Pos(n.Pos()))
			}
		case *ast.UnaryExpr:
			if n.Op == token.AND && isValue(info.TypeOf(n.X)) && !pointed(fn, n) {
				why = prove.Refusef("the address of a reflect.Value is taken (%s)", b.p.Pos(n.Pos()))
			}
		case *ast.CompositeLit:
			if t := info.TypeOf(n); isValue(code.Pointee(t)) && !isValue(t) {
				why = prove.Refusef("the address of a reflect.Value is taken (%s)", b.p.Pos(n.Pos()))
			}
		case *ast.SelectorExpr:
			if call, ok := f.Parent(n).(*ast.CallExpr); info.Selections[n] != nil && isValue(info.TypeOf(n.X)) && info.Selections[n].Kind() != types.FieldVal && !(ok && call.Fun == ast.Expr(n)) {
				why = prove.Refusef("a method of a reflect.Value is kept (%s)", b.p.Pos(n.Pos()))
			}
		case *ast.CallExpr:
			if why = b.method(fn, n); why == nil && b.given(info, n) {
				why = b.call(fn, n)
			}
			if why == nil {
				why = b.called(fn, n)
			}
		case *ast.AssignStmt:
			why = b.assigned(fn, n)
		case *ast.RangeStmt:
			why = b.ranged(fn, n)
		case *ast.ReturnStmt:
			why = b.returned(fn, n)
		}
		if e, ok := n.(ast.Expr); ok && why == nil && b.stored(fn, e) {
			why = prove.Refusef("%s may be stored (%s)", types.ExprString(e), b.p.Pos(e.Pos()))
		}
		return why == nil
	})
	return why
}

// stored reports whether an expression is a reflect.Value that becomes part of another value, or one of another type.
func (b *borrowed) stored(fn *prove.Function, e ast.Expr) bool {
	info := fn.Info()
	if t := info.Types[e]; !t.IsValue() || !isValue(t.Type) {
		return false
	}
	switch up := fn.File.Parent(e).(type) {
	case *ast.CompositeLit:
		return !types.Identical(elementOf(info, up, e, nil), info.TypeOf(e))
	case *ast.KeyValueExpr:
		lit, ok := fn.File.Parent(up).(*ast.CompositeLit)
		return !ok || up.Key == e || !types.Identical(elementOf(info, lit, up, up.Key), info.TypeOf(e))
	case *ast.IndexExpr:
		return up.Index == e && !own(fn, up.X)
	case *ast.ValueSpec:
		return up.Type != nil && !types.Identical(info.TypeOf(up.Type), info.TypeOf(e))
	}
	return false
}

// returned says why a return may make another type of a reflect.Value.
func (b *borrowed) returned(fn *prove.Function, ret *ast.ReturnStmt) *prove.Reason {
	results := fn.Obj.Signature().Results()
	if lit := fn.File.Literal(ret); lit != nil {
		results = fn.Info().TypeOf(lit).(*types.Signature).Results()
	}
	for i, to := range slices.Collect(results.Variables()) {
		if t := part(fn.Info(), ret.Results, i); isValue(t) && !types.Identical(t, to.Type()) {
			return prove.Refusef("%s returns a reflect.Value as another type (%s)", fn.Obj.Name(), b.p.Pos(ret.Pos()))
		}
	}
	return nil
}

// part returns the type of value i of a list of expressions, or of the call that gives all; nil where there is none.
func part(info *types.Info, list []ast.Expr, i int) types.Type {
	if i < len(list) && (i > 0 || len(list) > 1) {
		return info.TypeOf(list[i])
	}
	if len(list) != 1 {
		return nil
	}
	t := info.TypeOf(list[0])
	if all, ok := t.(*types.Tuple); ok {
		return all.At(i).Type()
	}
	return t
}

// ranged says why a loop may set more than its own variables to the elements of a list of reflect.Values.
func (b *borrowed) ranged(fn *prove.Function, r *ast.RangeStmt) *prove.Reason {
	if r.Tok == token.ASSIGN && isValue(fn.Info().TypeOf(r.X)) {
		return prove.Refusef("%s has other variables go over reflect.Values (%s)", fn.Obj.Name(), b.p.Pos(r.Pos()))
	}
	return nil
}

// given reports whether a call gets a reflect.Value.
func (b *borrowed) given(info *types.Info, call *ast.CallExpr) bool {
	for _, a := range call.Args {
		if isValue(info.TypeOf(a)) && !info.Types[a].IsType() {
			return true
		}
	}
	return false
}

// assigned says why an assignment may keep a reflect.Value longer than the function runs.
func (b *borrowed) assigned(fn *prove.Function, a *ast.AssignStmt) *prove.Reason {
	info := fn.Info()
	for i, l := range a.Lhs {
		t := part(info, a.Rhs, i)
		if !isValue(t) {
			continue
		}
		v := code.Var(info, l)
		if id, ok := l.(*ast.Ident); ok && (id.Name == "_" || code.Local(v) && types.Identical(v.Type(), t)) {
			continue
		}
		if at, ok := l.(*ast.IndexExpr); ok && own(fn, at.X) && types.Identical(info.TypeOf(l), t) {
			continue
		}
		return prove.Refusef("%s stores a reflect.Value in %s (%s)", fn.Obj.Name(), types.ExprString(l), b.p.Pos(a.Pos()))
	}
	return nil
}

// call says why a function that gets a reflect.Value may keep it.
func (b *borrowed) call(fn *prove.Function, call *ast.CallExpr) *prove.Reason {
	info := fn.Info()
	switch name := code.Builtin(info, call); {
	case name == "len", name == "cap", name == "delete", name == "clear", name == "append" && extends(fn, call):
		return nil
	case name != "", info.Types[call.Fun].IsType():
		return prove.Refusef("%s may keep it (%s)", types.ExprString(call.Fun), b.p.Pos(call.Pos()))
	}
	target, sig, name := code.Callee(info, call), info.TypeOf(call.Fun), types.ExprString(call.Fun)
	if target != nil {
		name = code.CallName(target)
		if target.Pkg() != nil && target.Pkg().Path() == "fmt" {
			return nil
		}
		sig = target.Origin().Signature()
	}
	for i, a := range call.Args {
		if to, _ := code.Takes(sig, call, i); isValue(info.TypeOf(a)) && (to == nil || !types.Identical(to, info.TypeOf(a))) {
			return prove.Refusef("%s gets a reflect.Value as another type (%s)", name, b.p.Pos(call.Pos()))
		}
	}
	if target == nil || code.IsInterfaceMethod(target) {
		return b.dynamic(target, sig)
	}
	if target.Pkg().Path() == "reflect" {
		return nil
	}
	next := b.p.Function(target)
	if next == nil {
		return prove.Refusef("it is handed to %s (%s)", name, b.p.Pos(call.Pos()))
	}
	return b.check(next, next.Decl.Body)
}

// The methods of reflect.Value whose results may be the memory of an array that it holds.
var showsMemory = code.Set("Slice Slice3 Bytes UnsafeAddr UnsafePointer Method MethodByName Seq Seq2")

// method says why a call of a method of a reflect.Value may keep what it holds.
func (b *borrowed) method(fn *prove.Function, call *ast.CallExpr) *prove.Reason {
	target := code.Callee(fn.Info(), call)
	if target == nil || target.Signature().Recv() == nil || target.Pkg() == nil || target.Pkg().Path() != "reflect" || !code.IsNamed(target.Signature().Recv().Type(), "reflect", "Value") {
		return nil
	}
	switch {
	case target.Name() == "Addr":
		return b.lent(fn, call, 0)
	case target.Name() == "MapRange" && !walked(fn, call):
		return prove.Refusef("%s may be kept (%s)", types.ExprString(call), b.p.Pos(call.Pos()))
	case showsMemory[target.Name()] && !harmless(fn, call):
		return prove.Refusef("%s may show its memory (%s)", types.ExprString(call.Fun), b.p.Pos(call.Pos()))
	}
	return nil
}

// walked reports whether what goes over a map is in a variable that only its own methods use.
func walked(fn *prove.Function, call *ast.CallExpr) bool {
	name, typ, value := code.Declared(fn.File.Stmt(call))
	if name == nil || typ != nil || value != ast.Expr(call) {
		return false
	}
	v := fn.Info().Defs[name]
	for id := range prove.UsesIn(fn.Info(), fn.Decl.Body, v) {
		sel, ok := fn.File.Parent(id).(*ast.SelectorExpr)
		called, run := fn.File.Parent(sel).(*ast.CallExpr)
		if !ok || !run || called.Fun != ast.Expr(sel) || fn.File.Later(called) || fn.File.Literal(id) != fn.File.Literal(call) {
			return false
		}
	}
	return true
}

// harmless reports whether a call is the argument of v.Set(v.Slice(0, n)), or only copied, or of a slice that is made here.
func harmless(fn *prove.Function, call *ast.CallExpr) bool {
	up, ok := fn.File.Parent(call).(*ast.CallExpr)
	if !ok {
		return false
	}
	if fn.Info().Types[up.Fun].IsType() {
		return code.IsString(fn.Info().TypeOf(up))
	}
	to, named := ast.Unparen(up.Fun).(*ast.SelectorExpr)
	from, _ := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if v := code.Var(fn.Info(), from.X); v != nil && !code.Reassigned(fn.Info(), fn.Decl.Body, v) {
		if made, ok := ast.Unparen(fn.Value(v)).(*ast.CallExpr); ok && code.IsFunc(fn.Info(), made, "reflect", "MakeSlice") {
			return true // it is no array
		}
	}
	return named && isMethod(fn, up, "Set") && code.SameVariable(fn.Info(), to.X, from.X)
}

// The methods of an address that say nothing of where it is.
var asksAlone = code.Set("CanInterface IsNil IsValid Kind NumMethod Type")

// mostLent is how many functions the address of a value is followed through.
const mostLent = 4

// lent says why the address of what a value holds, or an interface with it, may be kept: it is asked for an interface, and a
// method is called.
func (b *borrowed) lent(fn *prove.Function, e ast.Expr, depth int) *prove.Reason {
	f, info := fn.File, fn.Info()
	switch up := f.Parent(e).(type) {
	case *ast.ParenExpr, *ast.TypeAssertExpr:
		if assert, ok := up.(*ast.TypeAssertExpr); !ok || assert.Type != nil {
			return b.lent(fn, up.(ast.Expr), depth)
		}
	case *ast.BinaryExpr:
		return nil
	case *ast.SelectorExpr:
		call, ok := f.Parent(up).(*ast.CallExpr)
		switch {
		case !ok || call.Fun != ast.Expr(up) || f.Later(call):
		case isMethod(fn, call, "Interface"):
			return b.lent(fn, call, depth)
		case !isValue(info.TypeOf(e)):
			return b.filled(fn, call)
		case asksAlone[up.Sel.Name]:
			return nil
		}
	case *ast.AssignStmt:
		for i, r := range up.Rhs {
			v := code.Var(info, up.Lhs[i])
			if r != e || v == nil {
				continue
			}
			if !code.Local(v) || v.Kind() == types.ResultVar || fn == b.fn && !code.Declares(b.loop, v) {
				break
			}
			return b.lentUses(fn, v, depth)
		}
	case *ast.CallExpr:
		target := code.Callee(info, up)
		if code.Builtin(info, up) != "" || info.Types[up.Fun].IsType() || f.Later(up) {
			break
		}
		if target == nil || target.Pkg() == nil || code.IsInterfaceMethod(target) {
			return nil // assumed, as for a reflect.Value
		}
		if next := b.p.Function(target); next != nil && next.Decl.Body != nil && depth < mostLent {
			for i, a := range up.Args {
				if a == e && i < target.Signature().Params().Len() && !target.Signature().Variadic() {
					return b.lentUses(next, next.Obj.Signature().Params().At(i), depth+1)
				}
			}
		}
	}
	return prove.Refusef("the address of what it holds may be kept (%s)", b.p.Pos(e.Pos()))
}

func (b *borrowed) lentUses(fn *prove.Function, v *types.Var, depth int) *prove.Reason {
	if depth >= mostLent {
		return prove.Refusef("the address of what it holds goes through many functions (%s)", fn.Obj.Name())
	}
	for id := range prove.UsesIn(fn.Info(), fn.Decl.Body, v) {
		if fn.File.AssignedTo(id) {
			continue
		}
		if lit := fn.File.Literal(id); lit != fn.File.Literal(fn.Declaration(v)) {
			return prove.Refusef("a function literal has the address of what it holds (%s)", b.p.Pos(id.Pos()))
		}
		if why := b.lent(fn, id, depth+1); why != nil {
			return why
		}
	}
	return nil
}
