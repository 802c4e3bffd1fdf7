package effects

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"path/filepath"

	"golang.org/x/tools/go/types/typeutil"
)

// read finds out about one function from its body.
func (e *Effects) read(f *types.Func, fd *ast.FuncDecl) *Fact {
	if fd.Body == nil {
		return &Fact{Keeps: unknown}
	}
	r := &reader{e: e, fact: &Fact{Pure: true}, sig: f.Signature()}
	ast.Inspect(fd.Body, r.visit)
	r.fact.Keeps = r.keeps(fd)
	return r.fact
}

type reader struct {
	e    *Effects
	fact *Fact
	sig  *types.Signature
}

func (r *reader) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.FuncLit:
		// What a literal does happens when it is called, and by whom is not
		// followed.
		r.fact.Pure = false
		return false
	case *ast.GoStmt:
		r.fact.Pure = false
		return false
	case *ast.DeferStmt:
		r.fact.Pure = false
	case *ast.SelectStmt:
		r.fact.Pure = false
		for _, c := range n.Body.List {
			if c.(*ast.CommClause).Comm == nil {
				return true // with a default it does not wait
			}
		}
		r.blocks(n.Pos(), "select")
	case *ast.SendStmt:
		r.fact.Pure = false
		if !r.inSelect(n.Pos()) {
			r.blocks(n.Pos(), "a channel send")
		}
	case *ast.UnaryExpr:
		if n.Op == token.ARROW {
			r.fact.Pure = false
			if !r.inSelect(n.Pos()) {
				r.blocks(n.Pos(), "a channel receive")
			}
		}
	case *ast.CallExpr:
		r.call(n)
	case *ast.AssignStmt:
		for _, lhs := range n.Lhs {
			r.write(lhs)
		}
	case *ast.IncDecStmt:
		r.write(n.X)
	case *ast.RangeStmt:
		if _, ok := r.type_(n.X).(*types.Chan); ok {
			r.blocks(n.Pos(), "a range over a channel")
		}
		if n.Tok == token.ASSIGN {
			r.write(n.Key)
			r.write(n.Value)
		}
	case *ast.Ident:
		r.ident(n)
	case *ast.StarExpr, *ast.IndexExpr, *ast.SelectorExpr, *ast.SliceExpr:
		r.deref(n.(ast.Expr))
	}
	return true
}

func (r *reader) type_(x ast.Expr) types.Type {
	t := r.e.pass.TypesInfo.TypeOf(x)
	if t == nil {
		return types.Typ[types.Invalid]
	}
	return t.Underlying()
}

// inSelect is deliberately coarse: a send or receive that is a case of a select with a
// default does not wait, and one in a select without has been counted.
func (r *reader) inSelect(pos token.Pos) bool {
	for _, f := range r.e.pass.Files {
		if f.FileStart > pos || pos >= f.FileEnd {
			continue
		}
		found := false
		ast.Inspect(f, func(n ast.Node) bool {
			if c, ok := n.(*ast.CommClause); ok && c.Comm != nil && c.Comm.Pos() <= pos && pos < c.Comm.End() {
				found = true
			}
			return !found && n != nil && n.Pos() <= pos && pos < n.End()
		})
		return found
	}
	return false
}

func (r *reader) blocks(pos token.Pos, what string) {
	if !r.fact.Blocks {
		r.fact.Blocks = true
		r.because(pos, what)
	}
}

func (r *reader) because(pos token.Pos, what string) {
	if r.fact.Why == "" {
		at := r.e.pass.Fset.Position(pos)
		r.fact.Why = fmt.Sprintf("%s at %s:%d", what, filepath.Base(at.Filename), at.Line)
	}
}

func (r *reader) call(call *ast.CallExpr) {
	callee := r.e.Call(call)
	if !callee.Pure {
		r.fact.Pure = false
	}
	f := typeutil.StaticCallee(r.e.pass.TypesInfo, call)
	if f == nil {
		f, _ = typeutil.Callee(r.e.pass.TypesInfo, call).(*types.Func)
	}
	if f == nil {
		return
	}
	if callee.Blocks {
		r.fact.Blocks = true
		r.because(call.Pos(), f.FullName())
	}
	if callee.IO {
		r.fact.IO = true
		r.because(call.Pos(), f.FullName())
	}
}

// write takes away Pure unless a local variable itself is assigned.
func (r *reader) write(lhs ast.Expr) {
	id, ok := ast.Unparen(lhs).(*ast.Ident)
	if !ok {
		if lhs != nil {
			r.fact.Pure = false
		}
		return
	}
	if v, ok := r.e.pass.TypesInfo.ObjectOf(id).(*types.Var); ok && global(v) {
		r.fact.Pure = false
	}
}

func (r *reader) ident(id *ast.Ident) {
	if v, ok := r.e.pass.TypesInfo.Uses[id].(*types.Var); ok && !v.IsField() && global(v) {
		r.fact.Pure = false // its value may differ from call to call
	}
}

func global(v *types.Var) bool { return v.Pkg() != nil && v.Parent() == v.Pkg().Scope() }

// deref takes away Pure where memory is read that others may write: behind a
// pointer, in a slice or in a map. Strings and local arrays and structs are
// values.
func (r *reader) deref(x ast.Expr) {
	switch x := x.(type) {
	case *ast.StarExpr:
		if tv := r.e.pass.TypesInfo.Types[x]; !tv.IsType() {
			r.fact.Pure = false
		}
	case *ast.IndexExpr:
		switch r.type_(x.X).(type) {
		case *types.Slice, *types.Map, *types.Pointer:
			r.fact.Pure = false
		}
	case *ast.SliceExpr:
		if _, ok := r.type_(x.X).(*types.Basic); !ok {
			r.fact.Pure = false
		}
	case *ast.SelectorExpr:
		if sel := r.e.pass.TypesInfo.Selections[x]; sel != nil && sel.Indirect() {
			r.fact.Pure = false
		}
	}
}

// keeps returns which parameters may outlive the call. A parameter is not kept
// when each of its uses is a comparison, a conversion to a value without
// pointers, a read of an element that holds none, len or cap, or an argument
// for a parameter that is not kept; parameters without pointers are never kept.
func (r *reader) keeps(fd *ast.FuncDecl) uint64 {
	var params []*types.Var
	if recv := r.sig.Recv(); recv != nil {
		params = append(params, recv)
	}
	for v := range r.sig.Params().Variables() {
		params = append(params, v)
	}
	var kept uint64
	for i, v := range params {
		if i < 63 && pointers(v.Type()) && !r.harmless(fd, v) {
			kept |= 1 << i
		}
	}
	return kept
}

// harmless reports whether all uses of v in the body leave nothing behind.
func (r *reader) harmless(fd *ast.FuncDecl, v *types.Var) bool {
	ok := true
	var stack []ast.Node
	ast.Inspect(fd.Body, func(n ast.Node) bool {
		if n == nil {
			stack = stack[:len(stack)-1]
			return true
		}
		if id, is := n.(*ast.Ident); is && r.e.pass.TypesInfo.Uses[id] == v {
			ok = ok && r.harmlessUse(id, stack)
		}
		if _, lit := n.(*ast.FuncLit); lit && r.mentions(n, v) {
			ok = false
		}
		stack = append(stack, n)
		return true
	})
	return ok
}

func (r *reader) mentions(n ast.Node, v *types.Var) bool {
	found := false
	ast.Inspect(n, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && r.e.pass.TypesInfo.Uses[id] == v {
			found = true
		}
		return !found
	})
	return found
}

// harmlessUse decides one use by the expression around it.
func (r *reader) harmlessUse(id *ast.Ident, stack []ast.Node) bool {
	var x ast.Expr = id
	for i := len(stack) - 1; i >= 0; i-- {
		switch p := stack[i].(type) {
		case *ast.ParenExpr:
			x = p
		case *ast.SliceExpr:
			if p.X != x {
				return true // a bound
			}
			x = p
		case *ast.IndexExpr, *ast.SelectorExpr, *ast.StarExpr:
			x = p.(ast.Expr)
			if t := r.e.pass.TypesInfo.TypeOf(x); t != nil && !pointers(t) {
				return true
			}
		case *ast.BinaryExpr:
			return p.Op != token.ADD || !pointers(r.e.pass.TypesInfo.TypeOf(p))
		case *ast.RangeStmt:
			return p.X == x && p.Tok == token.DEFINE && !r.rangeGives(p)
		case *ast.CallExpr:
			return r.passed(p, x)
		case *ast.IfStmt, *ast.ExprStmt, *ast.IncDecStmt:
			return true
		case *ast.AssignStmt:
			// What is stored into, x[i] = v, is not kept by that.
			for _, lhs := range p.Lhs {
				if lhs == x && x != ast.Expr(id) {
					return true
				}
			}
			return false
		default:
			return false
		}
	}
	return false
}

// rangeGives reports whether ranging yields values that hold pointers.
func (r *reader) rangeGives(p *ast.RangeStmt) bool {
	for _, x := range []ast.Expr{p.Key, p.Value} {
		if id, ok := x.(*ast.Ident); ok && id.Name != "_" {
			if t := r.e.pass.TypesInfo.TypeOf(id); t == nil || pointers(t) {
				return true
			}
		}
	}
	return false
}

// passed reports whether x, an operand of call, is not kept by it.
func (r *reader) passed(call *ast.CallExpr, x ast.Expr) bool {
	if b, ok := typeutil.Callee(r.e.pass.TypesInfo, call).(*types.Builtin); ok {
		switch b.Name() {
		case "len", "cap", "copy", "clear", "delete", "print", "println":
			return true
		}
		return false
	}
	if tv := r.e.pass.TypesInfo.Types[call.Fun]; tv.IsType() {
		// string(b) and []byte(s) copy; other conversions pass the value on.
		from, to := r.type_(x), tv.Type.Underlying()
		return isString(from) != isString(to)
	}
	f, _ := typeutil.Callee(r.e.pass.TypesInfo, call).(*types.Func)
	if f == nil {
		return false
	}
	keeps := r.e.Of(f).Keeps
	shift := 0
	if f.Signature().Recv() != nil {
		shift = 1
		if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok && sel.X == x || call.Fun == x {
			return keeps&1 == 0
		}
	}
	for i, arg := range call.Args {
		if arg == x {
			i = min(i, f.Signature().Params().Len()-1)
			return i+shift < 63 && keeps&(1<<(i+shift)) == 0
		}
	}
	return false
}

func isString(t types.Type) bool {
	b, ok := t.(*types.Basic)
	return ok && b.Info()&types.IsString != 0
}

// pointers reports whether values of a type lead to memory that is shared.
func pointers(t types.Type) bool {
	switch t := t.Underlying().(type) {
	case *types.Basic:
		return t.Info()&types.IsString != 0 || t.Kind() == types.UnsafePointer || t.Kind() == types.UntypedNil
	case *types.Array:
		return pointers(t.Elem())
	case *types.Struct:
		for f := range t.Fields() {
			if pointers(f.Type()) {
				return true
			}
		}
		return false
	}
	return true
}
