package propose

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/rules/rule"
)

// coldCall guards the call of an assertion helper by the helper's own
// condition, so that its arguments are boxed only when it fails.
type coldCall struct{ savesAllocs }

// Name is the kind of the changes.
func (coldCall) Name() string { return "box-on-cold-path" }

// Doc describes the transformation.
func (coldCall) Doc() string {
	return "A call check(cond, format, args…) that does something only if cond is false is made only then, so that args are boxed only then."
}

// Evidence is the proof that it pays.
func (coldCall) Evidence() *rule.Evidence {
	return proof("box-on-cold-path", "BenchmarkSum", "allocs", "no allocation where nothing fails", 0)
}

// Propose looks at the calls on the target's line and on those of the module's
// frames: the allocation may be attributed to the helper.
func (c coldCall) Propose(p *Program, t model.Target) ([]model.Change, []Refusal) {
	o := offers{kind: c.Name(), target: t}
	p.eachPlace(places(t, true), func(fn *function, at model.Pos) {
		for _, call := range p.checksAt(fn, at.Line) {
			ch, why := c.propose(p, fn, call)
			o.add(at, "the arguments of "+types.ExprString(call.Fun)+" are boxed on every call", ch, why)
		}
	})
	return o.changes, o.refusals
}

// checksAt returns the statements on a line that call an assertion helper
// with more than a condition and a message.
func (p *Program) checksAt(fn *function, line int) []*ast.CallExpr {
	var found []*ast.CallExpr
	ast.Inspect(fn.decl.Body, func(n ast.Node) bool {
		s, ok := n.(*ast.ExprStmt)
		if !ok || !p.covers(s, line) {
			return true
		}
		call, ok := s.X.(*ast.CallExpr)
		if !ok || len(call.Args) < 3 {
			return true
		}
		if target := callee(fn.info(), call); target != nil && p.helper(target) {
			found = append(found, call)
		}
		return true
	})
	return found
}

// helper reports whether fn does nothing unless its first parameter is false:
// its body is one if statement on it.
func (p *Program) helper(target *types.Func) bool {
	fn := p.function(target)
	if fn == nil || fn.decl.Recv != nil || len(fn.decl.Body.List) != 1 || !fn.obj.Signature().Variadic() || fn.obj.Signature().Results().Len() > 0 {
		return false
	}
	s, ok := fn.decl.Body.List[0].(*ast.IfStmt)
	if !ok || s.Init != nil || s.Else != nil {
		return false
	}
	not, ok := ast.Unparen(s.Cond).(*ast.UnaryExpr)
	if !ok || not.Op != token.NOT {
		return false
	}
	id, ok := ast.Unparen(not.X).(*ast.Ident)
	return ok && fn.info().Uses[id] == fn.obj.Signature().Params().At(0)
}

func (c coldCall) propose(p *Program, fn *function, call *ast.CallExpr) (*model.Change, string) {
	if why := editable(fn.file); why != "" {
		return nil, why
	}
	if why := p.commented(fn.file, call.Args[0]); why != "" {
		return nil, why
	}
	if call.Ellipsis.IsValid() {
		return nil, "they are passed as a slice"
	}
	if v := fn.info().Types[call.Args[0]].Value; v != nil {
		return nil, "the condition is constant"
	}
	if hasGoto(fn.decl.Body) {
		return nil, fn.obj.Name() + " uses goto"
	}
	if f := p.declaredElsewhere(p.function(callee(fn.info(), call))); f != "" {
		return nil, "for other builds, " + f + " declares it: it may do something there when the condition holds"
	}
	pure := &purity{p: p, fn: fn, call: call}
	for _, a := range call.Args[1:] {
		if why := pure.check(a); why != "" {
			return nil, why
		}
	}
	f, cond := fn.file, call.Args[0]
	edits := []model.Edit{
		p.edit(f, p.offset(call.Pos()), p.offset(call.Pos()), "if "+p.negate(fn, cond)+" {\n"),
		p.edit(f, p.offset(cond.Pos()), p.offset(cond.End()), "false"),
		p.edit(f, p.offset(call.End()), p.offset(call.End()), "\n}"),
	}
	edits, err := p.settle(edits)
	if err != nil {
		return nil, err.Error()
	}
	name := callee(fn.info(), call).Name()
	obligations := []model.Obligation{
		{Text: name + " does nothing when its first argument is true", How: "proven", Why: "its body is one if statement on it"},
		{Text: "evaluating the arguments has no effect", How: "proven", Why: "they are variables, fields, literals and conversions"},
		{Text: "evaluating the arguments cannot panic", How: "proven", Why: pure.reason()},
	}
	return &model.Change{
		ID: changeID(c.Name(), fn.obj.FullName(), edits), Kind: c.Name(), Class: "B",
		Title: fmt.Sprintf("%s: call %s in %s only when its condition fails (%s)", fn.file.pkg.Name, name, fn.obj.Name(), short(p.source(f, cond))),
		Edits: edits, Obligations: obligations,
	}, ""
}

// short cuts a condition to a title's length, at one line.
func short(s string) string {
	for i, r := range s {
		if r == '\n' || i > 40 {
			return s[:i] + " …"
		}
	}
	return s
}

// commented refuses conditions with comments in them: they would be lost or
// doubled.
func (p *Program) commented(f *file, e ast.Expr) string {
	for _, g := range f.syntax.Comments {
		if within(e, g) {
			return "there is a comment within the condition"
		}
	}
	return ""
}

var inverse = map[token.Token]string{token.EQL: "!=", token.NEQ: "==", token.LSS: ">=", token.GEQ: "<", token.GTR: "<=", token.LEQ: ">"}

// negate writes the negation of a condition. Comparisons are turned round but
// for those of floating-point numbers by order, which are all false for NaN.
func (p *Program) negate(fn *function, cond ast.Expr) string {
	f, info := fn.file, fn.info()
	text := p.source(f, cond)
	switch e := ast.Unparen(cond).(type) {
	case *ast.Ident, *ast.SelectorExpr, *ast.CallExpr:
		if !literalIn(e) {
			return "!" + p.source(f, e)
		}
	case *ast.UnaryExpr:
		if e.Op == token.NOT && !literalIn(e.X) {
			return p.source(f, ast.Unparen(e.X))
		}
	case *ast.BinaryExpr:
		op, ok := inverse[e.Op]
		b, basic := info.TypeOf(e.X).Underlying().(*types.Basic)
		b2, basic2 := info.TypeOf(e.Y).Underlying().(*types.Basic)
		ordered := basic && basic2 && b.Info()&types.IsFloat == 0 && b2.Info()&types.IsFloat == 0
		equality := e.Op == token.EQL || e.Op == token.NEQ
		if ok && (equality || ordered) && !literalIn(e) {
			start, end := p.offset(e.X.End()), p.offset(e.Y.Pos())
			gap := string(f.src[start:end])
			at := p.offset(e.OpPos) - start
			return p.source(f, e.X) + gap[:at] + op + gap[at+len(e.Op.String()):] + p.source(f, e.Y)
		}
	}
	return "!(" + text + ")"
}

// literalIn reports whether e has a composite or function literal, whose
// braces an if statement would misread.
func literalIn(e ast.Expr) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.CompositeLit, *ast.FuncLit:
			found = true
		}
		return !found
	})
	return found
}
