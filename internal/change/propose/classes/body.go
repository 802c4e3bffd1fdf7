package classes

import (
	"go/ast"
	"go/types"

	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// maxDepth is how many calls deep a predicate of the module is read.
const maxDepth = 4

// helper reads a call of a function of the module that only asks its one
// parameter.
func (d *predicate) helper(fn *types.Func, call *ast.CallExpr) value {
	x, is := d.compile(call.Args[0]), d.declaredAs(fn, types.Bool)
	if x == nil || is == nil {
		return nil
	}
	return func(c int64) int64 { return is(x(c)) }
}

// declaredAs reads such a function, which returns something of a kind.
func (d *predicate) declaredAs(fn *types.Func, kind types.BasicKind) value {
	callee := d.p.Function(fn)
	if callee == nil || d.depth == maxDepth || d.p.DeclaredElsewhere(callee) != "" {
		return nil
	}
	inner := &predicate{p: d.p, fn: callee, depth: d.depth + 1, facts: d.facts}
	return inner.function(kind)
}

// function compiles the body of a function of one byte or rune that returns
// something of a kind; nil for any other.
func (d *predicate) function(kind types.BasicKind) value {
	sig, decl := d.fn.Obj.Signature(), d.fn.Decl
	if sig.TypeParams().Len() > 0 || sig.RecvTypeParams().Len() > 0 || sig.Params().Len() != 1 || sig.Results().Len() != 1 ||
		sig.Results().At(0).Name() != "" || !types.Identical(sig.Results().At(0).Type(), types.Typ[kind]) {
		return nil
	}
	names := decl.Type.Params.List[0].Names
	if len(names) != 1 || names[0].Name == "_" || sizeOf(sig.Params().At(0).Type()) == 0 {
		return nil
	}
	return d.body(decl.Body, sig.Params().At(0))
}

// body compiles that of a function of one byte or rune.
func (d *predicate) body(body *ast.BlockStmt, param *types.Var) value {
	// The parameter stands for itself: SameVariable wants a use of it.
	if d.subject = useOf(d.fn.Info(), body, param); d.subject == nil || !d.settledType(param.Type(), 0) {
		return nil
	}
	if s := d.list(body.List); s != nil {
		return func(c int64) int64 {
			v, _ := s(c)
			return v
		}
	}
	return nil
}

func useOf(info *types.Info, body *ast.BlockStmt, v *types.Var) ast.Expr {
	for id := range code.All[*ast.Ident](body) {
		if info.Uses[id] == v {
			return id
		}
	}
	return nil
}

// A step is what a statement does for one byte: it returns something, or goes on.
type step func(c int64) (v int64, returned bool)

// list compiles statements; nil if one does more than choose what is returned.
func (d *predicate) list(all []ast.Stmt) step {
	steps := make([]step, len(all))
	for i, s := range all {
		if steps[i] = d.stmt(s); steps[i] == nil {
			return nil
		}
	}
	return func(c int64) (int64, bool) {
		for _, s := range steps {
			if v, returned := s(c); returned {
				return v, true
			}
		}
		return 0, false
	}
}

func (d *predicate) stmt(s ast.Stmt) step {
	switch s := s.(type) {
	case *ast.ReturnStmt:
		if v := d.compile(s.Results[0]); v != nil {
			return func(c int64) (int64, bool) { return v(c), true }
		}
	case *ast.AssignStmt:
		return d.name(s)
	case *ast.BlockStmt:
		return d.list(s.List)
	case *ast.IfStmt:
		return d.branch(s)
	case *ast.SwitchStmt:
		return d.choice(s)
	}
	return nil
}

func (d *predicate) branch(s *ast.IfStmt) step {
	if s.Init != nil {
		return nil
	}
	is, yes, no := d.compile(s.Cond), d.list(s.Body.List), d.list(nil)
	if s.Else != nil {
		no = d.stmt(s.Else)
	}
	if is == nil || yes == nil || no == nil {
		return nil
	}
	return func(c int64) (int64, bool) {
		if is(c) == 1 {
			return yes(c)
		}
		return no(c)
	}
}

// choice compiles a switch with or without a tag. A break is no statement that
// is known, so that each clause returns or falls out of the switch.
func (d *predicate) choice(s *ast.SwitchStmt) step {
	var tag value = func(int64) int64 { return 1 }
	if s.Tag != nil {
		tag = d.compile(s.Tag)
	}
	if s.Init != nil || tag == nil {
		return nil
	}
	var tests []value
	var bodies []step
	other := d.list(nil)
	for _, n := range s.Body.List {
		clause := n.(*ast.CaseClause)
		body := d.list(clause.Body)
		if body == nil {
			return nil
		}
		if clause.List == nil {
			other = body
		}
		for _, e := range clause.List {
			v := d.compile(e)
			if v == nil {
				return nil
			}
			if s.Tag != nil {
				d.weight += 2
			}
			tests, bodies = append(tests, v), append(bodies, body)
		}
	}
	return func(c int64) (int64, bool) {
		what := tag(c)
		for i, is := range tests {
			if is(c) == what {
				return bodies[i](c)
			}
		}
		return other(c)
	}
}
