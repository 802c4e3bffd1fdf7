package propose

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// A flow follows one piece of memory through a function: every expression
// that may alias it is classified by where it stands.
type flow struct {
	p  *Program
	fn *function

	leaks   []leak
	results uint64 // results of fn that may alias it, as bits
	assumed []string
	nilSeen bool // whether it is nil can be told
	capSeen bool // its capacity is asked for
	calls   []handing
	vars    []*types.Var // local variables that may alias it

	// store is asked about an assignment to something other than a local
	// variable, before it counts as a leak.
	store func(lhs, rhs ast.Expr) bool
	// noLocals makes a copy in a local variable a leak.
	noLocals bool
	// wide follows calls of the module's interfaces; nil takes them to keep
	// what they are given.
	wide *dispatch
}

// A leak is a place where the memory may come to outlive the function.
type leak struct {
	at  ast.Node
	why string // a participle: "returned", "stored in x.y"
}

// A handing is a call that is given the memory.
type handing struct {
	call  *ast.CallExpr
	fn    *types.Func
	index int // of the parameter; -1 is the receiver
}

// follow traces the slice or pointer in v, a parameter or local variable of fn.
func (p *Program) follow(fn *function, v *types.Var) *flow {
	fl := &flow{p: p, fn: fn}
	fl.track(v)
	fl.drain()
	return fl
}

// drain classifies the uses of all tracked variables; doing so may track more.
func (fl *flow) drain() {
	for i := 0; i < len(fl.vars); i++ {
		v := fl.vars[i]
		fl.uses(v, func(id *ast.Ident) { fl.expr(id) })
	}
}

func (fl *flow) track(v *types.Var) {
	if !slices.Contains(fl.vars, v) {
		fl.vars = append(fl.vars, v)
	}
}

// uses calls f for each use of v in the function, but for its definition and
// for being assigned to. A use in a function literal that may outlive the
// function is a leak.
func (fl *flow) uses(v types.Object, f func(*ast.Ident)) {
	ast.Inspect(fl.fn.decl.Body, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok || fl.fn.info().Uses[id] != v {
			return true
		}
		if fl.runsLater(id, fl.definition(v)) {
			fl.leak(id, "captured by a function literal that may outlive the call")
			return true
		}
		if !fl.assignedTo(id) {
			f(id)
		}
		return true
	})
}

// runsLater reports whether a use stands in a function literal, within the
// scope of the definition, that may run after the function has returned.
func (fl *flow) runsLater(use *ast.Ident, definition ast.Node) bool {
	for lit := fl.fn.file.literal(use); lit != nil && !within(lit, definition); lit = fl.fn.file.literal(lit) {
		if !fl.fn.file.inPlace(lit) && !fl.wide.runsNow(fl.fn, lit) {
			return true
		}
	}
	return false
}

// definition returns the identifier that defines v, or the function's body
// for parameters.
func (fl *flow) definition(v types.Object) ast.Node {
	var found ast.Node = fl.fn.decl
	ast.Inspect(fl.fn.decl.Body, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && fl.fn.info().Defs[id] == v {
			found = id
		}
		return true
	})
	return found
}

func (fl *flow) assignedTo(id *ast.Ident) bool {
	switch up := fl.fn.file.parent(id).(type) {
	case *ast.AssignStmt:
		for _, l := range up.Lhs {
			if l == id {
				return true
			}
		}
	case *ast.RangeStmt:
		return up.Key == id || up.Value == id
	}
	return false
}

func (fl *flow) leak(at ast.Node, format string, args ...any) {
	fl.leaks = append(fl.leaks, leak{at, fmt.Sprintf(format, args...)})
}

func (fl *flow) assume(says []string) {
	for _, s := range says {
		if !slices.Contains(fl.assumed, s) {
			fl.assumed = append(fl.assumed, s)
		}
	}
}

// expr classifies an expression that aliases the memory: a slice of it or a
// pointer to it.
func (fl *flow) expr(e ast.Expr) {
	switch up := fl.fn.file.parent(e).(type) {
	case *ast.ParenExpr:
		fl.expr(up)
	case *ast.IndexExpr:
		if up.X == e {
			fl.element(up)
		}
	case *ast.SliceExpr:
		if up.X == e {
			fl.expr(up)
		}
	case *ast.StarExpr:
		fl.element(up)
	case *ast.BinaryExpr:
		fl.nilSeen = true
	case *ast.RangeStmt, *ast.ExprStmt, *ast.IfStmt:
	case *ast.AssignStmt:
		fl.assignment(up, e)
	case *ast.ValueSpec:
		for i, v := range up.Values {
			if v == e && i < len(up.Names) {
				fl.assign(up.Names[i], e)
			}
		}
	case *ast.CallExpr:
		fl.call(up, e)
	case *ast.SelectorExpr:
		fl.selector(up)
	case *ast.ReturnStmt:
		fl.returned(up, e)
	case *ast.SendStmt:
		fl.leak(e, "sent to a channel")
	case *ast.UnaryExpr:
		fl.leak(e, "used by its address")
	case *ast.CompositeLit, *ast.KeyValueExpr:
		fl.leak(e, "stored in a composite literal")
	default:
		fl.leak(e, "used in a way that pawl does not follow (%T)", up)
	}
}

// element classifies a value within the memory: x[i] or *p. Reading copies
// it, unless it is itself sliced or its address is taken.
func (fl *flow) element(e ast.Expr) {
	var n ast.Expr = e
	for {
		up, ok := fl.fn.file.parent(n).(*ast.ParenExpr)
		if !ok {
			break
		}
		n = up
	}
	switch up := fl.fn.file.parent(n).(type) {
	case *ast.UnaryExpr:
		if up.Op == token.AND {
			fl.leak(e, "used by the address of an element")
		}
	case *ast.SliceExpr:
		if _, ok := fl.fn.info().TypeOf(n).Underlying().(*types.Array); ok && up.X == n {
			fl.expr(up)
		}
	case *ast.IndexExpr:
		if _, ok := fl.fn.info().TypeOf(n).Underlying().(*types.Array); ok && up.X == n {
			fl.element(up)
		}
	case *ast.SelectorExpr:
		fl.selected(up, n)
	}
}

// selected classifies x.name where x is a value within the memory: a field
// of it is a value within the memory too, unless a pointer leads there.
func (fl *flow) selected(sel *ast.SelectorExpr, x ast.Expr) {
	s, info := fl.fn.info().Selections[sel], fl.fn.info()
	_, isStruct := info.TypeOf(x).Underlying().(*types.Struct)
	_, isPtr := info.TypeOf(x).Underlying().(*types.Pointer)
	switch {
	case s != nil && (isPtr || types.IsInterface(info.TypeOf(x))):
	case s != nil && s.Kind() == types.FieldVal && isStruct && len(s.Index()) == 1:
		fl.element(sel)
	case s != nil && s.Kind() == types.MethodVal && isStruct && len(s.Index()) == 1 && !pointerReceiver(s):
	default:
		fl.leak(sel, "used through a selector of an element")
	}
}

func pointerReceiver(s *types.Selection) bool {
	fn, ok := s.Obj().(*types.Func)
	if !ok || fn.Signature().Recv() == nil {
		return true
	}
	_, ptr := fn.Signature().Recv().Type().Underlying().(*types.Pointer)
	return ptr
}

func (fl *flow) assignment(a *ast.AssignStmt, e ast.Expr) {
	for i, r := range a.Rhs {
		if r == e && len(a.Lhs) == len(a.Rhs) {
			fl.assign(a.Lhs[i], e)
		}
	}
}

// assign classifies lhs = e.
func (fl *flow) assign(lhs, e ast.Expr) {
	lhs = ast.Unparen(lhs)
	if id, ok := lhs.(*ast.Ident); ok {
		if id.Name == "_" {
			return
		}
		v, _ := fl.fn.info().ObjectOf(id).(*types.Var)
		switch {
		case v == nil || v.Parent() == nil || v.Parent() == fl.fn.obj.Pkg().Scope():
			fl.leak(e, "stored in the package variable %s", id.Name)
		case types.IsInterface(v.Type()):
			fl.leak(e, "stored in the interface %s", id.Name)
		case fl.noLocals && !slices.Contains(fl.vars, v):
			fl.leak(e, "held in the local variable %s", id.Name)
		default:
			fl.namedResult(v)
			fl.track(v)
		}
		return
	}
	if fl.store == nil || !fl.store(lhs, e) {
		fl.leak(e, "stored in %s", types.ExprString(lhs))
	}
}

// namedResult notes that v is a result of the function, if it is.
func (fl *flow) namedResult(v *types.Var) {
	res := fl.fn.obj.Signature().Results()
	for i := range res.Len() {
		if res.At(i) == v {
			fl.results |= 1 << i
		}
	}
}

func (fl *flow) returned(ret *ast.ReturnStmt, e ast.Expr) {
	if fl.fn.file.literal(ret) != nil {
		fl.leak(e, "returned from a function literal")
		return
	}
	for i, r := range ret.Results {
		if r == e {
			fl.results |= 1 << i
		}
	}
}

// selector classifies e.name: e is the receiver of a method.
func (fl *flow) selector(sel *ast.SelectorExpr) {
	call, ok := fl.fn.file.parent(sel).(*ast.CallExpr)
	if !ok || call.Fun != sel {
		fl.leak(sel, "used through %s", types.ExprString(sel))
		return
	}
	if fn := callee(fl.fn.info(), call); fn != nil {
		fl.hand(call, fn, -1, false)
		return
	}
	fl.leak(sel, "used through %s", types.ExprString(sel))
}
