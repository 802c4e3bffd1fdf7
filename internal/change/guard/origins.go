package guard

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"maps"

	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/internal/rulekit/flow"
)

// roots are what a piece of memory comes from: parameters, receivers, package variables, functions whose
// results nothing is known of, and the local variables on the way. Memory with local variables alone was made here.
type roots map[root]bool

// A root is what an object leads to, the place of a variable itself, or an element of a slice that it names.
type root struct {
	types.Object
	place bool
	at    types.Object // of the element: a variable that is its index, or len for the last one; nil where it may be any
}

// foreign reports whether a root is not of the function itself.
func (r root) foreign() bool {
	v, ok := r.Object.(*types.Var)
	return !ok || !isLocal(v) || isParam(v) && !r.place
}

// An origin knows where the memory in the expressions of a function comes from.
type origin struct {
	side *origins
	u    *unit
	*code.Tree
	given map[*types.Var][]given
	leads map[*types.Var]roots // what those expressions name
	rets  map[int]roots        // where the results come from; nil while that is looked for
}

// A given is what a variable is given: an expression, or one of the results of a call.
type given struct {
	from   ast.Expr
	result int
}

// origins are those of one side that were asked for.
type origins struct {
	*program
	of    map[*unit]*origin
	hands map[*unit][]handing
}

func newOrigins(p *program) *origins {
	return &origins{program: p, of: make(map[*unit]*origin), hands: make(map[*unit][]handing)}
}

func (o *origins) origin(u *unit) *origin {
	if o.of[u] == nil {
		g := &origin{side: o, u: u, Tree: &code.Tree{Root: u.fn}, given: make(map[*types.Var][]given), leads: make(map[*types.Var]roots), rets: make(map[int]roots)}
		for n := range code.All[ast.Node](u.fn) {
			g.note(n)
		}
		o.of[u] = g
	}
	return o.of[u]
}

// note remembers what a node gives to local variables.
func (g *origin) note(n ast.Node) {
	give := func(to, from ast.Expr, result int) {
		if v := code.Var(g.u.info(), to); v != nil && !v.IsField() && isLocal(v) {
			g.given[v] = append(g.given[v], given{from, result})
		}
	}
	switch n := n.(type) {
	case *ast.AssignStmt:
		for i, l := range n.Lhs {
			if len(n.Rhs) == len(n.Lhs) {
				give(l, n.Rhs[i], 0)
			} else {
				give(l, n.Rhs[0], i)
			}
		}
	case *ast.ValueSpec:
		for i, name := range n.Names {
			if len(n.Values) == len(n.Names) {
				give(name, n.Values[i], 0)
			} else if len(n.Values) == 1 {
				give(name, n.Values[0], i)
			}
		}
	case *ast.RangeStmt:
		for _, e := range []ast.Expr{n.Key, n.Value} {
			if e != nil {
				give(e, n.X, 0)
			}
		}
	}
}

// roots returns where the memory comes from that an expression leads to.
func (g *origin) roots(e ast.Expr) roots { return g.closed(g.named(e, 0)) }

// closed adds where the memory in local variables comes from.
func (g *origin) closed(out roots) roots {
	var todo []root
	for o := range out {
		todo = append(todo, o)
	}
	for ; len(todo) > 0; todo = todo[1:] {
		v, ok := todo[0].Object.(*types.Var)
		if !ok || todo[0].place {
			continue
		}
		if g.leads[v] == nil {
			g.leads[v] = roots{}
			for _, s := range g.given[v] {
				maps.Copy(g.leads[v], g.named(s.from, s.result))
			}
		}
		for o := range g.leads[v] {
			if !out[o] && !(todo[0].at != nil && o.Object == v) {
				out[o] = true
				todo = append(todo, o)
			}
		}
	}
	return out
}

// named returns the variables and functions that an expression takes the memory from which its given result leads to.
func (g *origin) named(e ast.Expr, result int) roots {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		if v := code.Var(g.u.info(), e); v != nil {
			return roots{{v, false, nil}: true}
		}
	case *ast.UnaryExpr:
		if e.Op == token.AND {
			return g.address(e.X)
		}
		if e.Op == token.ARROW {
			return g.named(e.X, 0)
		}
	case *ast.SelectorExpr:
		if v, ok := g.u.info().Uses[e.Sel].(*types.Var); ok && !v.IsField() {
			return roots{{v, false, nil}: true} // of another package
		}
		return g.named(e.X, 0)
	case *ast.IndexExpr:
		return g.named(e.X, 0)
	case *ast.SliceExpr:
		if code.May[*types.Array](g.u.info().TypeOf(e.X)) {
			return g.address(e.X)
		}
		return g.named(e.X, 0)
	case *ast.StarExpr:
		return g.named(e.X, 0)
	case *ast.TypeAssertExpr:
		return g.named(e.X, 0)
	case *ast.CallExpr:
		return g.call(e, result)
	}
	return nil
}

// address returns where a variable stands: what a local one holds is memory of its own.
func (g *origin) address(e ast.Expr) roots {
	v := code.Var(g.u.info(), e)
	if v == nil {
		if sel, ok := ast.Unparen(e).(*ast.SelectorExpr); ok && !code.May[*types.Pointer](g.u.info().TypeOf(sel.X)) {
			return g.address(sel.X)
		}
		if slice, at := g.element(e); at != nil {
			return roots{{slice, false, at}: true}
		}
		return g.named(e, 0)
	}
	return roots{{v, true, nil}: true}
}

// element returns the variable of a slice and what is the index of an element of it, as in v[i] and v[len(v)-1]; nil for others.
func (g *origin) element(e ast.Expr) (slice *types.Var, at types.Object) {
	ix, ok := ast.Unparen(e).(*ast.IndexExpr)
	if !ok {
		return nil, nil
	}
	info := g.u.info()
	slice = code.Var(info, ix.X)
	if slice == nil || slice.IsField() || !isLocal(slice) {
		return nil, nil
	}
	switch index := ast.Unparen(ix.Index).(type) {
	case *ast.Ident:
		if v := code.Var(info, index); v != nil {
			return slice, v
		}
	case *ast.BinaryExpr:
		length, ok := ast.Unparen(index.X).(*ast.CallExpr)
		last := ok && index.Op == token.SUB && constantOf(info, index.Y) == constant.MakeInt64(1)
		if last && code.IsBuiltin(info, length, "len") && code.Var(info, length.Args[0]) == slice {
			return slice, types.Universe.Lookup("len")
		}
	}
	return nil, nil
}

// passes are functions of the standard library that return a part of what they get first.
const passes = "Fields FieldsFunc Split SplitN SplitAfter SplitAfterN Cut CutPrefix CutSuffix Trim* Compact CompactFunc Delete DeleteFunc Insert Replace Grow Clip"

func (g *origin) call(c *ast.CallExpr, result int) roots {
	info := g.u.info()
	if info.Types[c.Fun].IsType() {
		if code.IsString(info.TypeOf(c)) != code.IsString(info.TypeOf(c.Args[0])) {
			return nil // a copy
		}
		return g.named(c.Args[0], 0)
	}
	if b := code.Builtin(info, c); b != "" {
		if b == "append" {
			return g.named(c.Args[0], 0)
		}
		return nil
	}
	fn := code.Callee(info, c)
	switch u := g.side.decl(fn); {
	case fn == nil:
		return roots{{types.Universe.Lookup("nil"), false, nil}: true}
	case u != nil:
		return g.through(c, u, result)
	case !isStd(fn.Pkg().Path()) || code.IsInterfaceMethod(fn):
		return roots{{fn, false, nil}: true}
	case fn.Signature().Recv() != nil:
		if sel, ok := ast.Unparen(c.Fun).(*ast.SelectorExpr); ok {
			return g.within(sel.X)
		}
	case len(c.Args) > 0 && (flow.Extended(info, c) != nil || (fn.Pkg().Path() == "bytes" || fn.Pkg().Path() == "slices") && flow.NameMatches(passes, fn.Name())):
		return g.named(c.Args[0], 0)
	}
	return nil
}

// within returns where the memory of a receiver comes from.
func (g *origin) within(x ast.Expr) roots {
	if code.May[*types.Pointer](g.u.info().TypeOf(x)) {
		return g.named(x, 0)
	}
	return g.address(x)
}

// decl returns the function of the module that a call runs, nil where it is not known.
func (o *origins) decl(fn *types.Func) *unit {
	if fn == nil || fn.Pkg() == nil {
		return nil
	}
	if u := o.decls[objectName(fn)]; u != nil && u.fn != nil {
		return u
	}
	return nil
}

// through returns where a result of a function of the module comes from, as its caller sees it.
func (g *origin) through(c *ast.CallExpr, u *unit, result int) roots {
	inner := g.side.origin(u)
	out := roots{}
	for o := range inner.returned(result) {
		v, _ := o.Object.(*types.Var)
		switch arg := argumentOf(c, u, v); {
		case o.place && !o.foreign():
		case arg != nil && v == recvOf(u):
			maps.Copy(out, g.within(arg))
		case arg != nil:
			maps.Copy(out, g.named(arg, 0))
		case o.foreign():
			out[o] = true
		}
	}
	return out
}

// returned returns where a result of the function comes from.
func (g *origin) returned(result int) roots {
	if out, ok := g.rets[result]; ok {
		return out
	}
	g.rets[result] = nil
	out := roots{}
	for ret := range code.All[*ast.ReturnStmt](g.u.fn) {
		switch {
		case g.Literal(ret) != nil:
		case len(ret.Results) == 1 && g.u.obj.Signature().Results().Len() > 1:
			maps.Copy(out, g.named(ret.Results[0], result))
		case result < len(ret.Results):
			maps.Copy(out, g.named(ret.Results[result], 0))
		}
	}
	if all := g.u.obj.Signature().Results(); result < all.Len() && all.At(result).Name() != "" { // code that does not compile asks for more
		out[root{all.At(result), false, nil}] = true
	}
	g.rets[result] = g.closed(out)
	return out
}

func recvOf(u *unit) *types.Var { return u.obj.Signature().Recv() }

func isParam(v *types.Var) bool {
	return v.Kind() == types.ParamVar || v.Kind() == types.RecvVar
}

// argumentOf returns what a call gives to a parameter or the receiver of the function that it runs, or nil.
func argumentOf(c *ast.CallExpr, u *unit, v *types.Var) ast.Expr {
	if v == nil {
		return nil
	}
	if v == recvOf(u) {
		if sel, ok := ast.Unparen(c.Fun).(*ast.SelectorExpr); ok {
			return sel.X
		}
		return nil
	}
	params := u.obj.Signature().Params()
	for i := range params.Len() {
		if params.At(i) == v && i < len(c.Args) {
			return c.Args[i]
		}
	}
	return nil
}
