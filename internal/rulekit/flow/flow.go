package flow

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ast/inspector"

	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// A Func is the function that a value is followed through.
type Func struct {
	Obj  *types.Func // nil for a literal of a package variable
	Decl ast.Node    // a declaration, or that literal
	Body *ast.BlockStmt
	Info *types.Info
	*code.Tree
	uses map[types.Object][]*ast.Ident
}

// Funcs are the functions of a package that were asked for, each made once.
type Funcs map[ast.Node]*Func

// Around returns the declaration around a place, or the outermost literal of a
// package variable.
func (fs Funcs) Around(info *types.Info, cur inspector.Cursor) *Func {
	var root ast.Node
	for p := range cur.Enclosing((*ast.FuncDecl)(nil), (*ast.FuncLit)(nil)) {
		root = p.Node()
	}
	if fs[root] == nil {
		fn := &Func{Decl: root, Info: info, Tree: &code.Tree{Root: root}}
		switch n := root.(type) {
		case *ast.FuncDecl:
			fn.Obj, _ = info.Defs[n.Name].(*types.Func)
			fn.Body = n.Body
		case *ast.FuncLit:
			fn.Body = n.Body
		}
		fs[root] = fn
	}
	return fs[root]
}

// A Source is what is known of calls: facts about packages, or the bodies of a
// whole program.
type Source struct {
	// Call returns what a call of fn does with its parameter of that index; -1 is the
	// receiver. element says that the value is one of those of a variadic parameter.
	Call func(fn *types.Func, index int, element bool) *Summary
	// Now reports whether a function literal runs only while the call runs that it is
	// an argument of. A Source without it knows of none.
	Now func(lit *ast.FuncLit) bool
}

// A Flow follows one piece of memory through a function: every expression
// that may alias it is classified by where it stands.
type Flow struct {
	*Func
	Source

	Leaks   []Leak
	Results uint64 // results of fn that may alias it, as bits
	Assumed []string
	NilSeen bool // whether it is nil can be told
	CapSeen bool // its capacity is asked for
	Calls   []Handing
	Extends []*ast.CallExpr // calls that append to it, or may
	Vars    []*types.Var    // local variables that may alias it

	// store is asked about an assignment to something other than a local
	// variable, before it counts as a leak.
	Store func(lhs, rhs ast.Expr) bool
	// Copied is asked about calls whose result is a part of the memory: whether a copy is made of it at once.
	Copied func(call *ast.CallExpr) bool
	// Deep follows what the memory leads to as well: an element that is a pointer, the
	// bytes of a string. Otherwise reading an element copies it.
	Deep bool
	// NoLocals makes a copy in a local variable a leak.
	NoLocals bool
	// First ends Drain where the memory is known to outlive the function: at a leak or
	// a result. What is found until then is all that is told.
	First bool
}

// A Leak is a place where the memory may come to outlive the function.
type Leak struct {
	At  ast.Node
	Why string // a participle: "returned", "stored in x.y"
}

// A Handing is a call that is given the memory.
type Handing struct {
	Call  *ast.CallExpr
	Fn    *types.Func
	Index int // of the parameter; -1 is the receiver
}

// Dynamic reports whether a method gets the memory that is known only at run time, so that
// the compiler must take it to be kept, whatever a contract says.
func (fl *Flow) Dynamic() bool {
	return slices.ContainsFunc(fl.Calls, func(h Handing) bool { return code.IsInterfaceMethod(h.Fn) })
}

// Of traces the slice or pointer in v, a parameter or local variable of fn.
func Of(fn *Func, known Source, v *types.Var) *Flow {
	fl := &Flow{Func: fn, Source: known}
	fl.Track(v)
	fl.Drain()
	return fl
}

// Drain classifies the uses of all tracked variables; doing so may track more.
func (fl *Flow) Drain() {
	for i := 0; i < len(fl.Vars) && !fl.ends(); i++ {
		v := fl.Vars[i]
		fl.Uses(v, func(id *ast.Ident) { fl.Expr(id) })
	}
}

// ends reports whether nothing more is to be found; see First.
func (fl *Flow) ends() bool { return fl.First && fl.Outlives() }

// Outlives reports whether the memory may outlive the function.
func (fl *Flow) Outlives() bool { return len(fl.Leaks) > 0 || fl.Results != 0 }

// Track adds a variable that may alias the memory; Drain follows it.
func (fl *Flow) Track(v *types.Var) {
	if !slices.Contains(fl.Vars, v) {
		fl.Vars = append(fl.Vars, v)
	}
}

// Tracks reports whether an identifier is a variable that may alias the memory.
func (fl *Flow) Tracks(id *ast.Ident) bool {
	v, ok := fl.Info.Uses[id].(*types.Var)
	return ok && slices.Contains(fl.Vars, v)
}

// Uses calls f for each use of v in the function, but for its definition and
// for being assigned to. A use in a function literal that may outlive the
// function is a leak.
func (fl *Flow) Uses(v types.Object, f func(*ast.Ident)) {
	for _, id := range fl.usesOf(v) {
		if fl.ends() {
			return
		}
		if fl.runsLater(id, v) {
			fl.Leak(id, "captured by a function literal that may outlive the call")
		} else if !fl.AssignedTo(id) {
			f(id)
		}
	}
}

// usesOf returns the uses of v, from a list that is made when it is first asked for.
func (fn *Func) usesOf(v types.Object) []*ast.Ident {
	if fn.uses == nil {
		fn.uses = map[types.Object][]*ast.Ident{}
		for id := range code.All[*ast.Ident](fn.Body) {
			if v, ok := fn.Info.Uses[id].(*types.Var); ok && !v.IsField() {
				fn.uses[v] = append(fn.uses[v], id)
			}
		}
	}
	return fn.uses[v]
}

// runsLater reports whether a use stands in a function literal, within the
// scope of v, that may run after the function has returned.
func (fl *Flow) runsLater(use *ast.Ident, v types.Object) bool {
	for lit := fl.Literal(use); lit != nil && (v.Pos() < lit.Pos() || lit.End() <= v.Pos()); lit = fl.Literal(lit) {
		if !fl.InPlace(lit) && (fl.Now == nil || !fl.Now(lit)) {
			return true
		}
	}
	return false
}

// Definition returns the identifier that defines v, or the function's body
// for parameters.
func (fn *Func) Definition(v types.Object) ast.Node {
	var found ast.Node = fn.Decl
	for id := range code.All[*ast.Ident](fn.Body) {
		if fn.Info.Defs[id] == v {
			found = id
		}
	}
	return found
}

// Leak notes a place where the memory escapes, and how: a participle.
func (fl *Flow) Leak(at ast.Node, format string, args ...any) {
	fl.Leaks = append(fl.Leaks, Leak{at, fmt.Sprintf(format, args...)})
}

// Assume notes contracts that what was followed rests on, each once.
func (fl *Flow) Assume(says []string) {
	for _, s := range says {
		if !slices.Contains(fl.Assumed, s) {
			fl.Assumed = append(fl.Assumed, s)
		}
	}
}

// Expr classifies an expression that aliases the memory: a slice of it or a
// pointer to it.
func (fl *Flow) Expr(e ast.Expr) {
	switch up := fl.Parent(e).(type) {
	case *ast.ParenExpr:
		fl.Expr(up)
	case *ast.IndexExpr:
		switch {
		case up.X == e:
			fl.Element(up)
		case fl.AssignedTo(up):
			fl.Leak(e, "stored as a key of %s", types.ExprString(up.X))
		}
	case *ast.SliceExpr:
		if up.X == e {
			fl.Expr(up)
		}
	case *ast.StarExpr:
		if _, selected := fl.Parent(up).(*ast.SelectorExpr); !selected && foreign(fl.Info.TypeOf(up)) && !fl.AssignedTo(up) {
			fl.Leak(e, "copied")
		}
		fl.Element(up)
	case *ast.BinaryExpr:
		if code.HasPointers(fl.Info.TypeOf(up)) {
			fl.Expr(up) // a concatenation with nothing is the same string
		}
		fl.NilSeen = true
	case *ast.SwitchStmt, *ast.CaseClause:
		fl.NilSeen = true
	case *ast.RangeStmt:
		fl.ranged(up)
	case *ast.ExprStmt, *ast.IfStmt:
	case *ast.AssignStmt:
		fl.assignment(up, e)
	case *ast.ValueSpec:
		for i, v := range up.Values {
			if v == e && i < len(up.Names) {
				fl.assign(up.Names[i], e)
			}
		}
	case *ast.CallExpr:
		fl.Argument(up, e)
	case *ast.SelectorExpr:
		fl.selector(up)
	case *ast.ReturnStmt:
		fl.returned(up, e)
	case *ast.SendStmt:
		fl.Leak(e, "sent to a channel")
	case *ast.UnaryExpr:
		fl.Leak(e, "used by its address")
	case *ast.CompositeLit, *ast.KeyValueExpr:
		fl.Leak(e, "stored in a composite literal")
	default:
		fl.Leak(e, "used in a way that pawl does not follow (%T)", up)
	}
}

// foreign reports whether a type is a struct of the standard library that holds memory, such as bytes.Buffer: a copy of it
// holds the same.
func foreign(t types.Type) bool {
	n, ok := types.Unalias(t).(*types.Named)
	if !ok || n.Obj().Pkg() == nil || !slices.Contains([]string{"bytes", "bufio", "strings"}, n.Obj().Pkg().Path()) {
		return false
	}
	_, isStruct := n.Underlying().(*types.Struct)
	return isStruct
}

// Element classifies a value within the memory: x[i] or *p. Reading copies
// it, unless it is itself sliced or its address is taken.
func (fl *Flow) Element(e ast.Expr) {
	var n ast.Expr = e
	for {
		up, ok := fl.Parent(n).(*ast.ParenExpr)
		if !ok {
			break
		}
		n = up
	}
	switch up := fl.Parent(n).(type) {
	case *ast.UnaryExpr:
		if up.Op == token.AND {
			fl.Leak(e, "used by the address of an element")
		}
	case *ast.SliceExpr:
		if up.X == n && code.May[*types.Array](fl.Info.TypeOf(n)) {
			fl.Expr(up)
		}
	case *ast.IndexExpr:
		if up.X == n && code.May[*types.Array](fl.Info.TypeOf(n)) {
			fl.Element(up)
		}
	case *ast.SelectorExpr:
		fl.selected(up, n)
		return
	}
	if fl.Deep && code.HasPointers(fl.Info.TypeOf(e)) {
		fl.Expr(e)
	}
}

// ranged classifies what ranging over the memory gives.
func (fl *Flow) ranged(r *ast.RangeStmt) {
	for _, e := range []ast.Expr{r.Key, r.Value} {
		if !fl.Deep || e == nil {
			continue
		}
		if t := fl.Info.TypeOf(e); t != nil && code.HasPointers(t) { // a blank one that is assigned to has no type
			fl.assign(e, r.X)
		}
	}
}

// selected classifies x.name where x is a value within the memory: a field
// of it is a value within the memory too, unless a pointer leads there.
func (fl *Flow) selected(sel *ast.SelectorExpr, x ast.Expr) {
	s, info := fl.Info.Selections[sel], fl.Info
	_, isStruct := info.TypeOf(x).Underlying().(*types.Struct)
	_, isPtr := info.TypeOf(x).Underlying().(*types.Pointer)
	switch {
	case s != nil && (isPtr || types.IsInterface(info.TypeOf(x))):
		if fl.Deep {
			fl.selector(sel)
		}
	case s != nil && s.Kind() == types.FieldVal && isStruct && len(s.Index()) == 1:
		fl.Element(sel)
	case s != nil && s.Kind() == types.MethodVal && isStruct && len(s.Index()) == 1 && !code.PointerReceiver(s):
	default:
		fl.Leak(sel, "used through a selector of an element")
	}
}

func (fl *Flow) assignment(a *ast.AssignStmt, e ast.Expr) {
	for i, r := range a.Rhs {
		if r == e && len(a.Lhs) == len(a.Rhs) {
			fl.assign(a.Lhs[i], e)
		}
	}
}

// assign classifies lhs = e.
func (fl *Flow) assign(lhs, e ast.Expr) {
	lhs = ast.Unparen(lhs)
	if id, ok := lhs.(*ast.Ident); ok {
		if id.Name == "_" {
			return
		}
		v, _ := fl.Info.ObjectOf(id).(*types.Var)
		switch {
		case v == nil || !code.Local(v) || v.Parent() == nil:
			fl.Leak(e, "stored in the package variable %s", id.Name)
		case len(code.Kinds(v.Type())) == 0:
			fl.Leak(e, "stored in %s, whose type is a parameter", id.Name)
		case code.May[*types.Interface](v.Type()):
			fl.Leak(e, "stored in the interface %s", id.Name)
		case fl.NoLocals && !slices.Contains(fl.Vars, v):
			fl.Leak(e, "held in the local variable %s", id.Name)
		default:
			fl.namedResult(v, e)
			fl.Track(v)
		}
		return
	}
	if fl.Store == nil || !fl.Store(lhs, e) {
		fl.Leak(e, "stored in %s", types.ExprString(lhs))
	}
}

// namedResult notes that v, which e is assigned to, is a result of the function, or of a literal in it, if it is.
func (fl *Flow) namedResult(v *types.Var, e ast.Expr) {
	if fl.Obj == nil || v.Kind() != types.ResultVar {
		return
	}
	res := fl.Obj.Signature().Results()
	for i := range res.Len() {
		if res.At(i) == v {
			fl.Results |= 1 << i
			return
		}
	}
	fl.Leak(e, "returned from a function literal")
}

func (fl *Flow) returned(ret *ast.ReturnStmt, e ast.Expr) {
	if fl.Literal(ret) != nil {
		fl.Leak(e, "returned from a function literal")
		return
	}
	for i, r := range ret.Results {
		if r == e {
			fl.Results |= 1 << i
		}
	}
}

// selector classifies e.name: a field, or e is the receiver of a method.
func (fl *Flow) selector(sel *ast.SelectorExpr) {
	if s := fl.Info.Selections[sel]; s != nil && s.Kind() == types.FieldVal && len(s.Index()) == 1 {
		fl.Element(sel)
		return
	}
	call, ok := fl.Parent(sel).(*ast.CallExpr)
	if !ok || call.Fun != sel {
		fl.Leak(sel, "used through %s", types.ExprString(sel))
		return
	}
	fn := code.Callee(fl.Info, call)
	if _, slice := code.Core(fl.Info.TypeOf(sel.X)).(*types.Slice); slice && fn != nil && code.Addressing(fl.Info, sel) {
		fl.Leak(sel, "used by its address")
		return
	}
	if fn != nil {
		fl.hand(call, fn, -1, false)
		return
	}
	fl.Leak(sel, "used through %s", types.ExprString(sel))
}
