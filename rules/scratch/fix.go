package scratch

import (
	"fmt"
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/analysis"

	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// edits declares the memory before the loop and empties it in the loop. Nil if
// the name or a type means something else there.
func (s *scratch) edits() []analysis.TextEdit {
	loop := s.loop.Node()
	at := s.loop
	if _, ok := at.Parent().Node().(*ast.LabeledStmt); ok {
		at = at.Parent()
	}
	// clear is of Go 1.21, as is slices.Grow.
	if !s.p.AtLeast(s.decl.Pos(), "go1.21") || !s.free(at.Parent().Node(), at.Node()) || s.typ != nil && code.MentionsOf(s.p.TypesInfo, s.typ, loop) {
		return nil
	}
	if stmt, ok := code.Stmt(at); !ok || stmt != at {
		return nil
	}
	before, in, edits, ok := s.text(loop)
	if !ok {
		return nil
	}
	return append(edits,
		analysis.TextEdit{Pos: at.Node().Pos(), End: at.Node().Pos(), NewText: []byte(before + "\n")},
		analysis.TextEdit{Pos: s.decl.Pos(), End: s.decl.End(), NewText: []byte(in)})
}

// text returns the declaration, and what takes its place in the loop.
func (s *scratch) text(loop ast.Node) (before, in string, edits []analysis.TextEdit, ok bool) {
	name, steady := s.v.Name(), s.size == nil || code.Invariant(s.p.Index, s.p.TypesInfo, s.size, loop)
	before = s.p.Source(s.decl)
	switch s.kind {
	case buffer:
		return before, name + ".Reset()", nil, !code.MentionsOf(s.p.TypesInfo, s.decl, loop)
	case aMap:
		if !steady {
			before = fmt.Sprintf("%s := make(%s)", name, s.p.Source(s.typ))
		}
		return before, "clear(" + name + ")", nil, true
	case empty:
		if !steady {
			before = fmt.Sprintf("var %s %s", name, s.p.Source(s.typ))
		}
		return before, fmt.Sprintf("%[1]s = %[1]s[:0]", name), nil, true
	}
	if steady {
		return before, "clear(" + name + ")", nil, true
	}
	if !s.simple(s.size) {
		return "", "", nil, false
	}
	pkg, edits, ok := code.Import(s.p.TypesInfo, s.p.Pkg, s.p.File(s.decl.Pos()), s.decl.Pos(), "slices")
	n := s.p.Source(s.size)
	if b, isBasic := s.p.TypesInfo.TypeOf(s.size).(*types.Basic); !isBasic || b.Kind() != types.Int {
		n = "int(" + n + ")"
	}
	before = fmt.Sprintf("var %s %s", name, s.p.Source(s.typ))
	return before, fmt.Sprintf("%[1]s = %[2]s.Grow(%[1]s[:0], %[3]s)[:%[3]s]\nclear(%[1]s)", name, pkg, n), edits, ok
}

// simple reports whether evaluating a size twice changes nothing.
func (s *scratch) simple(x ast.Expr) bool {
	switch x := ast.Unparen(x).(type) {
	case *ast.Ident, *ast.BasicLit:
		return true
	case *ast.SelectorExpr:
		return s.simple(x.X)
	case *ast.BinaryExpr:
		return s.simple(x.X) && s.simple(x.Y)
	case *ast.CallExpr:
		return code.IsBuiltin(s.p.TypesInfo, x, "len") && s.simple(x.Args[0])
	}
	return false
}

// free reports whether, in the block that gets the declaration, the name stands
// for this variable only, in and after the loop.
func (s *scratch) free(block, from ast.Node) bool {
	return !code.Any(block, func(id *ast.Ident) bool {
		obj := s.p.TypesInfo.ObjectOf(id)
		if id.Name != s.v.Name() || obj == nil || obj == s.v {
			return false
		}
		if v, isVar := obj.(*types.Var); isVar && v.IsField() {
			return false
		}
		if _, isFunc := obj.(*types.Func); isFunc && obj.Parent() != s.p.Pkg.Scope() {
			return false // a method
		}
		return id.Pos() >= from.Pos() || obj.Parent() != nil && obj.Pos() == id.Pos()
	})
}
