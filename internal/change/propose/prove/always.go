package prove

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/cfg"

	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/internal/rulekit/effects"
)

// always reports whether every path through fn that passes use also passes a
// node that hits says something about, before or after; a nil use stands for
// the start. It returns what was said first. With success set, paths that end
// in a panic or in returning an error do not count.
func (p *Confinement) always(fn *Function, use ast.Node, hits func(ast.Node) string, success bool) (string, bool) {
	return p.alwaysIn(fn.Info(), fn.Decl.Body, use, hits, func(n ast.Node) bool {
		return success && (CallsPanic(fn.Info(), n) || p.around.ReturnsError(fn, n))
	})
}

func (p *Confinement) alwaysIn(info *types.Info, body *ast.BlockStmt, use ast.Node, hits func(ast.Node) string, fails func(ast.Node) bool) (string, bool) {
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
		if len(s.block.Succs) == 0 && s.used && !fails(last) {
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

// ReturnsError reports whether n, in a function, returns an error for certain.
func (p *Surroundings) ReturnsError(fn *Function, n ast.Node) bool {
	ret, ok := n.(*ast.ReturnStmt)
	res := fn.Obj.Signature().Results()
	if !ok || res.Len() == 0 || len(ret.Results) != res.Len() {
		return false
	}
	last, info, ix := res.At(res.Len()-1), fn.Info(), fn.File.Pkg.Index()
	if !code.IsError(last.Type()) || code.Captured(ix, info, last) { // a deferred call may set it
		return false
	}
	e := ast.Unparen(ret.Results[res.Len()-1])
	if sel, ok := e.(*ast.SelectorExpr); ok && info.Selections[sel] == nil {
		e = sel.Sel
	}
	switch v := code.Var(info, e); {
	case newError(info, e):
		return true
	case v == nil || v.IsField():
		return false
	case !code.Local(v):
		return p.sentinel(fn, v)
	default:
		return !code.Captured(ix, info, v) && (onlyErrors(info, fn.Decl.Body, v, true) || code.Any(fn.Decl.Body, func(s *ast.IfStmt) bool {
			return code.Within(s.Body, ret) && code.NotNil(info, s.Cond, v) && onlyErrors(info, s.Body, v, false)
		}))
	}
}

// newError reports whether an expression, as an error, is not nil: a new one, or a value that is no interface.
func newError(info *types.Info, e ast.Expr) bool {
	if t := info.TypeOf(e); code.IsNil(info, e) || !types.IsInterface(t) {
		return !code.IsNil(info, e)
	}
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok {
		return false
	}
	target := code.Callee(info, call)
	return target != nil && (target.FullName() == "fmt.Errorf" || target.FullName() == "errors.New")
}

// onlyErrors reports whether some code gives a variable nothing but new errors, and declares it with one where that is asked for.
func onlyErrors(info *types.Info, in ast.Node, v *types.Var, declared bool) bool {
	other := code.Any(in, func(n ast.Node) bool {
		a, _ := n.(*ast.AssignStmt)
		for i, to := range code.Assigned(n) {
			if code.Var(info, to) != v {
				continue
			}
			if a == nil || len(a.Rhs) != len(a.Lhs) || !newError(info, a.Rhs[i]) {
				return true
			}
			id, _ := to.(*ast.Ident)
			declared = declared && info.Defs[id] != v
		}
		return false
	})
	return !other && !declared
}

// An errorVar is a package variable that a function returns.
type errorVar struct {
	v  *types.Var
	in *Package
}

// sentinel reports whether a package variable is an error at all times: it is declared as one, and nothing that was read sets it.
func (p *Surroundings) sentinel(fn *Function, v *types.Var) bool {
	key := errorVar{v, fn.File.Pkg}
	is, known := p.errors[key]
	if !known {
		is = p.alwaysError(fn, v)
		p.errors[key] = is
	}
	return is
}

// alwaysError is sentinel for a variable that was not asked about before.
func (p *Surroundings) alwaysError(fn *Function, v *types.Var) bool {
	k, value := p.declaredAs(v)
	made := effects.Standard(v.Pkg().Path()) || value != nil && newError(k.TypesInfo, value)
	return made && p.EachUse(fn, v, func(f *File, info *types.Info, e ast.Expr, _ ast.Node) *Reason {
		if f.AssignedTo(e) || Addressed(f, e) {
			return Refuse(v.Name() + " is set")
		}
		return nil
	}) == nil
}

// declaredAs returns the value that a package variable is declared with, and the package; nil for another module's, and where
// there is none of its own.
func (p *Surroundings) declaredAs(v *types.Var) (*Package, ast.Expr) {
	for _, k := range p.Packages {
		if _, _, spec := k.Declared(v); spec != nil && k.PkgPath == v.Pkg().Path() {
			value := spec.(*ast.ValueSpec)
			i := slices.IndexFunc(value.Names, func(id *ast.Ident) bool { return id.Name == v.Name() })
			if len(value.Values) == len(value.Names) {
				return k, value.Values[i]
			}
		}
	}
	return nil, nil
}

// SteadyError returns the constant or package variable that an expression in a function names, where it is one error with one
// text whenever the function runs: package errors or fmt made it, or it is one of the standard library, or a constant whose
// method returns what it says. It is nil for all else.
func (p *Surroundings) SteadyError(fn *Function, e ast.Expr) types.Object {
	e = ast.Unparen(e)
	if sel, ok := e.(*ast.SelectorExpr); ok && fn.Info().Selections[sel] == nil {
		e = sel.Sel
	}
	id, ok := e.(*ast.Ident)
	if !ok {
		return nil
	}
	switch obj := fn.Info().Uses[id].(type) {
	case *types.Const:
		if p.saysItself(obj) {
			return obj
		}
	case *types.Var:
		if !obj.IsField() && !code.Local(obj) && code.IsError(obj.Type()) && p.sentinel(fn, obj) && p.madeError(fn, obj) {
			return obj
		}
	}
	return nil
}

// madeError reports whether an error that is a package variable has the text that it was made with, before a function can run.
func (p *Surroundings) madeError(fn *Function, v *types.Var) bool {
	k, value := p.declaredAs(v)
	if k == nil {
		return true // the standard library's
	}
	call, ok := ast.Unparen(value).(*ast.CallExpr)
	if !ok || p.IgnoredMention(k, v.Name()) != "" || k == fn.File.Pkg && !k.setFirst(v) {
		return false
	}
	made := code.Callee(k.TypesInfo, call)
	return made != nil && (made.FullName() == "errors.New" || made.FullName() == "fmt.Errorf")
}

// saysItself reports whether a constant is an error whose text is the constant, perhaps with constant text around it.
func (p *Surroundings) saysItself(c *types.Const) bool {
	obj, _, _ := types.LookupFieldOrMethod(c.Type(), false, c.Pkg(), "Error")
	format, _, _ := types.LookupFieldOrMethod(c.Type(), false, c.Pkg(), "Format")
	method, ok := obj.(*types.Func)
	if !ok || format != nil || p.Function(method) == nil || p.Function(method).Decl.Body == nil {
		return false
	}
	fn := p.Function(method)
	ret, ok := fn.Decl.Body.List[0].(*ast.ReturnStmt)
	return ok && !code.Any(ret, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			return !fn.Info().Types[n.Fun].IsType()
		case *ast.Ident:
			v, isVar := fn.Info().Uses[n].(*types.Var)
			return isVar && v != method.Signature().Recv()
		case *ast.ReturnStmt, *ast.ParenExpr, *ast.BasicLit:
			return false
		case *ast.BinaryExpr:
			return n.Op != token.ADD
		}
		return true
	})
}

// setFirst reports whether a variable of a package has its value before any function of the package can run.
func (k *Package) setFirst(v *types.Var) bool {
	for _, init := range k.TypesInfo.InitOrder {
		if slices.Contains(init.Lhs, v) {
			return true
		}
		if code.Any(init.Rhs, func(n ast.Node) bool { return k.brings(n) }) {
			return false
		}
	}
	return false
}

// brings reports whether what gives a variable its first value may run a function of the package there: it is a call, but none
// of the standard library with values of basic types.
func (k *Package) brings(n ast.Node) bool {
	call, ok := n.(*ast.CallExpr)
	if !ok || k.TypesInfo.Types[call.Fun].IsType() || code.Builtin(k.TypesInfo, call) != "" {
		return false
	}
	fn := code.Callee(k.TypesInfo, call)
	return fn == nil || fn.Pkg() == nil || !effects.Standard(fn.Pkg().Path()) || fn.Signature().Recv() != nil ||
		slices.ContainsFunc(call.Args, func(a ast.Expr) bool {
			_, basic := types.Unalias(k.TypesInfo.TypeOf(a)).(*types.Basic)
			return !basic
		})
}

// shallow calls f for the nodes of a statement that run whenever it runs:
// not for function literals nor for the right operands of && and ||, nor for
// what Go does not evaluate.
func shallow(fn *Function, n ast.Node, f func(ast.Node)) {
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case nil, *ast.FuncLit, *ast.BlockStmt, *ast.GoStmt:
			return false
		case *ast.BinaryExpr:
			if n.Op == token.LAND || n.Op == token.LOR {
				shallow(fn, n.X, f)
				return false
			}
		case ast.Expr:
			if fn.unevaluated(n) {
				return false
			}
		}
		f(n)
		return true
	})
}

// unevaluated reports whether Go does not evaluate an expression: a constant such as the length of an array, what is asked for
// its size, and an array that a loop counts only. A nil pointer in it does not panic.
func (fn *Function) unevaluated(e ast.Expr) bool {
	if fn.Info().Types[e].Value != nil {
		return true
	}
	switch up := fn.File.Parent(e).(type) {
	case *ast.CallExpr:
		return e != up.Fun && slices.Contains([]string{"Alignof", "Offsetof", "Sizeof"}, code.Builtin(fn.Info(), up))
	case *ast.RangeStmt:
		if v, named := up.Value.(*ast.Ident); e != up.X || up.Value != nil && (!named || v.Name != "_") {
			return false
		}
		_, array := code.ArrayLen(fn.Info().TypeOf(e))
		return array
	}
	return false
}
