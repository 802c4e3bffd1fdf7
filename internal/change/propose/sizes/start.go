package sizes

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/types"
	"slices"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// mostStarts is how many statements of a loop are made longer at most.
const mostStarts = 3

// firstAdditions returns the statements that add to a slice, one element each, all in one loop: the slice can be made where
// the first element is added. It is empty where there are others.
func (s *sized) firstAdditions() []*ast.AssignStmt {
	if _, ok := ast.Unparen(s.to).(*ast.Ident); !ok || len(s.adds(s.fn.Decl.Body)) != len(s.adds(s.list[s.first])) ||
		!code.Predeclared(s.fn.Obj.Pkg(), s.to.Pos(), "make", "len") {
		return nil
	}
	return s.onlyAdditions()
}

// onlyAdditions returns the statements that add to a slice in a loop, one element each. Where the length of the loop may be
// another in an iteration, a variable is to hold it. It is empty where there are others, or no such variable.
func (s *sized) onlyAdditions() (starts []*ast.AssignStmt) {
	adds := s.adds(s.list[s.first])
	if len(adds) > mostStarts || len(s.parts) != 1 || s.fixed > 0 || s.parts[0].found {
		return nil
	}
	for a := range code.All[*ast.AssignStmt](s.list[s.first]) {
		add, ok := additionIn(s.fn.Info(), a)
		if !ok || !s.names(add.to) {
			continue
		}
		if add.n != 1 || add.spread != nil || code.StmtList(s.fn.File.Parent(a)) == nil || s.hidden(s.typed, a) {
			return nil
		}
		starts = append(starts, a)
	}
	if len(starts) != len(adds) || !s.keeps(starts) {
		return nil
	}
	return starts
}

// keeps names the variable that is to hold the length of the loop, where that is not the same at some statements. It reports
// whether the length can be had there.
func (s *sized) keeps(starts []*ast.AssignStmt) bool {
	of, loop := s.parts[0].of, s.list[s.first]
	same, _ := (&prove.Invariant{Prog: s.p, Fn: s.fn, Stmt: loop}).Same(of)
	if same && !slices.ContainsFunc(starts, func(a *ast.AssignStmt) bool { return s.hidden(of, a) }) {
		return true
	}
	s.kept = code.FirstFree(s.fn.Decl, "n", "most", "room")
	return s.kept != "" && s.predeclared(s.size(), loop) == nil
}

// hidden reports whether a name in an expression, which may be nil, means something else at a statement.
func (s *sized) hidden(e ast.Expr, at *ast.AssignStmt) bool {
	return e != nil && code.Hidden(s.fn.Info(), s.fn.Obj.Pkg(), e, at.Pos()) != ""
}

// left is how many elements the loop has left at most where a statement adds one.
func (s *sized) left(start *ast.AssignStmt) string {
	size := cmp.Or(s.kept, s.size())
	if loop, ok := s.list[s.first].(*ast.RangeStmt); ok && s.parts[0].times == 1 {
		i, isIdent := loop.Key.(*ast.Ident)
		over := s.fn.Info().TypeOf(loop.X)
		counts := !code.May[*types.Map](over) && !slices.ContainsFunc(code.Kinds(over), code.IsString) // those of a text count bytes
		e := element{counter: s.counter, stmt: start}
		if isIdent && counts && i.Name != "_" && e.visible(i) && !code.WrittenIn(s.fn.Info(), loop.Body, s.fn.Info().Defs[i]) {
			size += "-" + i.Name
		}
	}
	return size
}

// keptEdits write the variable that holds the length of the loop, if there is one.
func (s *sized) keptEdits() []model.Edit {
	if s.kept == "" {
		return nil
	}
	return []model.Edit{s.p.Insert(s.fn.File, s.list[s.first].Pos(), s.kept+" := "+s.size()+"\n")}
}

// startEdits make the slice before the first element is added, with room for those that the loop has left.
func (s *sized) startEdits() []model.Edit {
	f, name, edits := s.fn.File, types.ExprString(s.to), s.keptEdits()
	for _, start := range s.starts {
		edits = append(edits, s.p.Insert(f, start.Pos(),
			fmt.Sprintf("if %[1]s == nil {\n\t%[1]s = make(%[2]s, 0, %[3]s)\n}\n", name, s.p.Source(f, s.typed), s.left(start))))
	}
	return edits
}

// halfStarted is halfDone for the statements before which the slice is made or grows.
func (s *sized) halfStarted() *prove.Reason {
	for _, start := range s.starts {
		if why := s.halfDone(start); why != nil {
			return why
		}
	}
	return nil
}
