package unbuffered

import (
	"go/ast"
	"slices"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// same reports whether a loop goes on with one file: a variable that is older, or a field of
// what stays the same.
func (s *search) same(loop inspector.Cursor, k key, file ast.Expr) bool {
	if !k.file.IsField() {
		return k.file.Pos() < loop.Node().Pos() || k.file.Pos() >= loop.Node().End()
	}
	sel, ok := ast.Unparen(file).(*ast.SelectorExpr)
	return ok && code.Invariant(s.p.Index, s.p.TypesInfo, sel.X, loop.Node())
}

// kept reports whether a loop does nothing with the file of a field but write to it, and no
// place of the package shows that it is a standard stream, or that each write is to be there at
// once.
func (s *search) kept(g *group) bool {
	info := s.p.TypesInfo
	for _, at := range s.p.Index.Uses(g.file) {
		if value := stored(at); value != nil && s.prompt(at, value) {
			return false
		}
		if at.ParentEdgeKind() == edge.SelectorExpr_Sel {
			at = at.Parent()
		}
		if !code.Within(g.loop, at.Node()) || slices.Contains(g.args, at.Node().(ast.Expr)) {
			continue
		}
		if cmp, ok := at.Parent().Node().(*ast.BinaryExpr); !ok || !code.IsNil(info, cmp.Y) {
			return false
		}
	}
	return !code.Any(g.loop, func(call *ast.CallExpr) bool {
		fd := s.p.Index.Decl(code.Callee(info, call))
		return fd != nil && (s.effects.Call(call).IO || slices.ContainsFunc(s.p.Index.Uses(g.file), func(at inspector.Cursor) bool { return code.Within(fd, at.Node()) }))
	})
}

// stored returns what a field gets at a place, or nil.
func stored(at inspector.Cursor) ast.Expr {
	if at.ParentEdgeKind() == edge.SelectorExpr_Sel {
		at = at.Parent()
	}
	switch n := at.Parent().Node().(type) {
	case *ast.KeyValueExpr:
		if at.ParentEdgeKind() == edge.KeyValueExpr_Key {
			return n.Value
		}
	case *ast.AssignStmt:
		if at.ParentEdgeKind() == edge.AssignStmt_Lhs {
			return n.Rhs[min(at.ParentEdgeIndex(), len(n.Rhs)-1)]
		}
	}
	return nil
}

// prompt reports whether a value that a field gets names a standard stream, or opens a file
// to append, or so that it is synchronous.
func (s *search) prompt(at inspector.Cursor, value ast.Expr) bool {
	if decl, _ := code.Decl(s.p.TypesInfo, at); decl != nil {
		if v := code.Var(s.p.TypesInfo, value); code.Local(v) {
			if _, from := code.Origin(s.p.Index, s.p.TypesInfo, decl, v); from != nil {
				value = from
			}
		}
	}
	return mentions(value, "Stdout", "Stderr", "O_APPEND", "O_SYNC")
}
