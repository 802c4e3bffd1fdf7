package loops

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// A byteLoop is a loop over the bytes of a string or slice, by index.
type byteLoop struct {
	byteScope
	stmt   ast.Stmt
	src    *types.Var
	index  string // its name
	bound  string // the length, as the source writes it
	header string // replaces the head of a range loop; "" where it stays
	first  string // the first statement of the body that goes with header
	post   bool   // the head moves the index on
	size   string // how far, in a loop over characters; "" in one over bytes
}

// byteLoopAt returns a loop statement as a loop over bytes, nil if it is none,
// and why it cannot be worked with.
func byteLoopAt(p *prove.Program, fn *prove.Function, stmt ast.Stmt) (*byteLoop, *prove.Reason) {
	l := &byteLoop{stmt: stmt, byteScope: byteScope{p: p, fn: fn}}
	switch n := stmt.(type) {
	case *ast.ForStmt:
		if !l.counted(n) {
			return nil, nil
		}
	case *ast.RangeStmt:
		if !l.ranged(n) {
			return nil, nil
		}
	default:
		return nil, nil
	}
	l.byteScope.src = l.src
	l.holders()
	return l, l.kept()
}

// counted recognises for i := …; i < len(s); and the like.
func (l *byteLoop) counted(n *ast.ForStmt) bool {
	info := l.fn.Info()
	cond, ok := n.Cond.(*ast.BinaryExpr)
	if !ok || cond.Op != token.LSS {
		return false
	}
	id, ok := cond.X.(*ast.Ident)
	if !ok {
		return false
	}
	i, ok := info.Uses[id].(*types.Var)
	if !ok || i.Pkg() == nil || i.Parent() == i.Pkg().Scope() {
		return false
	}
	l.body, l.byteScope.index, l.index = n.Body, i, i.Name()
	l.src, l.bound = l.length(cond.Y), l.p.Source(l.fn.File, cond.Y)
	l.post = n.Post != nil
	return l.src != nil && (n.Post == nil || l.increments(n.Post))
}

// length returns the local string or slice whose length e is.
func (l *byteLoop) length(e ast.Expr) *types.Var {
	info := l.fn.Info()
	if id, ok := e.(*ast.Ident); ok {
		v, ok := info.Uses[id].(*types.Var)
		if !ok || code.WrittenIn(info, l.fn.Decl.Body, v) {
			return nil
		}
		def, ok := l.fn.File.Parent(l.fn.Declaration(v)).(*ast.AssignStmt)
		if !ok || len(def.Lhs) != 1 || len(def.Rhs) != 1 {
			return nil
		}
		src := l.length(def.Rhs[0])
		if src == nil || code.WrittenIn(info, l.fn.Decl.Body, src) {
			return nil
		}
		return src
	}
	call, ok := e.(*ast.CallExpr)
	if !ok || code.Builtin(info, call) != "len" {
		return nil
	}
	return l.bytesVar(call.Args[0])
}

// bytesVar returns the local variable in e if it holds bytes.
func (l *byteLoop) bytesVar(e ast.Expr) *types.Var {
	id, ok := e.(*ast.Ident)
	if !ok {
		return nil
	}
	v, ok := l.fn.Info().Uses[id].(*types.Var)
	if !ok || v.Pkg() == nil || v.Parent() == v.Pkg().Scope() || !code.IsString(v.Type()) && !code.IsBytes(v.Type()) {
		return nil
	}
	return v
}

// ranged recognises a range over the bytes of a slice, or of a string that is
// converted to one.
func (l *byteLoop) ranged(n *ast.RangeStmt) bool {
	info := l.fn.Info()
	x := ast.Unparen(n.X)
	if call, ok := x.(*ast.CallExpr); ok && info.Types[call.Fun].IsType() && code.IsBytes(info.TypeOf(call)) {
		x = ast.Unparen(call.Args[0])
	} else if code.IsString(info.TypeOf(x)) {
		return l.decoded(n)
	} else if !code.IsBytes(info.TypeOf(x)) {
		return false
	}
	if l.src = l.bytesVar(x); l.src == nil || n.Tok != token.DEFINE {
		return false
	}
	l.body, l.post, l.bound = n.Body, true, "len("+l.src.Name()+")"
	if !l.keyed(n) {
		return false
	}
	l.header = "for " + l.index + " := 0; " + l.index + " < " + l.bound + "; " + l.index + "++ "
	if value, ok := n.Value.(*ast.Ident); ok && value.Name != "_" {
		l.first = value.Name + " := " + l.src.Name() + "[" + l.index + "]"
		if v := info.Defs[value]; v != nil && !code.WrittenIn(info, n.Body, v) {
			l.vars = append(l.vars, v)
		}
	}
	return true
}

// kept says why the loop cannot be worked with: its string is given another
// value in it, or a function literal holds on to its variables.
func (l *byteLoop) kept() *prove.Reason {
	info := l.fn.Info()
	if code.WrittenIn(info, l.stmt, l.src) || code.AddressTaken(info, l.fn.Decl.Body, l.src) {
		return prove.Refuse(l.src.Name() + " is given another value in the loop")
	}
	if code.Any(l.fn.Decl.Body, func(lit *ast.FuncLit) bool { return !code.Within(lit, l.stmt) && code.WrittenIn(info, lit, l.src) }) {
		return prove.Refuse("a function literal assigns to " + l.src.Name())
	}
	for e := range code.All[ast.Expr](l.stmt) {
		switch e := e.(type) {
		case *ast.FuncLit:
			return prove.Refuse("a function literal in the loop may hold on to its variables")
		case *ast.UnaryExpr:
			if e.Op == token.AND && l.byteScope.index != nil && prove.IsUseOf(info, e.X, l.byteScope.index) {
				return prove.Refuse("the address of " + l.index + " is taken")
			}
		}
	}
	return nil
}

// increments reports whether stmt is i++ or i += 1.
func (l *byteLoop) increments(stmt ast.Stmt) bool {
	info := l.fn.Info()
	switch n := stmt.(type) {
	case *ast.IncDecStmt:
		return n.Tok == token.INC && prove.IsUseOf(info, n.X, l.byteScope.index)
	case *ast.AssignStmt:
		one, ok := prove.ConstInt(info, n.Rhs[0])
		return n.Tok == token.ADD_ASSIGN && ok && one == 1 && prove.IsUseOf(info, n.Lhs[0], l.byteScope.index)
	}
	return false
}

// after looks at what runs between stmt and the end of the iteration. That
// must be nothing but moving the index on. inc is the statement that does,
// where it directly follows stmt; rest says that stmt is the body of a branch
// which ends there.
func (l *byteLoop) after(stmt ast.Stmt) (inc ast.Stmt, why *prove.Reason) {
	moved, f := l.post, l.fn.File
	for child := ast.Node(stmt); child != l.body; child = f.Parent(child) {
		list := code.StmtList(f.Parent(child))
		if _, ok := f.Parent(child).(*ast.BlockStmt); !ok && list == nil {
			continue
		}
		for i, next := range list {
			if next.Pos() <= child.Pos() {
				continue
			}
			if b, ok := next.(*ast.BranchStmt); ok && b.Tok == token.CONTINUE && b.Label == nil && moved {
				return inc, nil
			}
			if moved || !l.increments(next) {
				return nil, prove.Refuse("something else is done after it (" + l.p.Pos(next.Pos()).String() + ")")
			}
			if moved = true; child == stmt && list[i-1] == stmt {
				inc = next
			}
		}
	}
	if !moved {
		return nil, prove.Refuse("the index does not move on by one after it")
	}
	return inc, nil
}
