package code

import (
	"go/ast"
	"slices"
)

// A Tree knows the node around each node of a piece of syntax. It reads the piece
// when it is first asked.
type Tree struct {
	Root    ast.Node
	parents map[ast.Node]ast.Node
}

// Parent returns the node that n is a direct child of, nil for the root.
func (t *Tree) Parent(n ast.Node) ast.Node {
	if t.parents == nil {
		t.parents = map[ast.Node]ast.Node{}
		var stack []ast.Node
		ast.Inspect(t.Root, func(n ast.Node) bool {
			if n == nil {
				stack = stack[:len(stack)-1]
				return true
			}
			if len(stack) > 0 {
				t.parents[n] = stack[len(stack)-1]
			}
			stack = append(stack, n)
			return true
		})
	}
	return t.parents[n]
}

// AssignedTo reports whether the statement that an expression stands in assigns to it.
func (t *Tree) AssignedTo(e ast.Expr) bool {
	up := t.Parent(e)
	if paren, ok := up.(*ast.ParenExpr); ok {
		return t.AssignedTo(paren)
	}
	return slices.Contains(Assigned(up), e)
}

// Literal returns the innermost function literal around n, or nil.
func (t *Tree) Literal(n ast.Node) *ast.FuncLit {
	for n = t.Parent(n); n != nil; n = t.Parent(n) {
		if lit, ok := n.(*ast.FuncLit); ok {
			return lit
		}
	}
	return nil
}

// InPlace reports whether a function literal runs within the function around
// it: it is called where it stands, or deferred.
func (t *Tree) InPlace(lit *ast.FuncLit) bool {
	call, ok := t.Parent(lit).(*ast.CallExpr)
	if !ok || call.Fun != lit {
		return false
	}
	return !t.Spawned(call)
}

// Spawned reports whether a call is that of a go statement.
func (t *Tree) Spawned(call ast.Node) bool {
	_, spawned := t.Parent(call).(*ast.GoStmt)
	return spawned
}

// Later reports whether a call is that of a go or defer statement: it runs beside the function, or when it has ended.
func (t *Tree) Later(call ast.Node) bool {
	_, deferred := t.Parent(call).(*ast.DeferStmt)
	return deferred || t.Spawned(call)
}

// Loop returns the innermost loop body around n within its function, or nil.
func (t *Tree) Loop(n ast.Node) *ast.BlockStmt {
	for child := n; child != nil; child = n {
		n = t.Parent(child)
		switch up := n.(type) {
		case *ast.ForStmt:
			if up.Body == child {
				return up.Body
			}
		case *ast.RangeStmt:
			if up.Body == child {
				return up.Body
			}
		case *ast.FuncLit, *ast.FuncDecl:
			return nil
		}
	}
	return nil
}

// Stmt returns the innermost statement that n stands in, or is.
func (t *Tree) Stmt(n ast.Node) ast.Stmt {
	for ; n != nil; n = t.Parent(n) {
		if s, ok := n.(ast.Stmt); ok {
			return s
		}
	}
	return nil
}

// StmtList returns the statements that a node holds directly.
//
//go:noinline
func StmtList(n ast.Node) []ast.Stmt {
	switch b := n.(type) {
	case *ast.BlockStmt:
		return b.List
	case *ast.CaseClause:
		return b.Body
	case *ast.CommClause:
		return b.Body
	}
	return nil
}
