package code

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"
)

// formatters are the functions that make a text of values and do nothing else.
var formatters = map[string][]string{
	"fmt":     {"Sprintf", "Sprint", "Sprintln", "Errorf"},
	"strconv": {"Itoa", "FormatInt", "FormatUint", "FormatBool", "Quote"},
}

// Formats reports whether fn makes a text of values and does nothing else, but for the
// methods of operands that package fmt calls.
func Formats(fn *types.Func) bool {
	return fn != nil && fn.Pkg() != nil && slices.Contains(formatters[fn.Pkg().Path()], fn.Name())
}

// OnlyBranch returns the innermost branch among some statements that holds all uses of
// v in them, on a way without loops; nil if there is none.
func OnlyBranch(info *types.Info, list []ast.Stmt, v *types.Var) (branch []ast.Stmt) {
	all := mentions(info, list, v)
	for all > 0 {
		with := slices.IndexFunc(list, func(s ast.Stmt) bool { return mentions(info, []ast.Stmt{s}, v) == all })
		if with < 0 {
			break
		}
		inner := slices.IndexFunc(branches(list[with]), func(b []ast.Stmt) bool { return mentions(info, b, v) == all })
		if inner < 0 {
			break
		}
		list = branches(list[with])[inner]
		branch = list
	}
	return branch
}

// SomeBranches reports whether all uses of v in some statements stand in branches of ifs,
// switches and selects that go elsewhere, by a return, say, while there is more to do for
// those who do not take them.
func SomeBranches(info *types.Info, list []ast.Stmt, v *types.Var) (some bool) {
	for i, s := range list {
		all, past := mentions(info, []ast.Stmt{s}, v), i+1 < len(list)
		if all == 0 {
			continue
		}
		for _, b := range branches(s) {
			n := mentions(info, b, v)
			if n > 0 && !Departs(&ast.BlockStmt{List: b}) && !SomeBranches(info, b, v) {
				return false
			}
			all -= n
			past = past || n == 0
		}
		if all > 0 || !past {
			return false
		}
		some = true
	}
	return some
}

// branches returns the lists of statements that an if, switch or select runs one of. An
// else if has no room for a statement of its own: its branches count.
func branches(s ast.Stmt) (all [][]ast.Stmt) {
	var body *ast.BlockStmt
	switch s := s.(type) {
	case *ast.IfStmt:
		if other, ok := s.Else.(*ast.BlockStmt); ok {
			return [][]ast.Stmt{s.Body.List, other.List}
		}
		return append([][]ast.Stmt{s.Body.List}, branches(s.Else)...)
	case *ast.SwitchStmt:
		body = s.Body
	case *ast.TypeSwitchStmt:
		body = s.Body
	case *ast.SelectStmt:
		body = s.Body
	default:
		return nil
	}
	for _, clause := range body.List {
		all = append(all, StmtList(clause))
	}
	return all
}

// Where returns the statements that run next where the condition at cur, or one that is its
// negation, finds cur to be true: a branch of an if, what follows an if whose other branch
// leaves, or a clause of a switch. There are none where nothing shows them.
func Where(cur inspector.Cursor) []ast.Stmt {
	holds := true
	for cur.ParentEdgeKind() == edge.ParenExpr_X || cur.ParentEdgeKind() == edge.UnaryExpr_X {
		cur = cur.Parent()
		if u, ok := cur.Node().(*ast.UnaryExpr); ok {
			holds = !holds
			if u.Op != token.NOT {
				return nil
			}
		}
	}
	switch n := cur.Parent().Node().(type) {
	case *ast.IfStmt:
		if cur.ParentEdgeKind() == edge.IfStmt_Cond {
			return chosen(cur.Parent(), n, holds)
		}
	case *ast.CaseClause:
		s, ok := cur.Parent().Parent().Parent().Node().(*ast.SwitchStmt)
		if ok && s.Tag == nil && holds && len(n.List) == 1 && cur.ParentEdgeKind() == edge.CaseClause_List {
			return n.Body
		}
	}
	return nil
}

// chosen returns the statements that an if chooses where its condition holds, or does not.
func chosen(cur inspector.Cursor, n *ast.IfStmt, holds bool) []ast.Stmt {
	if holds {
		return n.Body.List
	}
	if other, ok := n.Else.(*ast.BlockStmt); ok {
		return other.List
	}
	if stmt, ok := Stmt(cur); ok && n.Else == nil && stmt.Node() == n && Departs(n.Body) {
		return Following(stmt)
	}
	return nil
}

// Guarded reports whether the code at cur runs, within a node around it, only where a condition shows something: in a branch,
// to the right of && or ||, or after an if that leaves, behind a position. shows says so of an operand that has a value.
func Guarded(cur inspector.Cursor, within ast.Node, from token.Pos, shows func(cond ast.Expr, value bool) bool) bool {
	child := cur
	for p := cur.Parent(); p.Valid() && p.Node() != within; child, p = p, p.Parent() {
		switch n := p.Node().(type) {
		case *ast.IfStmt:
			if child.Node() == n.Body && implies(n.Cond, true, shows) || child.Node() == n.Else && implies(n.Cond, false, shows) {
				return true
			}
		case *ast.BinaryExpr:
			if child.Node() == n.Y && (n.Op == token.LAND && implies(n.X, true, shows) || n.Op == token.LOR && implies(n.X, false, shows)) {
				return true
			}
		case *ast.BlockStmt:
			for _, stmt := range n.List {
				if stmt.Pos() >= child.Node().Pos() {
					break
				}
				if i, ok := stmt.(*ast.IfStmt); ok && i.Init == nil && stmt.Pos() > from && Departs(i.Body) && implies(i.Cond, false, shows) {
					return true
				}
			}
		}
	}
	return false
}

// implies reports whether a condition that has a value shows what Guarded asks for.
func implies(cond ast.Expr, value bool, shows func(ast.Expr, bool) bool) bool {
	switch n := ast.Unparen(cond).(type) {
	case *ast.UnaryExpr:
		return n.Op == token.NOT && implies(n.X, !value, shows)
	case *ast.BinaryExpr:
		x, y := func() bool { return implies(n.X, value, shows) }, func() bool { return implies(n.Y, value, shows) }
		switch {
		case n.Op == token.LAND && value, n.Op == token.LOR && !value:
			return x() || y()
		case n.Op == token.LAND, n.Op == token.LOR:
			return x() && y()
		}
	}
	return shows(ast.Unparen(cond), value)
}

func mentions(info *types.Info, list []ast.Stmt, v *types.Var) (n int) {
	for _, s := range list {
		for id := range All[*ast.Ident](s) {
			if info.ObjectOf(id) == v {
				n++
			}
		}
	}
	return n
}

// Hidden returns a name in x that means something else at a place of the package, or is
// not there yet; "" if x can be written there.
func Hidden(info *types.Info, pkg *types.Package, x ast.Node, at token.Pos) (name string) {
	scope := pkg.Scope().Innermost(at)
	ast.Inspect(x, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			name = cmp.Or(name, Hidden(info, pkg, n.X, at))
			return false
		case *ast.Ident:
			means := info.Uses[n]
			if v, ok := means.(*types.Var); means == nil || ok && v.IsField() || Declares(x, means) {
				return true // a key of a struct, or what a function literal declares
			}
			if _, obj := scope.LookupParent(n.Name, at); name == "" && obj != means {
				name = n.Name
			}
		}
		return name == ""
	})
	return name
}
