package guard

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/internal/rulekit/flow"
)

// A handing is a place where a function gives memory to what may keep or change it.
type handing struct {
	to    string // the same on both sides, whatever is handed on
	why   string // what is known of that
	typ   string // of the memory; see memoryType
	what  ast.Expr
	roots roots
}

// memoryType names the type of a slice, a map or a pointer, "" for other types.
func memoryType(t types.Type) string {
	if t == nil {
		return ""
	}
	switch u := t.Underlying().(type) {
	case *types.Slice, *types.Map:
		return types.TypeString(u, nil)
	case *types.Pointer:
		return types.TypeString(t, nil)
	}
	return ""
}

// handings returns where a function hands memory on.
func (o *origins) handings(u *unit) []handing {
	if out, ok := o.hands[u]; ok {
		return out
	}
	o.hands[u] = nil // while it is read: a function that calls itself
	g := o.origin(u)
	var out []handing
	add := func(e ast.Expr, to, why string) {
		if typ := memoryType(u.info().TypeOf(e)); typ != "" {
			out = append(out, handing{to, why, typ, e, g.roots(e)})
		}
	}
	for n := range code.All[ast.Node](u.fn.Body) {
		g.handed(n, add)
	}
	o.hands[u] = out
	return out
}

// handed calls add for each expression that a node hands on.
func (g *origin) handed(n ast.Node, add func(e ast.Expr, to, why string)) {
	switch n := n.(type) {
	case *ast.ReturnStmt:
		for i, e := range n.Results {
			add(e, "return "+strconv.Itoa(i), "its caller gets it")
		}
	case *ast.SendStmt:
		add(n.Value, "send", "it is sent to a channel")
	case *ast.CompositeLit:
		for _, e := range n.Elts {
			if kv, ok := e.(*ast.KeyValueExpr); ok {
				e = kv.Value
			}
			add(e, "literal", "a value holds it")
		}
	case *ast.AssignStmt:
		for i, l := range n.Lhs {
			g.assigned(n, i, l, add)
		}
	case *ast.IncDecStmt:
		g.changed(n.X, add)
	case *ast.CallExpr:
		g.called(n, add)
	}
}

// assigned calls add for what an assignment stores where others find it, or changes.
func (g *origin) assigned(n *ast.AssignStmt, i int, l ast.Expr, add func(e ast.Expr, to, why string)) {
	l = ast.Unparen(l)
	g.changed(l, add)
	if len(n.Lhs) != len(n.Rhs) {
		return
	}
	if g.partOf(n.Rhs[i], types.ExprString(l), make(map[*types.Var]bool)) {
		return
	}
	v := code.Var(g.u.info(), l)
	switch {
	case v == nil:
		add(n.Rhs[i], "store", "it is stored in "+types.ExprString(l))
	case v.Kind() == types.ResultVar:
		add(n.Rhs[i], "return", "its caller gets it")
	case !isLocal(v):
		add(n.Rhs[i], "store", "it is stored in "+v.Name())
	}
}

// partOf reports whether an expression is a part of the slice that is named so, or what that grew to. What is stored
// where it comes from is handed to nobody.
func (g *origin) partOf(e ast.Expr, place string, seen map[*types.Var]bool) bool {
	e = ast.Unparen(e)
	if types.ExprString(e) == place {
		return true
	}
	switch e := e.(type) {
	case *ast.SliceExpr:
		return g.partOf(e.X, place, seen)
	case *ast.CallExpr:
		return code.IsBuiltin(g.u.info(), e, "append") && g.partOf(e.Args[0], place, seen)
	case *ast.Ident:
		v := code.Var(g.u.info(), e)
		if v == nil || seen[v] {
			return v != nil
		}
		seen[v] = true
		return len(g.given[v]) > 0 && !slices.ContainsFunc(g.given[v], func(s given) bool { return !g.partOf(s.from, place, seen) })
	}
	return false
}

// changed calls add for the slice or map one of whose elements an expression is that is assigned to.
func (g *origin) changed(l ast.Expr, add func(e ast.Expr, to, why string)) {
	if ix, ok := ast.Unparen(l).(*ast.IndexExpr); ok && memoryType(g.u.info().TypeOf(ix.X)) != "" {
		add(ix.X, "write", "its elements are changed")
	}
}

// writers are functions of the standard library that change what they get first.
const writers = "Sort SortFunc SortStableFunc Reverse Slice SliceStable Stable Ints Strings Float64s Shuffle Delete DeleteFunc Compact CompactFunc Replace"

// readers are packages whose functions and methods neither keep nor change what they get, but for some.
var readers = code.Set("bytes", "slices", "strings", "maps", "fmt", "encoding/json", "reflect", "regexp", "unicode/utf8", "errors", "cmp")

// readersKeep are those.
const readersKeep = "NewBuffer NewReader Reset"

// called calls add for the arguments of a call that what it runs may keep or change.
func (g *origin) called(c *ast.CallExpr, add func(e ast.Expr, to, why string)) {
	info := g.u.info()
	if info.Types[c.Fun].IsType() {
		return
	}
	name := types.ExprString(c.Fun)
	switch code.Builtin(info, c) {
	case "":
	case "append":
		for _, a := range c.Args[1:] {
			if !c.Ellipsis.IsValid() {
				add(a, "append", "a slice holds it")
			}
		}
		return
	case "copy", "delete", "clear":
		add(c.Args[0], "write", "its elements are changed")
		return
	default:
		return
	}
	fn := code.Callee(info, c)
	u := g.side.decl(fn)
	for i, a := range c.Args {
		switch {
		case memoryType(info.TypeOf(a)) == "":
		case g.Spawned(c):
			add(a, "go "+name, "a goroutine gets it")
		case fn == nil, code.IsInterfaceMethod(fn) && flow.ContractOf(fn) == nil:
			if !g.literal(c.Fun) {
				add(a, "call "+name, "what "+name+" does is known at run time only")
			}
		case u != nil:
			if to, why := g.side.keeps(u, i); why != "" {
				add(a, to+" "+name, "in "+name+" "+why)
			}
		case flow.NameMatches(writers, fn.Name()) && (fn.Pkg().Path() == "sort" || fn.Pkg().Path() == "slices"):
			add(a, "write", "its elements are changed")
		case fn.Pkg() != nil && readers[fn.Pkg().Path()] && !flow.NameMatches(readersKeep, fn.Name()), flow.ContractOf(fn) != nil:
		default:
			add(a, "call "+name, name+" may keep it")
		}
	}
}

// literal reports whether an expression is a function literal of this function, or a variable of it that is nothing else.
func (g *origin) literal(e ast.Expr) bool {
	if _, ok := ast.Unparen(e).(*ast.FuncLit); ok {
		return true
	}
	v := code.Var(g.u.info(), e)
	return v != nil && isLocal(v) && len(g.given[v]) > 0 && !slices.ContainsFunc(g.given[v], func(s given) bool {
		_, ok := s.from.(*ast.FuncLit)
		return !ok
	})
}

// keeps says how a function of the module keeps what it is given at a place, or changes it, which is a write; "" where it
// does neither.
func (o *origins) keeps(u *unit, arg int) (to, why string) {
	if u.fn.Body == nil {
		return "call", "it is not followed further"
	}
	params := u.obj.Signature().Params()
	if params.Len() == 0 {
		return "call", "it does not compile"
	}
	v := params.At(min(arg, params.Len()-1))
	for _, h := range o.handings(u) {
		switch {
		case !h.roots[root{v, false, nil}] || isReturn(h.to):
		case !isWrite(h.to):
			return "call", h.why
		case why == "":
			to, why = "write", h.why
		}
	}
	return to, why
}

func isWrite(to string) bool { return strings.HasPrefix(to, "write") }

func isReturn(to string) bool { return strings.HasPrefix(to, "return") }

// lent reports whether memory that is handed on is still somebody else's, or used again in the next turn of a loop.
func (g *origin) lent(h handing) bool {
	for o := range h.roots {
		taken := code.IsNamed(o.Type(), "sync", "Pool") && isWrite(h.to) // nobody else has what a pool gives
		if !taken && (o.foreign() || g.reused(o, h)) {
			return true
		}
	}
	return false
}

// reused reports whether a variable of the function keeps its memory from one turn to the next of a loop in which
// it is handed on.
func (g *origin) reused(o root, h handing) bool {
	v := o.Object.(*types.Var)
	loop := g.Loop(h.what)
	if isReturn(h.to) || isWrite(h.to) || loop == nil || loop.Pos() <= v.Pos() && v.Pos() < loop.End() {
		return false
	}
	if r, ok := g.Parent(loop).(*ast.RangeStmt); ok && (code.Var(g.u.info(), r.Value) == v || code.Var(g.u.info(), r.Key) == v) {
		return false
	}
	if o.place {
		return true
	}
	if o.at != nil && g.another(v, o.at, loop) {
		return false
	}
	for n := range code.All[*ast.AssignStmt](loop) {
		for i, l := range n.Lhs {
			if code.Var(g.u.info(), l) != v {
				continue
			}
			if len(n.Rhs) != len(n.Lhs) || n.Tok != token.ASSIGN || !g.roots(n.Rhs[i])[root{v, false, nil}] {
				return false // new in this turn
			}
		}
	}
	return true
}

// another reports whether an element of a slice is another one in each turn of a loop: the last of a slice that only grows, or
// the one at the loop's own variable.
func (g *origin) another(slice *types.Var, at types.Object, loop *ast.BlockStmt) bool {
	info, grows := g.u.info(), false
	for n := range code.All[*ast.AssignStmt](loop) {
		for i, l := range n.Lhs {
			if code.Var(info, l) != slice {
				continue
			}
			call, ok := ast.Unparen(n.Rhs[min(i, len(n.Rhs)-1)]).(*ast.CallExpr)
			if !ok || !code.IsBuiltin(info, call, "append") || code.Var(info, call.Args[0]) != slice {
				return false
			}
			grows = true
		}
	}
	v, ok := at.(*types.Var)
	if !ok || code.WrittenIn(info, loop, v) {
		return !ok && grows
	}
	switch s := g.Parent(loop).(type) {
	case *ast.RangeStmt:
		return code.Var(info, s.Key) == v
	case *ast.ForStmt:
		return s.Init != nil && code.Declares(s.Init, v)
	}
	return false
}
