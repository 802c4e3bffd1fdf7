package sizes

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// firstAddition returns the one statement that adds to a slice: the slice can be made where the first element is
// added. It is nil where there are others.
func (s *sized) firstAddition() *ast.AssignStmt {
	if _, ok := ast.Unparen(s.to).(*ast.Ident); !ok || len(s.adds(s.fn.Decl.Body)) != 1 || !code.Predeclared(s.fn.Obj.Pkg(), s.to.Pos(), "make", "len") {
		return nil
	}
	return s.onlyAddition()
}

// onlyAddition returns the one statement that adds to a slice in a loop whose length is the same in each iteration,
// or nil.
func (s *sized) onlyAddition() *ast.AssignStmt {
	adds := s.adds(s.list[s.first])
	if len(adds) != 1 || adds[0].n != 1 || len(s.parts) != 1 || s.fixed > 0 || s.parts[0].found {
		return nil
	}
	one := s.parts[0]
	if same, _ := (&prove.Invariant{Prog: s.p, Fn: s.fn, Stmt: s.list[s.first]}).Same(one.of); !same {
		return nil
	}
	for a := range code.All[*ast.AssignStmt](s.list[s.first]) {
		if add, ok := additionIn(s.fn.Info(), a); ok && s.names(add.to) && code.StmtList(s.fn.File.Parent(a)) != nil && s.hidden(a) == "" {
			return a
		}
	}
	return nil
}

// hidden returns what the size names that means something else where the first element is added.
func (s *sized) hidden(a *ast.AssignStmt) string {
	if name := code.Hidden(s.fn.Info(), s.fn.Obj.Pkg(), s.parts[0].of, a.Pos()); name != "" || s.typed == nil {
		return name
	}
	return code.Hidden(s.fn.Info(), s.fn.Obj.Pkg(), s.typed, a.Pos())
}

// left is how many elements the loop has left at most where it adds one.
func (s *sized) left() string {
	size := s.size()
	if loop, ok := s.list[s.first].(*ast.RangeStmt); ok && s.parts[0].times == 1 {
		i, isIdent := loop.Key.(*ast.Ident)
		over := s.fn.Info().TypeOf(loop.X)
		counts := !code.May[*types.Map](over) && !slices.ContainsFunc(code.Kinds(over), code.IsString) // those of a text count bytes
		e := element{counter: s.counter, stmt: s.starts}
		if isIdent && counts && i.Name != "_" && e.visible(i) && !code.WrittenIn(s.fn.Info(), loop.Body, s.fn.Info().Defs[i]) {
			size += "-" + i.Name
		}
	}
	return size
}

// startEdits make the slice before the first element is added, with room for those that the loop has left.
func (s *sized) startEdits() []model.Edit {
	f, name, at := s.fn.File, types.ExprString(s.to), s.p.Offset(s.starts.Pos())
	return []model.Edit{s.p.Edit(f, at, at, fmt.Sprintf("if %[1]s == nil {\n\t%[1]s = make(%[2]s, 0, %[3]s)\n}\n", name, s.p.Source(f, s.typed), s.left()))}
}
