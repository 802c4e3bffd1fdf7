package difftest

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// A branch is one of the base that the candidate has no more, in a function
// that is driven.
type branch struct {
	at     *ast.IfStmt
	cond   string
	guards string // what it did: "returned an error", "guarded an index"; "" for anything else
}

// mostBranches is how many branches of one function are watched.
const mostBranches = 64

// branchesOf returns the branches of a subject's base whose conditions the
// candidate's package has less often.
func (c *comparison) branchesOf(s *subject) (out []branch) {
	was, now := c.base.conditions(), c.cand.conditions()
	fewerExits := c.cand.count((*side).errorExits) < c.base.count((*side).errorExits)
	fewerBounds := c.cand.count((*side).boundChecks) < c.base.count((*side).boundChecks)
	here := make(map[string]int)
	for i := range code.All[*ast.IfStmt](s.cand.fn.Body) {
		here[s.cand.file.Text(i.Cond)]++
	}
	for i := range code.All[*ast.IfStmt](s.base.fn.Body) {
		cond := s.base.file.Text(i.Cond)
		if here[cond]--; here[cond] >= 0 || now[cond] >= was[cond] || len(out) == mostBranches {
			continue
		}
		b := branch{at: i, cond: strings.Join(strings.Fields(cond), " ")}
		switch {
		case fewerExits && c.base.exits(i.Body.List):
			b.guards = "returned an error or panicked"
		case fewerBounds && c.base.isBound(i.Cond) && leaves(i.Body.List):
			b.guards = "guarded an index"
		}
		out = append(out, b)
	}
	return out
}

// conditions counts the conditions of a side by their text.
func (s *side) conditions() map[string]int {
	out := make(map[string]int)
	for _, d := range s.sorted(funcDecl) {
		if d.fn.Body != nil {
			for i := range code.All[*ast.IfStmt](d.fn.Body) {
				out[d.file.Text(i.Cond)]++
			}
		}
	}
	return out
}

// count adds up a number over all functions of a side.
func (s *side) count(of func(*side, *ast.FuncDecl) int) (n int) {
	for _, d := range s.sorted(funcDecl) {
		if d.fn.Body != nil {
			n += of(s, d.fn)
		}
	}
	return n
}

// errorExits counts the statements that return an error or panic.
func (s *side) errorExits(fn *ast.FuncDecl) (n int) {
	for st := range code.All[ast.Stmt](fn.Body) {
		if s.exits([]ast.Stmt{st}) {
			n++
		}
	}
	return n
}

// boundChecks counts the comparisons with a length.
func (s *side) boundChecks(fn *ast.FuncDecl) (n int) {
	for b := range code.All[*ast.BinaryExpr](fn.Body) {
		if s.isBound(b) && b.Op != token.LAND && b.Op != token.LOR {
			n++
		}
	}
	return n
}

// exits reports whether statements end in the return of an error, or in a panic.
func (s *side) exits(list []ast.Stmt) bool {
	if len(list) == 0 {
		return false
	}
	switch st := list[len(list)-1].(type) {
	case *ast.ReturnStmt:
		if len(st.Results) == 0 {
			return false
		}
		tv := s.info.Types[st.Results[len(st.Results)-1]]
		return tv.Type != nil && !tv.IsNil() && types.AssignableTo(tv.Type, types.Universe.Lookup("error").Type())
	case *ast.ExprStmt:
		call, ok := st.X.(*ast.CallExpr)
		if !ok {
			return false
		}
		id, ok := call.Fun.(*ast.Ident)
		return ok && id.Name == "panic"
	}
	return false
}

func leaves(list []ast.Stmt) bool {
	if len(list) == 0 {
		return false
	}
	switch list[len(list)-1].(type) {
	case *ast.ReturnStmt, *ast.BranchStmt:
		return true
	}
	return false
}

// isBound reports whether a condition compares something with a length.
func (s *side) isBound(cond ast.Expr) bool {
	length := func(id *ast.Ident) bool {
		return (id.Name == "len" || id.Name == "cap") && s.info.Uses[id] == types.Universe.Lookup(id.Name)
	}
	return code.Any(cond, func(b *ast.BinaryExpr) bool {
		switch b.Op {
		case token.LSS, token.LEQ, token.GTR, token.GEQ, token.EQL, token.NEQ:
			return code.Any(b, length)
		}
		return false
	})
}

// watches returns what a base's copy says when it takes a branch, by where the
// branch begins.
func (s *subject) watches() (edits []model.Edit) {
	from := s.base.file.Offset(s.base.fn.Pos())
	for k, b := range s.branches {
		at := s.base.file.Offset(b.at.Body.Lbrace) + 1 - from
		edits = append(edits, model.Edit{Start: at, End: at, New: fmt.Sprintf(" %s.Took(%d, %d);", alias, s.id, k)})
	}
	return edits
}

// mostWatched is of how many functions a caller is known to get to them.
const mostWatched = 64

// watch returns what a base's copy says as it begins that a caller stands for, and whose number there is n.
func (s *subject) watch(of *subject, n int) model.Edit {
	at := of.base.file.Offset(of.base.fn.Body.Lbrace) + 1 - of.base.file.Offset(of.base.fn.Pos())
	return model.Edit{Start: at, End: at, New: fmt.Sprintf(" %s.Reached(%d, %d);", alias, s.id, n)}
}

// deleted adds to a function's answer the branches of the base that it has no
// more and that no input took.
func (s *subject) deleted(d *model.Driven, took map[int]bool) {
	for k, b := range s.branches {
		if took[k] {
			continue
		}
		where := fmt.Sprintf("the branch %q of line %d of the base", b.cond, s.base.file.Line(b.at.Pos()))
		if b.guards == "" {
			d.Uncompared = append(d.Uncompared, where+": it is gone, and no input took it")
			continue
		}
		d.Differences = append(d.Differences, model.Difference{
			Kind: model.DiffDeleted, Where: where, Base: b.guards, Candidate: "without it; no input took it", Times: 1,
		})
	}
}
