package copies

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// blind argues that nothing that the call runs sees the destination, or says why it may. What it relies on is
// added to assumed.
func (s *place) blind(assumed *[]string) *prove.Reason {
	if s.in.File.Commented(s.outer) || s.in.File.Commented(s.call) {
		return prove.Refuse("there is a comment within a call")
	}
	if s.apart() || s.kind == "" && !prove.Path(s.to) {
		return nil // it is appended to memory of its own
	}
	v := code.Var(s.in.Info(), s.to)
	own := v != nil && code.Local(v) && s.private(v)
	if why := s.arguments(own); why != nil {
		return why
	}
	if !own {
		if why := s.elsewhere(assumed); why != nil {
			return why
		}
	}
	if own && s.clean(v) || s.kind == "bufio.Writer" || !s.readsBytes() {
		return nil
	}
	if own && !s.parameter(v) {
		return prove.Refuse(v.Name() + " may begin with memory that something else has, and what is made reads bytes")
	}
	if at := s.cut(); at != nil {
		return prove.Refusef("%s begins with memory that something else has (%s), and what is made reads bytes", types.ExprString(s.to), s.m.p.Pos(at.Pos()))
	}
	*assumed = append(*assumed, "what "+s.m.fn.Obj.Name()+" reads does not lie behind the end of "+types.ExprString(s.to))
	return nil
}

// cut returns where the program lets a destination be the beginning of another slice, whose memory lies behind its end.
func (s *place) cut() ast.Expr {
	v, _ := s.in.Info().Uses[lastOf(s.to)].(*types.Var)
	for _, f := range s.in.File.Pkg.Files {
		info := f.Pkg.TypesInfo
		other := func(to, from ast.Expr) bool {
			part, ok := ast.Unparen(from).(*ast.SliceExpr)
			return ok && part.Max == nil && info.Uses[lastOf(to)] == v && !code.SameExpr(info, to, part.X)
		}
		for n := range code.All[ast.Node](f.Syntax) {
			switch n := n.(type) {
			case *ast.KeyValueExpr:
				if other(n.Key, n.Value) {
					return n
				}
			case *ast.AssignStmt:
				for i, to := range n.Lhs {
					if len(n.Lhs) == len(n.Rhs) && other(to, n.Rhs[i]) {
						return to
					}
				}
			}
		}
	}
	return nil
}

// lastOf returns the name that an expression ends with; nil for another than a path.
func lastOf(e ast.Expr) *ast.Ident {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return e
	case *ast.SelectorExpr:
		return e.Sel
	}
	return nil
}

// arguments says why evaluating the arguments may have to do with the destination.
func (s *place) arguments(own bool) *prove.Reason {
	info, to := s.in.Info(), types.ExprString(s.to)
	var around []ast.Expr
	if sel, ok := s.call.Fun.(*ast.SelectorExpr); ok {
		around = append(around, sel.X)
	}
	for _, e := range append(around, s.call.Args...) {
		for n := range code.All[ast.Expr](e) {
			call, isCall := n.(*ast.CallExpr)
			if isCall && !own && !info.Types[call.Fun].IsType() && code.Builtin(info, call) != "len" {
				return prove.Refuse("an argument calls " + prove.Short(types.ExprString(call)) + ", which may use " + to)
			}
			if _, lit := n.(*ast.FuncLit); lit {
				return prove.Refuse("an argument is a function literal")
			}
			if types.ExprString(n) != to {
				continue
			}
			if up, ok := s.in.File.Parent(n).(*ast.CallExpr); !ok || code.Builtin(info, up) != "len" {
				return prove.Refuse("it is made of " + to + " itself")
			}
		}
	}
	return nil
}

// private reports whether only the function can reach a variable: for a buffer, what it points to as well.
func (s *place) private(v *types.Var) bool { return s.unseen(v) && (s.kind == "" || s.begins(v)) }

// unseen reports whether no function literal uses a variable, nor something that may keep it.
func (s *place) unseen(v *types.Var) bool {
	f, info, w := s.in.File, s.in.Info(), &written{s.m.p, map[*types.Var]bool{}}
	return !code.Any(s.in.Decl, func(id *ast.Ident) bool {
		if info.Uses[id] != v {
			return false
		}
		if lit := f.Literal(id); lit != nil && !code.Declares(lit, v) {
			return true
		}
		if s.kind == "" {
			return prove.Addressed(f, id)
		}
		return !w.use(s.in, id, true)
	})
}

// begins reports whether a variable is a new buffer, and never another.
func (s *place) begins(v *types.Var) bool {
	info := s.in.Info()
	for stmt := range code.All[ast.Stmt](s.in.Decl.Body) {
		name, _, value := code.Declared(stmt)
		if name == nil || info.Defs[name] != v {
			continue
		}
		if value == nil {
			return writer(v.Type()) != "" && !isPointer(v.Type())
		}
		return prove.NewBuffer(info, value) && !code.Reassigned(info, s.in.Decl.Body, v)
	}
	return false
}

func isPointer(t types.Type) bool { _, ok := t.Underlying().(*types.Pointer); return ok }

func (s *place) parameter(v *types.Var) bool { return !code.Declares(s.in.Decl.Body, v) }

// clean reports whether what lies behind the end of a variable of the function was never anything else's.
func (s *place) clean(v *types.Var) bool {
	info := s.in.Info()
	if s.parameter(v) {
		return false
	}
	for id := range prove.UsesIn(info, s.in.Decl.Body, v) {
		if s.kind != "" && !s.cleanMethod(id) || s.kind == "" && !s.cleanUse(id, v) {
			return false
		}
	}
	return s.kind != "" || s.cleanStart(v)
}

// cleanMethod reports whether a use of a buffer neither takes bytes out nor shows those that were.
func (s *place) cleanMethod(id *ast.Ident) bool {
	f := s.in.File
	sel, ok := f.Parent(id).(*ast.SelectorExpr)
	if !ok {
		return true // it is written to
	}
	switch sel.Sel.Name {
	case "Write", "WriteString", "WriteByte", "WriteRune", "String", "Len", "Grow":
		return true
	case "Bytes":
		_, last := f.Parent(f.Parent(sel)).(*ast.ReturnStmt)
		return last
	case "AvailableBuffer":
		for n := f.Parent(sel); n != nil; n = f.Parent(n) {
			if call, ok := n.(*ast.CallExpr); ok && types.ExprString(call.Fun) == id.Name+".Write" {
				return true
			}
		}
	}
	return false
}

// cleanUse reports whether a use of a slice neither cuts it nor gives it, or what is appended to it, another name.
func (s *place) cleanUse(id *ast.Ident, v *types.Var) bool {
	f, info := s.in.File, s.in.Info()
	switch up := f.Parent(id).(type) {
	case *ast.AssignStmt:
		if up.Lhs[0] != id || up.Tok != token.ASSIGN || len(up.Rhs) != 1 {
			return false
		}
		call, ok := ast.Unparen(up.Rhs[0]).(*ast.CallExpr)
		if !ok {
			return code.IsNil(info, up.Rhs[0])
		}
		to := s.m.destinationIn(info, call)
		return to != nil && prove.IsUseOf(info, to, v) || s.outer == call || call == s.call
	case *ast.CallExpr:
		if to := s.m.destinationIn(info, up); to != nil && prove.IsUseOf(info, to, v) {
			a, ok := f.Parent(up).(*ast.AssignStmt)
			_, last := f.Parent(up).(*ast.ReturnStmt)
			return last || ok && prove.IsUseOf(info, a.Lhs[0], v)
		}
		fn := code.Callee(info, up)
		return info.Types[up.Fun].IsType() || code.Builtin(info, up) != "" || fn != nil && !s.m.p.InModule(fn)
	case *ast.IndexExpr:
		return !prove.Addressed(f, up)
	case *ast.ReturnStmt, *ast.RangeStmt, *ast.BinaryExpr:
		return true
	}
	return false
}

// cleanStart reports whether a slice begins as nothing, or as new memory.
func (s *place) cleanStart(v *types.Var) bool {
	info := s.in.Info()
	for stmt := range code.All[ast.Stmt](s.in.Decl.Body) {
		name, _, value := code.Declared(stmt)
		if name == nil || info.Defs[name] != v {
			continue
		}
		if value == nil || code.IsNil(info, value) || isNew(info, value) {
			return true
		}
		call, ok := value.(*ast.CallExpr)
		if !ok {
			return false
		}
		to := s.m.destinationIn(info, call)
		return to != nil && (code.IsNil(info, to) || isNew(info, to))
	}
	return false
}

// elsewhere says why what the call runs may use a destination that other functions can reach.
func (s *place) elsewhere(assumed *[]string) *prove.Reason {
	p, to := s.m.p, types.ExprString(s.to)
	v, ok := s.in.Info().Uses[lastOf(s.to)].(*types.Var)
	if !ok {
		return prove.Refuse(to + " is no variable")
	}
	for fn := range p.Reached(p.EdgesOf(s.m.fn)) {
		if fn == s.in && s.kind != "" {
			return prove.Refuse(s.m.fn.Obj.Name() + " leads back to where " + to + " is written")
		}
		for _, name := range p.CallTargets(p.EdgesOf(fn)) {
			if p.Funcs[name] == nil {
				return prove.Refuse(name + ", which " + s.m.fn.Obj.Name() + " runs, was not read")
			}
		}
		if at := code.Stores(fn.Info(), fn.Decl.Body, []*types.Var{v}, true); at != nil && s.kind == "" {
			return prove.Refusef("%s, which %s runs, may change %s (%s)", fn.Obj.Name(), s.m.fn.Obj.Name(), to, p.Pos(at.Pos()))
		}
		for e := range code.All[ast.Expr](fn.Decl.Body) {
			if s.meets(fn, e, v) {
				return prove.Refusef("%s (%s), which %s runs, may use %s", types.ExprString(e), p.Pos(e.Pos()), s.m.fn.Obj.Name(), to)
			}
		}
	}
	if _, outside := p.Reaches(p.EdgesOf(s.m.fn), ""); outside != "" {
		*assumed = append(*assumed, outside+" does not use "+to)
	}
	return nil
}

// meets reports whether an expression in a function may be the destination, or lead to it.
func (s *place) meets(fn *prove.Function, e ast.Expr, v types.Object) bool {
	info := fn.Info()
	if id, ok := e.(*ast.Ident); ok && s.kind == "" {
		return info.Uses[id] == v
	}
	tv, ok := info.Types[e]
	if !ok || !tv.IsValue() || s.kind == "" {
		return false
	}
	if iface, ok := tv.Type.Underlying().(*types.Interface); ok {
		for m := range iface.Methods() {
			if m.Name() == "Write" {
				return true
			}
		}
		return false
	}
	if writer(tv.Type) != s.kind {
		return false
	}
	root := code.RootIdent(e)
	if root == nil {
		return true
	}
	own, ok := info.Uses[root].(*types.Var)
	return !ok || !code.Local(own) || !code.Declares(fn.Decl.Body, own)
}

// readsBytes reports whether what the call runs may read bytes that are not its own.
func (s *place) readsBytes() bool {
	sig := s.m.fn.Obj.Signature()
	if recv := sig.Recv(); recv != nil && holdsBytes(recv.Type()) {
		return true
	}
	for v := range sig.Params().Variables() {
		if holdsBytes(v.Type()) {
			return true
		}
	}
	for fn := range s.m.p.Reached(s.m.p.EdgesOf(s.m.fn)) {
		info := fn.Info()
		if code.Any(fn.Decl.Body, func(id *ast.Ident) bool {
			v, ok := info.Uses[id].(*types.Var)
			return ok && v.Pkg() != nil && v.Parent() == v.Pkg().Scope() && !code.IsError(v.Type()) && holdsBytes(v.Type())
		}) {
			return true
		}
	}
	return false
}

// holdsBytes reports whether a value may lead to bytes that can be written.
func holdsBytes(t types.Type) bool {
	return code.Deep(t, false, func(t types.Type, in func(types.Type) bool) bool {
		switch u := t.Underlying().(type) {
		case *types.Basic:
			return u.Kind() == types.UnsafePointer
		case *types.Slice, *types.Array, *types.Pointer:
			return types.Identical(u.(interface{ Elem() types.Type }).Elem(), types.Typ[types.Byte]) || code.Parts(u, in)
		case *types.Map, *types.Struct:
			return code.Parts(u, in)
		}
		return true // an interface or a function may hold anything
	})
}
