package propose

import (
	"go/ast"
	"go/token"
	"go/types"
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
}

// byteLoopAt returns a loop statement as a loop over bytes, nil if it is none,
// and why it cannot be worked with.
func (p *Program) byteLoopAt(fn *function, stmt ast.Stmt) (*byteLoop, string) {
	l := &byteLoop{stmt: stmt, byteScope: byteScope{p: p, fn: fn}}
	switch n := stmt.(type) {
	case *ast.ForStmt:
		if !l.counted(n) {
			return nil, ""
		}
	case *ast.RangeStmt:
		if !l.ranged(n) {
			return nil, ""
		}
	default:
		return nil, ""
	}
	l.byteScope.src = l.src
	l.holders()
	return l, l.kept()
}

// counted recognises for i := …; i < len(s); and the like.
func (l *byteLoop) counted(n *ast.ForStmt) bool {
	info := l.fn.info()
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
	l.src, l.bound = l.length(cond.Y), l.p.source(l.fn.file, cond.Y)
	l.post = n.Post != nil
	return l.src != nil && (n.Post == nil || l.increments(n.Post))
}

// length returns the local string or slice whose length e is.
func (l *byteLoop) length(e ast.Expr) *types.Var {
	info := l.fn.info()
	if id, ok := e.(*ast.Ident); ok {
		v, ok := info.Uses[id].(*types.Var)
		if !ok || assigned(info, l.fn.decl.Body, v) {
			return nil
		}
		def, ok := l.fn.file.parent(l.fn.declaration(v)).(*ast.AssignStmt)
		if !ok || len(def.Lhs) != 1 || len(def.Rhs) != 1 {
			return nil
		}
		src := l.length(def.Rhs[0])
		if src == nil || assigned(info, l.fn.decl.Body, src) {
			return nil
		}
		return src
	}
	call, ok := e.(*ast.CallExpr)
	if !ok || builtin(info, call) != "len" {
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
	v, ok := l.fn.info().Uses[id].(*types.Var)
	if !ok || v.Pkg() == nil || v.Parent() == v.Pkg().Scope() || !isString(v.Type()) && !isBytes(v.Type()) {
		return nil
	}
	return v
}

// ranged recognises a range over the bytes of a slice, or of a string that is
// converted to one.
func (l *byteLoop) ranged(n *ast.RangeStmt) bool {
	info := l.fn.info()
	x := ast.Unparen(n.X)
	if call, ok := x.(*ast.CallExpr); ok && info.Types[call.Fun].IsType() && isBytes(info.TypeOf(call)) {
		x = ast.Unparen(call.Args[0])
	} else if !isBytes(info.TypeOf(x)) {
		return false
	}
	if l.src = l.bytesVar(x); l.src == nil || n.Tok != token.DEFINE {
		return false
	}
	l.body, l.post, l.bound = n.Body, true, "len("+l.src.Name()+")"
	key, _ := n.Key.(*ast.Ident)
	if key != nil && key.Name != "_" {
		l.byteScope.index, l.index = info.Defs[key], key.Name
		if assigned(info, n.Body, l.byteScope.index) {
			return false
		}
	} else if l.index = freeLocal(l.fn, "i", "j", "pos"); l.index == "" {
		return false
	}
	l.header = "for " + l.index + " := 0; " + l.index + " < " + l.bound + "; " + l.index + "++ "
	if value, ok := n.Value.(*ast.Ident); ok && value.Name != "_" {
		l.first = value.Name + " := " + l.src.Name() + "[" + l.index + "]"
		if v := info.Defs[value]; v != nil && !assigned(info, n.Body, v) {
			l.vars = append(l.vars, v)
		}
	}
	return true
}

// kept says why the loop cannot be worked with: its string is given another
// value in it, or a function literal holds on to its variables.
func (l *byteLoop) kept() string {
	info := l.fn.info()
	if assigned(info, l.stmt, l.src) || addressTaken(info, l.fn.decl.Body, l.src) {
		return l.src.Name() + " is given another value in the loop"
	}
	why := ""
	ast.Inspect(l.fn.decl.Body, func(n ast.Node) bool {
		if lit, ok := n.(*ast.FuncLit); ok && !within(lit, l.stmt) && assigned(info, lit, l.src) {
			why = "a function literal assigns to " + l.src.Name()
		}
		return why == ""
	})
	ast.Inspect(l.stmt, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			why = "a function literal in the loop may hold on to its variables"
		case *ast.UnaryExpr:
			if n.Op == token.AND && l.byteScope.index != nil && isUse(info, n.X, l.byteScope.index) {
				why = "the address of " + l.index + " is taken"
			}
		}
		return why == ""
	})
	return why
}

// addressTaken reports whether the address of v is taken, be it by calling a
// method with a pointer receiver on it.
func addressTaken(info *types.Info, body ast.Node, v types.Object) bool {
	found := false
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.UnaryExpr:
			found = found || n.Op == token.AND && isUse(info, n.X, v)
		case *ast.SelectorExpr:
			found = found || isUse(info, n.X, v) && addressing(info, n)
		}
		return !found
	})
	return found
}

// increments reports whether stmt is i++ or i += 1.
func (l *byteLoop) increments(stmt ast.Stmt) bool {
	info := l.fn.info()
	switch n := stmt.(type) {
	case *ast.IncDecStmt:
		return n.Tok == token.INC && isUse(info, n.X, l.byteScope.index)
	case *ast.AssignStmt:
		one, ok := constInt(info, n.Rhs[0])
		return n.Tok == token.ADD_ASSIGN && ok && one == 1 && isUse(info, n.Lhs[0], l.byteScope.index)
	}
	return false
}

// after looks at what runs between stmt and the end of the iteration. That
// must be nothing but moving the index on. inc is the statement that does,
// where it directly follows stmt; rest says that stmt is the body of a branch
// which ends there.
func (l *byteLoop) after(stmt ast.Stmt) (inc ast.Stmt, why string) {
	moved, f := l.post, l.fn.file
	for child := ast.Node(stmt); child != l.body; child = f.parent(child) {
		list := stmtList(f.parent(child))
		if _, ok := f.parent(child).(*ast.BlockStmt); !ok && list == nil {
			continue
		}
		for i, next := range list {
			if next.Pos() <= child.Pos() {
				continue
			}
			if b, ok := next.(*ast.BranchStmt); ok && b.Tok == token.CONTINUE && b.Label == nil && moved {
				return inc, ""
			}
			if moved || !l.increments(next) {
				return nil, "something else is done after it (" + l.p.pos(next.Pos()).String() + ")"
			}
			if moved = true; child == stmt && list[i-1] == stmt {
				inc = next
			}
		}
	}
	if !moved {
		return nil, "the index does not move on by one after it"
	}
	return inc, ""
}

// freeLocal returns the first of some names that nothing in the function has,
// "" if all are taken.
func freeLocal(fn *function, names ...string) string {
	taken := map[string]bool{}
	ast.Inspect(fn.decl, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			taken[id.Name] = true
		}
		return true
	})
	for _, name := range names {
		if !taken[name] {
			return name
		}
	}
	return ""
}
