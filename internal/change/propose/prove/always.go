package prove

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/cfg"

	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// always reports whether every path through fn that passes use also passes a
// node that hits says something about, before or after; a nil use stands for
// the start. It returns what was said first. Paths that end in a panic do not
// count. With success set, neither do those that end in returning an error.
func (p *Confinement) always(fn *Function, use ast.Node, hits func(ast.Node) string, success bool) (string, bool) {
	return p.alwaysIn(fn.Info(), fn.Decl.Body, use, hits, success)
}

func (p *Confinement) alwaysIn(info *types.Info, body *ast.BlockStmt, use ast.Node, hits func(ast.Node) string, success bool) (string, bool) {
	g := p.panicGraph(info, body)
	type state struct {
		block *cfg.Block
		used  bool
	}
	where := ""
	todo, seen := []state{{g.Blocks[0], use == nil}}, map[state]bool{}
	for len(todo) > 0 {
		s := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if seen[s] {
			continue
		}
		seen[s] = true
		hit, last := false, ast.Node(nil)
		for _, n := range s.block.Nodes {
			last = n
			if use != nil && (code.Within(use, n) || code.Within(n, use)) {
				s.used = true
			}
			if w := hits(n); w != "" {
				where = cmp.Or(where, w)
				hit = true
			}
		}
		if hit {
			continue
		}
		for _, next := range s.block.Succs {
			todo = append(todo, state{next, s.used})
		}
		if len(s.block.Succs) == 0 && s.used && !CallsPanic(info, last) && !(success && ReturnsError(info, body, last)) {
			return "", false
		}
	}
	return where, where != ""
}

// panicGraph returns a body's control flow, in which panic alone does not return. It is asked once for each field of a type.
func (p *Confinement) panicGraph(info *types.Info, body *ast.BlockStmt) *cfg.CFG {
	if p.graphs == nil {
		p.graphs = map[*ast.BlockStmt]*cfg.CFG{}
	}
	if p.graphs[body] == nil {
		p.graphs[body] = cfg.New(body, func(call *ast.CallExpr) bool { return code.Builtin(info, call) != "panic" })
	}
	return p.graphs[body]
}

// SetsEachTurn reports whether each turn of a loop that another one follows sets the same field of what a variable points to: no
// two goroutines can be in such turns, in a program without data races.
func (p *Confinement) SetsEachTurn(fn *Function, loop ast.Stmt, v *types.Var) bool {
	return slices.ContainsFunc(fieldsOf(v), func(field int) bool { return p.eachTurn(fn, loop, p.writesField(fn, v, field)) })
}

// eachTurn reports whether each of them passes a node that hits says something about.
func (p *Confinement) eachTurn(fn *Function, loop ast.Stmt, hits func(ast.Node) string) bool {
	g := p.panicGraph(fn.Info(), fn.Decl.Body)
	var todo []*cfg.Block
	heads := map[*cfg.Block]bool{}
	for _, b := range g.Blocks {
		if b.Stmt != loop {
			continue
		}
		switch b.Kind {
		case cfg.KindForBody, cfg.KindRangeBody:
			todo = append(todo, b)
			heads[b] = true
		case cfg.KindForLoop, cfg.KindRangeLoop:
			heads[b] = true
		}
	}
	for seen := map[*cfg.Block]bool{}; len(todo) > 0; {
		b := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if seen[b] || slices.ContainsFunc(b.Nodes, func(n ast.Node) bool { return hits(n) != "" }) {
			continue
		}
		seen[b] = true
		if slices.ContainsFunc(b.Succs, func(next *cfg.Block) bool { return heads[next] }) {
			return false
		}
		todo = append(todo, b.Succs...)
	}
	return true
}

// CallsPanic reports whether n is a statement that calls panic.
func CallsPanic(info *types.Info, n ast.Node) bool {
	s, ok := n.(*ast.ExprStmt)
	if !ok {
		return false
	}
	call, ok := s.X.(*ast.CallExpr)
	return ok && code.Builtin(info, call) == "panic"
}

// ReturnsError reports whether n returns an error for certain.
func ReturnsError(info *types.Info, body *ast.BlockStmt, n ast.Node) bool {
	ret, ok := n.(*ast.ReturnStmt)
	return ok && len(ret.Results) > 0 && certainError(info, body, ret, ret.Results[len(ret.Results)-1])
}

// certainError reports whether e, returned by ret, is an error that is not
// nil: a package variable, a newly made one, or one that an enclosing
// condition has found not to be nil.
func certainError(info *types.Info, body ast.Node, ret ast.Node, e ast.Expr) bool {
	t := info.TypeOf(e)
	if t == nil || !types.Implements(t, types.Universe.Lookup("error").Type().Underlying().(*types.Interface)) {
		return false
	}
	switch e := ast.Unparen(e).(type) {
	case *ast.CallExpr:
		fn := code.Callee(info, e)
		if fn == nil || fn.Pkg() == nil {
			return false
		}
		full := fn.Pkg().Path() + "." + fn.Name()
		return full == "fmt.Errorf" || full == "errors.New"
	case *ast.UnaryExpr:
		return e.Op == token.AND
	case *ast.SelectorExpr:
		v, ok := info.Uses[e.Sel].(*types.Var)
		return ok && !v.IsField() // a package's error variable
	case *ast.Ident:
		v, ok := info.Uses[e].(*types.Var)
		if !ok {
			return false
		}
		return v.Pkg() != nil && v.Parent() == v.Pkg().Scope() || foundNotNil(info, body, ret, v) || newError(info, body, v)
	}
	return false
}

// newError reports whether v is a local variable that only ever holds what
// fmt.Errorf or errors.New has returned.
func newError(info *types.Info, body ast.Node, v *types.Var) bool {
	made, others := false, false
	for a := range code.All[*ast.AssignStmt](body) {
		for i, l := range a.Lhs {
			id, ok := l.(*ast.Ident)
			if !ok || info.ObjectOf(id) != v {
				continue
			}
			if call, ok := a.Rhs[min(i, len(a.Rhs)-1)].(*ast.CallExpr); ok && a.Tok == token.DEFINE && len(a.Rhs) == len(a.Lhs) && info.Defs[id] == v {
				made = certainError(info, body, a, call)
			} else {
				others = true
			}
		}
	}
	return made && !others
}

// foundNotNil reports whether at stands in the body of an if whose condition
// is v != nil.
func foundNotNil(info *types.Info, body ast.Node, at ast.Node, v *types.Var) bool {
	return code.Any(body, func(s *ast.IfStmt) bool { return code.Within(s.Body, at) && code.NotNil(info, s.Cond, v) })
}

// shallow calls f for the nodes of a statement that run whenever it runs:
// not for function literals nor for the right operands of && and ||.
func shallow(n ast.Node, f func(ast.Node)) {
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case nil, *ast.FuncLit, *ast.BlockStmt, *ast.GoStmt:
			return false
		case *ast.BinaryExpr:
			if n.Op == token.LAND || n.Op == token.LOR {
				shallow(n.X, f)
				return false
			}
		}
		f(n)
		return true
	})
}
