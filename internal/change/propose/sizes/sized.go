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

// A sized is a growing container with what is known of its size.
type sized struct {
	*growing
	total
	first int    // index of the first statement that adds to it
	from  int    // of the one before which it is made; g.made for where it is now
	seen  string // who may see whether a slice is nil, or how much room it has

	starts  []*ast.AssignStmt // those that make it before they add, since it must stay nil where nothing is added
	kept    string            // a variable that is to hold the length of the loop with these, if that may change
	guarded bool              // it may be written only if the loop that adds to it has an iteration
}

// small reports whether so few elements are added that growth hardly shows.
func (s *sized) small() bool {
	few, n := int64(fewElements), int64(s.fixed)
	if s.isMap() {
		few = fewEntries
	}
	for _, part := range s.parts {
		k, ok := s.length(part.of)
		if !ok {
			return false
		}
		n += int64(part.times) * k
	}
	return n <= few
}

// some reports whether the size is known not to be 0.
func (s *sized) some() bool {
	return s.fixed > 0 || slices.ContainsFunc(s.parts, func(one part) bool {
		n, ok := s.length(one.of)
		return ok && n > 0
	})
}

// length returns the length of an array, or the value of a constant.
func (s *sized) length(e ast.Expr) (int64, bool) {
	if n, ok := code.ArrayLen(s.fn.Info().TypeOf(e)); ok {
		return n, true
	}
	return prove.ConstInt(s.fn.Info(), e)
}

func (s *sized) isMap() bool {
	_, ok := code.Core(s.typ).(*types.Map)
	return ok
}

// place decides where the container is made: where it is now, if the lengths
// are known there, else right before it is filled.
func (s *sized) place(line int) (model.Obligation, *prove.Reason) {
	o := model.Obligation{Text: s.size() + " can be evaluated where " + types.ExprString(s.to) + " is made", How: "proven",
		Why: "all in it is there already, does not change and cannot panic"}
	s.from = s.made
	now := s.known(s.made, line)
	if now == nil {
		if s.told() {
			o.Why = "the loop begins by asking for it, and nothing happens in between"
		}
		return o, nil
	}
	if !s.movable() || s.known(s.first, line) != nil {
		return o, now
	}
	s.from = s.first
	o.Why = "nothing uses it before " + s.p.Pos(s.list[s.first].Pos()).String() + ", so that it can be made there"
	return o, nil
}

// known says why the lengths are not known before a statement, nil if they are.
// Parts other than that of the target's line are then left out.
func (s *sized) known(from, line int) *prove.Reason {
	var parts []part
	for _, part := range s.parts {
		to := 0
		for to < len(s.list) && !code.Within(s.list[to], part.stmt) {
			to++
		}
		why := s.here(part, from, to)
		switch {
		case why == nil:
			parts = append(parts, part)
		case s.p.Covers(part.stmt, line) || len(s.parts) == 1:
			return why
		}
	}
	if len(parts) < len(s.parts) && from == s.made && s.movable() && s.known(s.first, line) == nil {
		return prove.Refuse("more is known right before it is filled")
	}
	s.parts = parts
	return nil
}

// movable reports whether the declaration is of a variable alone, on a line of
// its own without a comment above it, and nothing mentions the variable before
// it is filled.
func (s *sized) movable() bool {
	id, ok := ast.Unparen(s.to).(*ast.Ident)
	if !ok || s.group {
		return false
	}
	switch d := s.list[s.made].(type) {
	case *ast.AssignStmt:
		if len(d.Lhs) != 1 || s.fn.Info().Defs[d.Lhs[0].(*ast.Ident)] == nil {
			return false
		}
	}
	if !ownLine(s.p, s.fn.File, s.list[s.made]) {
		return false
	}
	return !slices.ContainsFunc(s.list[s.made+1:s.first], func(stmt ast.Stmt) bool {
		return code.Mentions(s.fn.Info(), stmt, s.fn.Info().Uses[id])
	})
}

// ownLine reports whether a statement shares its line with a comment behind it
// at most, and no comment stands above it.
func ownLine(p *prove.Program, f *prove.File, n ast.Node) bool {
	start, end := p.LineOf(f, n)
	before, after := string(f.Src[start:p.Offset(n.Pos())]), strings.TrimSpace(string(f.Src[p.Offset(n.End()):end]))
	if strings.TrimSpace(before) != "" || after != "" && !strings.HasPrefix(after, "//") {
		return false
	}
	line := p.Pos(n.Pos()).Line
	return !slices.ContainsFunc(f.Syntax.Comments, func(g *ast.CommentGroup) bool { return p.Pos(g.End()).Line == line-1 })
}

// edits gives the container its size.
func (s *sized) edits(p *prove.Program) []model.Edit {
	f, typ := s.fn.File, p.Source(s.fn.File, s.typed)
	made, first := s.list[s.made], s.list[s.first]
	text := fmt.Sprintf("make(%s, %s)", typ, s.size())
	if !s.isMap() {
		text = fmt.Sprintf("make(%s, 0, %s)", typ, s.size())
	}
	switch {
	case s.from != s.made:
		start, end := p.LineOf(f, made)
		rest := strings.TrimSuffix(string(f.Src[p.Offset(made.End()):end]), "\n")
		return append(s.binding(s.declared(p, typ, text)+rest+"\n", first), p.Edit(f, start, end, ""))
	case s.value != nil:
		return []model.Edit{p.Put(f, s.value.Pos(), s.value.End(), text)}
	case s.group:
		return []model.Edit{p.Insert(f, made.End(), "\n"+s.later(p, text))}
	}
	return []model.Edit{p.Put(f, made.Pos(), made.End(), s.declared(p, typ, text))}
}

// declared writes the declaration of a variable that text makes.
func (s *sized) declared(p *prove.Program, typ, text string) string {
	name := types.ExprString(s.to)
	if s.value == nil && s.seen != "" && !s.some() {
		return "var " + name + " " + typ + "\n" + s.later(p, text)
	}
	return name + " := " + text
}

// later writes what gives a declared slice its size, unless that is 0 and the
// slice has to stay nil.
func (s *sized) later(p *prove.Program, text string) string {
	name := types.ExprString(s.to)
	if s.seen == "" || s.some() {
		return name + " = " + text
	}
	if len(s.parts) == 1 && !s.told() {
		return fmt.Sprintf("if %s > 0 {\n\t%s = %s\n}", s.parts[0].text, name, text)
	}
	n := code.FreeLocal(s.fn.Decl, "n")
	return fmt.Sprintf("if %s := %s; %s > 0 {\n\t%s = %s\n}", n, s.size(), n, name, strings.Replace(text, ", 0, "+s.size(), ", 0, "+n, 1))
}
