package sizes

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// within returns the slice as one that a loop adds to: it can grow once for each time that the loop is reached. It is nil
// for what is no slice, or not added to by a loop.
func (g *growing) within(add ast.Node) *sized {
	if _, slice := code.Core(g.typ).(*types.Slice); !slice {
		return nil
	}
	loop := g.fn.File.Loop(add)
	if loop == nil {
		return nil
	}
	inner, isStmt := g.fn.File.Parent(loop).(ast.Stmt)
	if !isStmt || inner.Pos() < g.list[g.made].End() {
		return nil
	}
	list := code.StmtList(g.fn.File.Parent(inner))
	at := slices.Index(list, inner)
	if at < 0 {
		return nil
	}
	within := *g
	within.list, within.made = list, at-1
	return &sized{growing: &within, first: at, from: at}
}

// growInside works out the change for a slice that grows right before a loop, behind the place where it is made. It is
// empty where too little is added to matter.
func growInside(s *sized, outer *growing) (*model.Change, *prove.Reason) {
	var why *prove.Reason
	inner := s.list[s.first]
	if s.total, why = s.stmt(inner); why != nil || s.small() {
		return nil, why
	}
	if slices.ContainsFunc(outer.list[outer.made+1:], outer.sets) {
		return nil, prove.Refuse("it is given another value while it is filled")
	}
	for _, one := range s.parts {
		if why := s.here(one, s.first, s.first); why != nil {
			return nil, why
		}
	}
	if why := s.predeclared(s.size(), inner); why != nil {
		return nil, why
	}
	obligations, why := s.argue()
	if why != nil {
		return nil, why
	}
	if s.starts != nil && s.fn.File.Loop(inner) != s.fn.File.Loop(outer.list[outer.made]) {
		return nil, prove.Refuse("it must stay nil where nothing is added (" + s.seen + "), and " + s.fewer)
	} else if s.starts != nil {
		return sizing(s, s.startEdits(), "make %s in %s for %s elements where the first is added", obligations)
	}
	there, why := s.writtenThere(inner)
	if why != nil {
		return nil, why
	}
	edits, why := s.growth(inner)
	if why != nil {
		return nil, why
	}
	place := model.Obligation{Text: s.size() + " can be evaluated before the loop that adds them", How: "proven",
		Why: "the loop does so too before its first iteration, and nothing happens in between"}
	return sizing(s, edits, "grow %s in %s once for %s elements", slices.Concat([]model.Obligation{place}, obligations, there))
}

// growth writes what gives the slice room right before the inner loop.
func (s *sized) growth(inner ast.Stmt) ([]model.Edit, *prove.Reason) {
	text, imports, why := s.grown(inner, s.size())
	if why != nil {
		return nil, why
	}
	text += "\n"
	if s.guarded && !s.some() {
		text = fmt.Sprintf("if %s > 0 {\n\t%s\n}\n", s.parts[0].text, strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\n", "\n\t"))
	}
	return append(s.binding(text, inner), imports...), nil
}

// grown writes what gives the slice room for more elements before a statement, as append gives it: many short
// loops cost no more than before.
func (s *sized) grown(before ast.Stmt, more string) (text string, imports []model.Edit, why *prove.Reason) {
	p, f, what := s.p, s.fn.File, types.ExprString(s.to)
	if p.GoAtLeast(f, "go1.21") {
		q := p.Qualifier(f, before.Pos(), "slices")
		imports, ok := p.Reimport(f, before.Pos(), []string{"slices"}, "")
		if q == "" || !ok {
			return "", nil, prove.Refuse("package slices cannot be imported in " + f.Name)
		}
		return fmt.Sprintf("%[1]s = %[2]s.Grow(%[1]s, %[3]s)", what, q, more), imports, nil
	}
	n := code.FirstFree(s.fn.Decl, "n", "more", "room")
	if n == "" || !code.Predeclared(s.fn.Obj.Pkg(), before.Pos(), "cap", "len", "append") {
		return "", nil, prove.Refuse("no name is free for the number of elements, or cap, len or append means something else there")
	}
	return fmt.Sprintf("if %[2]s := %[3]s - (cap(%[1]s) - len(%[1]s)); %[2]s > 0 {\n\t%[1]s = append(%[1]s[:cap(%[1]s)], make(%[4]s, %[2]s)...)[:len(%[1]s)]\n}",
		what, n, more, p.TypeText(s.fn, s.typ, s.typed)), nil, nil
}
