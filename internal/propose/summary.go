package propose

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/types/typeutil"
)

// A paramKey names a parameter of a function; -1 is the receiver.
type paramKey struct {
	fn    string
	index int
}

// A summary says what a function does with one slice that it is given.
type summary struct {
	keeps   string // how it outlives the call; "" when it does not
	results uint64 // results that may alias it, as bits
	assumed []string
	nilSeen bool // whether it is nil can be told from outside
	capSeen bool // so can its capacity
}

// effect returns what a call of fn does with its parameter. element says that
// the slice is one of the values of a variadic parameter.
func (p *Program) effect(fn *types.Func, index int, element bool) *summary {
	if !isInterfaceMethod(fn) && p.local(fn) {
		if element {
			return &summary{keeps: "passed to " + fn.Name() + " in a variadic list"}
		}
		return p.summarize(fn, index)
	}
	c := contractOf(fn)
	if c == nil || index < 0 {
		return &summary{keeps: "passed to " + callName(fn) + ", which may keep it"}
	}
	if element && !c.variadic {
		return &summary{keeps: "passed to " + callName(fn) + " in a variadic list"}
	}
	s := &summary{assumed: []string{c.says}, nilSeen: element}
	if (c.appends || c.alias) && index == 0 {
		s.results = 1
	}
	return s
}

// summarize follows a parameter through the body of a function.
func (p *Program) summarize(fn *types.Func, index int) *summary {
	fn = fn.Origin()
	key := paramKey{fn.FullName(), index}
	if s := p.summaries[key]; s != nil {
		return s
	}
	decl := p.function(fn)
	if decl == nil {
		return &summary{keeps: "passed to " + callName(fn) + ", which has no Go body"}
	}
	// While it is being worked out, a recursive call counts as keeping it.
	p.summaries[key] = &summary{keeps: "passed to " + fn.Name() + ", which calls itself"}
	sig := fn.Signature()
	v := sig.Recv()
	if index >= 0 {
		v = sig.Params().At(index)
	}
	s := &summary{}
	if v.Name() != "" && v.Name() != "_" {
		fl := p.follow(decl, v)
		s.results, s.assumed, s.nilSeen, s.capSeen = fl.results, fl.assumed, fl.nilSeen, fl.capSeen
		if len(fl.leaks) > 0 {
			s.keeps = fmt.Sprintf("passed to %s, where it is %s", fn.Name(), fl.leaks[0].why)
		}
	}
	p.summaries[key] = s
	return s
}

func callName(fn *types.Func) string {
	if recv := receiverName(fn); recv != "" {
		return recv + "." + fn.Name()
	}
	if fn.Pkg() != nil {
		return fn.Pkg().Name() + "." + fn.Name()
	}
	return fn.Name()
}

// callee returns the function or method that a call names, nil for calls of
// function values, conversions and builtins.
func callee(info *types.Info, call *ast.CallExpr) *types.Func {
	fn, _ := typeutil.Callee(info, call).(*types.Func)
	return fn
}

// builtin returns the name of the builtin that a call names, or "".
func builtin(info *types.Info, call *ast.CallExpr) string {
	if b, ok := typeutil.Callee(info, call).(*types.Builtin); ok {
		return b.Name()
	}
	return ""
}

// An appendInfo says that a function works append style: its result is a
// parameter, extended.
type appendInfo struct {
	param   int // the destination
	result  int
	full    bool // the result is never empty, unless an error is returned
	errs    bool // the function also returns an error
	assumed []string
}

// appendStyle returns how fn appends, or nil.
func (p *Program) appendStyle(fn *types.Func) *appendInfo {
	if !isInterfaceMethod(fn) && p.local(fn) {
		return p.appendSummary(fn.Origin())
	}
	c := contractOf(fn)
	if c == nil || !c.appends {
		return nil
	}
	return &appendInfo{full: c.full, errs: fn.Signature().Results().Len() > 1, assumed: []string{c.says}}
}

// appendSummary looks for a parameter whose every use is as the destination
// of an append-style call, and that every return gives back that way.
func (p *Program) appendSummary(fn *types.Func) *appendInfo {
	key := fn.FullName()
	if a, ok := p.appends[key]; ok {
		return a
	}
	p.appends[key] = nil // recursion: not append style
	decl := p.function(fn)
	sig := fn.Signature()
	if decl == nil || sig.Results().Len() == 0 || sig.Variadic() {
		return nil
	}
	for i := range sig.Params().Len() {
		v := sig.Params().At(i)
		if _, ok := v.Type().Underlying().(*types.Slice); !ok || !types.Identical(v.Type(), sig.Results().At(0).Type()) {
			continue
		}
		w := &appendWalk{p: p, fn: decl, vars: map[types.Object]bool{v: true}, info: appendInfo{param: i, full: true}}
		if w.run() {
			w.info.errs = sig.Results().Len() > 1
			p.appends[key] = &w.info
			return &w.info
		}
	}
	return nil
}

// An appendWalk checks that a parameter is only ever a destination.
type appendWalk struct {
	p    *Program
	fn   *function
	vars map[types.Object]bool // the parameter and what it has been extended into
	info appendInfo
}

func (w *appendWalk) run() bool {
	for n := -1; n != len(w.vars); { // until no new variable turns up
		n = len(w.vars)
		ast.Inspect(w.fn.decl.Body, func(n ast.Node) bool {
			a, ok := n.(*ast.AssignStmt)
			if ok && len(a.Rhs) == 1 && w.extends(a.Rhs[0]) {
				if id, ok := a.Lhs[0].(*ast.Ident); ok && id.Name != "_" {
					w.vars[w.fn.info().ObjectOf(id)] = true
				}
			}
			return true
		})
	}
	if w.fn.decl.Type.Results.List[0].Names != nil && w.nakedReturn() {
		return false
	}
	return w.usesFit() && w.linear() && w.returnsFit()
}

// linear checks that no variable is extended in two directions: the second
// would overwrite what the first has written, which a nil destination hides.
func (w *appendWalk) linear() bool {
	info, uses, forks := w.fn.info(), map[types.Object]int{}, map[types.Object]bool{}
	ast.Inspect(w.fn.decl.Body, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok || !w.vars[info.Uses[id]] {
			return true
		}
		v := info.Uses[id]
		up := w.fn.file.parent(id)
		if call, ok := up.(*ast.CallExpr); ok && builtin(info, call) == "len" {
			return true
		}
		for up != nil && ast.Node(w.fn.decl.Body) != up {
			if a, ok := up.(*ast.AssignStmt); ok {
				target, _ := a.Lhs[0].(*ast.Ident)
				if target != id {
					uses[v]++
					if target == nil || info.ObjectOf(target) != v {
						forks[v] = true
					}
				}
			}
			if _, ok := up.(*ast.ReturnStmt); ok {
				uses[v]++
			}
			switch up.(type) {
			case *ast.ForStmt, *ast.RangeStmt:
				uses[v]++ // several times, for a fork
			}
			up = w.fn.file.parent(up)
		}
		return true
	})
	for v := range forks {
		if uses[v] > 1 {
			return false
		}
	}
	return true
}

// extends reports whether e is one of the variables or an append-style call
// with one of them as its destination.
func (w *appendWalk) extends(e ast.Expr) bool {
	info := w.fn.info()
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return w.vars[info.Uses[e]]
	case *ast.CallExpr:
		if len(e.Args) == 0 {
			return false
		}
		if builtin(info, e) == "append" {
			return w.extends(e.Args[0])
		}
		if fn := callee(info, e); fn != nil {
			if a := w.p.appendStyle(fn); a != nil && a.result == 0 && a.param < len(e.Args) {
				return w.extends(e.Args[a.param])
			}
		}
	}
	return false
}

// usesFit checks that the variables are only destinations, operands of len,
// assigned from their own kind, and returned.
func (w *appendWalk) usesFit() bool {
	info, ok := w.fn.info(), true
	ast.Inspect(w.fn.decl.Body, func(n ast.Node) bool {
		id, isIdent := n.(*ast.Ident)
		if !isIdent || !ok || !w.vars[info.Uses[id]] {
			return ok
		}
		ok = w.useFits(id)
		return ok
	})
	return ok
}

func (w *appendWalk) useFits(id *ast.Ident) bool {
	info := w.fn.info()
	if w.fn.file.literal(id) != nil {
		return false
	}
	switch up := w.fn.file.parent(id).(type) {
	case *ast.CallExpr:
		if b := builtin(info, up); b == "len" {
			return true
		} else if b == "append" {
			return up.Args[0] == id
		}
		return w.extends(up) && up.Args[0] == id || w.extends(up) && w.destination(up) == id
	case *ast.AssignStmt:
		for i, l := range up.Lhs {
			if l == id {
				return up.Tok == token.ASSIGN && (len(up.Rhs) == 1 && i == 0 && w.extends(up.Rhs[0]) || len(up.Rhs) > i && w.extends(up.Rhs[i]))
			}
		}
		return len(up.Lhs) == 1 && w.extends(id)
	case *ast.ReturnStmt:
		return len(up.Results) > 0 && up.Results[0] == id
	}
	return false
}

func (w *appendWalk) destination(call *ast.CallExpr) ast.Expr {
	if fn := callee(w.fn.info(), call); fn != nil {
		if a := w.p.appendStyle(fn); a != nil && a.param < len(call.Args) {
			return call.Args[a.param]
		}
	}
	return nil
}

// returnsFit checks what the function's own return statements give back.
func (w *appendWalk) returnsFit() bool {
	info, ok, extended := w.fn.info(), true, false
	ast.Inspect(w.fn.decl.Body, func(n ast.Node) bool {
		if _, lit := n.(*ast.FuncLit); lit {
			return false
		}
		ret, isRet := n.(*ast.ReturnStmt)
		if !isRet {
			return ok
		}
		switch {
		case len(ret.Results) > 0 && isNil(info, ret.Results[0]):
			w.info.full = w.info.full && len(ret.Results) > 1
			ok = ok && len(ret.Results) > 1 && !isNil(info, ret.Results[len(ret.Results)-1])
		case len(ret.Results) > 0 && w.extends(ret.Results[0]):
			extended = true
			w.note(ret.Results[0])
		default:
			ok = false
		}
		return ok
	})
	return ok && extended
}

// note records what is known of a returned expression.
func (w *appendWalk) note(e ast.Expr) {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok {
		w.info.full = false
		return
	}
	fn := callee(w.fn.info(), call)
	if fn == nil { // append
		w.info.full = w.info.full && len(call.Args) > 1 && !call.Ellipsis.IsValid()
		return
	}
	if a := w.p.appendStyle(fn); a != nil {
		w.info.full = w.info.full && a.full
		w.info.assumed = append(w.info.assumed, a.assumed...)
	}
}

func (w *appendWalk) nakedReturn() bool {
	naked := false
	ast.Inspect(w.fn.decl.Body, func(n ast.Node) bool {
		if _, lit := n.(*ast.FuncLit); lit {
			return false
		}
		if ret, ok := n.(*ast.ReturnStmt); ok && len(ret.Results) == 0 {
			naked = true
		}
		return true
	})
	return naked
}
