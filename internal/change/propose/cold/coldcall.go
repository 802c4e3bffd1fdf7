package cold

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// Call guards the call of an assertion helper by the helper's own
// condition, so that its arguments are boxed only when it fails.
var Call = prove.Transformation{
	Name:     "box-on-cold-path",
	Doc:      "A call check(cond, format, args…) that does something only if cond is false is made only then, so that args are boxed only then.",
	Saves:    prove.Allocs,
	Evidence: prove.Evidence(proofs, "box-on-cold-path", "BenchmarkSum", "allocs", "no allocation where nothing fails", 0),
	// It looks at the calls on the target's line and on those of the module's
	// frames: the allocation may be attributed to the helper.
	Propose: prove.At(prove.Frames, func(s *prove.Site) {
		for _, call := range checksAt(s.Program, s.Fn, s.At.Line) {
			ch, why := proposeCall(s.Program, s.Fn, call)
			s.Add("the arguments of "+types.ExprString(call.Fun)+" are boxed on every call", ch, why)
		}
	}),
}

// checksAt returns the statements on a line that call an assertion helper
// with more than a condition and a message.
func checksAt(p *prove.Program, fn *prove.Function, line int) []*ast.CallExpr {
	var found []*ast.CallExpr
	for s := range code.All[*ast.ExprStmt](fn.Decl.Body) {
		if !p.Covers(s, line) {
			continue
		}
		call, ok := s.X.(*ast.CallExpr)
		if !ok || len(call.Args) < 3 {
			continue
		}
		if target := code.Callee(fn.Info(), call); target != nil && helper(p, target) {
			found = append(found, call)
		}
	}
	return found
}

// helper reports whether fn does nothing unless its first parameter is false:
// its body is one if statement on it.
func helper(p *prove.Program, target *types.Func) bool {
	fn := p.Function(target)
	if fn == nil || fn.Decl.Recv != nil || len(fn.Decl.Body.List) != 1 || !fn.Obj.Signature().Variadic() || fn.Obj.Signature().Results().Len() > 0 {
		return false
	}
	s, ok := fn.Decl.Body.List[0].(*ast.IfStmt)
	if !ok || s.Init != nil || s.Else != nil {
		return false
	}
	not, ok := ast.Unparen(s.Cond).(*ast.UnaryExpr)
	if !ok || not.Op != token.NOT {
		return false
	}
	id, ok := ast.Unparen(not.X).(*ast.Ident)
	return ok && fn.Info().Uses[id] == fn.Obj.Signature().Params().At(0)
}

func proposeCall(p *prove.Program, fn *prove.Function, call *ast.CallExpr) (*model.Change, *prove.Reason) {
	if why := commented(p, fn.File, call.Args[0]); why != nil {
		return nil, why
	}
	if call.Ellipsis.IsValid() {
		return nil, prove.Refuse("they are passed as a slice")
	}
	if v := fn.Info().Types[call.Args[0]].Value; v != nil {
		return nil, prove.Refuse("the condition is constant")
	}
	if code.Jumps(fn.Decl.Body) {
		return nil, prove.Refuse(fn.Obj.Name() + " uses goto")
	}
	if f := p.DeclaredElsewhere(p.Function(code.Callee(fn.Info(), call))); f != "" {
		return nil, prove.Refuse("for other builds, " + f + " declares it: it may do something there when the condition holds")
	}
	pure := &prove.Purity{Prog: p, Fn: fn, Call: call}
	for _, a := range call.Args[1:] {
		if why := pure.Check(a); why != nil {
			return nil, why
		}
	}
	f, cond := fn.File, call.Args[0]
	edits := []model.Edit{
		p.Insert(f, call.Pos(), "if "+negate(p, fn, cond)+" {\n"),
		p.Put(f, cond.Pos(), cond.End(), "false"),
		p.Insert(f, call.End(), "\n}"),
	}
	name := code.Callee(fn.Info(), call).Name()
	obligations := []model.Obligation{
		{Text: name + " does nothing when its first argument is true", How: "proven", Why: "its body is one if statement on it"},
		{Text: "evaluating the arguments has no effect", How: "proven", Why: "they are variables, fields, literals and conversions"},
		{Text: "evaluating the arguments cannot panic", How: "proven", Why: reason(pure)},
	}
	return p.Change(fn, edits, model.Change{
		Kind:        "box-on-cold-path",
		Title:       fmt.Sprintf("%s: call %s in %s only when its condition fails (%s)", fn.File.Pkg.Name, name, fn.Obj.Name(), prove.Short(p.Source(f, cond))),
		Obligations: obligations,
	})
}

// commented refuses conditions with comments in them: they would be lost or
// doubled.
func commented(p *prove.Program, f *prove.File, e ast.Expr) *prove.Reason {
	for _, g := range f.Syntax.Comments {
		if code.Within(e, g) {
			return prove.Refuse("there is a comment within the condition")
		}
	}
	return nil
}

// negate writes the negation of a condition. Comparisons are turned round but
// for those of floating-point numbers by order, which are all false for NaN.
func negate(p *prove.Program, fn *prove.Function, cond ast.Expr) string {
	f, info := fn.File, fn.Info()
	text := p.Source(f, cond)
	switch e := ast.Unparen(cond).(type) {
	case *ast.Ident, *ast.SelectorExpr, *ast.CallExpr:
		if !literalIn(e) {
			return "!" + p.Source(f, e)
		}
	case *ast.UnaryExpr:
		if e.Op == token.NOT && !literalIn(e.X) {
			return p.Source(f, ast.Unparen(e.X))
		}
	case *ast.BinaryExpr:
		op, ok := prove.InverseComparison[e.Op]
		b, basic := info.TypeOf(e.X).Underlying().(*types.Basic)
		b2, basic2 := info.TypeOf(e.Y).Underlying().(*types.Basic)
		ordered := basic && basic2 && b.Info()&types.IsFloat == 0 && b2.Info()&types.IsFloat == 0
		equality := e.Op == token.EQL || e.Op == token.NEQ
		if ok && (equality || ordered) && !literalIn(e) {
			start, end := p.Offset(e.X.End()), p.Offset(e.Y.Pos())
			gap := string(f.Src[start:end])
			at := p.Offset(e.OpPos) - start
			return p.Source(f, e.X) + gap[:at] + op.String() + gap[at+len(e.Op.String()):] + p.Source(f, e.Y)
		}
	}
	return "!(" + text + ")"
}

// literalIn reports whether e has a composite or function literal, whose
// braces an if statement would misread.
func literalIn(e ast.Expr) bool {
	return code.Any(e, func(*ast.CompositeLit) bool { return true }) || code.Any(e, func(*ast.FuncLit) bool { return true })
}

func reason(u *prove.Purity) string {
	if len(u.Why) == 0 {
		return "they go through no pointer"
	}
	return strings.Join(u.Why, "; ")
}
