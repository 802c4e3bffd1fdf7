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
	if !s.free(at.Parent().Node(), at.Node()) || s.typ != nil && code.MentionsOf(s.p.TypesInfo, s.typ, loop) {
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
	emptied := s.emptied()
	without := ""
	if s.typ != nil {
		without = fmt.Sprintf("var %s %s", name, s.p.Source(s.typ))
		if s.nilSeen {
			without = fmt.Sprintf("%s := %s{}", name, s.p.Source(s.typ))
		}
	}
	before = s.p.Source(s.decl)
	switch s.kind {
	case buffer:
		return before, name + ".Reset()", nil, !code.MentionsOf(s.p.TypesInfo, s.decl, loop)
	case aMap:
		if !steady {
			before = fmt.Sprintf("%s := make(%s)", name, s.p.Source(s.typ))
		}
		return before, emptied, nil, emptied != ""
	case empty:
		if !steady {
			before = without
		}
		return before, fmt.Sprintf("%[1]s = %[1]s[:0]", name), nil, s.x != nil || !s.nilSeen
	}
	if steady || emptied == "" {
		return before, emptied, nil, emptied != ""
	}
	if !s.simple(s.size) {
		return "", "", nil, false
	}
	n := s.p.Source(s.size)
	if b, isBasic := s.p.TypesInfo.TypeOf(s.size).(*types.Basic); !isBasic || b.Kind() != types.Int {
		n = "int(" + n + ")"
	}
	typ := s.p.Source(s.typ)
	before = without
	if !s.p.AtLeast(s.decl.Pos(), "go1.21") { // slices.Grow is as new as clear
		in = fmt.Sprintf("if cap(%[1]s) < %[2]s {\n%[1]s = make(%[3]s, %[2]s)\n}\n%[1]s = %[1]s[:%[2]s]\n%[4]s", name, n, typ, emptied)
		return before, in, nil, code.Predeclared(s.p.Pkg, s.decl.Pos(), "cap")
	}
	pkg, edits, ok := code.Import(s.p.TypesInfo, s.p.Pkg, s.p.File(s.decl.Pos()), s.decl.Pos(), "slices")
	return before, fmt.Sprintf("%[1]s = %[2]s.Grow(%[1]s[:0], %[3]s)[:%[3]s]\n%[4]s", name, pkg, n, emptied), edits, ok
}

// emptied writes what empties a map or a slice of zeroes; "" if the file's Go has nothing that does.
func (s *scratch) emptied() string {
	name, pos, t := s.v.Name(), s.decl.Pos(), s.v.Type()
	if s.p.AtLeast(pos, "go1.21") && code.Predeclared(s.p.Pkg, pos, "clear") {
		return "clear(" + name + ")"
	}
	if s.kind != aMap && s.kind != filled || !code.Predeclared(s.p.Pkg, pos, "delete", "nil", "false") {
		return ""
	}
	elem := ""
	if slice, ok := t.Underlying().(*types.Slice); ok {
		elem, _ = code.TypeText(s.p, slice.Elem(), pos)
	}
	fn, _ := code.Func(s.cur)
	return code.Emptied(name, t, code.FreeLocal(fn.Node(), "k"), elem)
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
